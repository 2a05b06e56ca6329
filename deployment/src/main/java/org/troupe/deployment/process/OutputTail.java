package org.troupe.deployment.process;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The last lines of a node's output. May be shared between threads. */
public final class OutputTail {

  private static final int MOST_LINES = 1000;

  private final ArrayDeque<String> lines = new ArrayDeque<>(); // under this
  private final List<Consumer<String>> followers = new ArrayList<>(); // under this

  synchronized void add(String line) {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
    }
    lines.add(line);
    followers.forEach(each -> each.accept(line));
  }

  /** Returns the last lines, oldest first. */
  synchronized List<String> last(int most) {
    return lines.stream().skip(Math.max(0, lines.size() - most)).toList();
  }

  /** Passes the last lines and each further line to a follower, which must not block. */
  public synchronized void follow(Consumer<String> follower) {
    lines.forEach(follower);
    followers.add(follower);
  }

  public synchronized void forget(Consumer<String> follower) {
    followers.remove(follower);
  }
}
