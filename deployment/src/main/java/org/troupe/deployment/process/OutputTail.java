package org.troupe.deployment.process;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The last lines of a node's output. May be shared between threads. */
public final class OutputTail {

  private static final int MOST_LINES = 1000;

  private final ArrayDeque<Line> lines = new ArrayDeque<>(); // under this
  private final List<Consumer<? super Line>> followers = new ArrayList<>(); // under this

  /**
   * A line.
   *
   * @param timeMillis when it arrived, since 1970
   * @param isError whether it came on standard error
   */
  public record Line(long timeMillis, boolean isError, String text) {}

  synchronized void add(boolean isError, String text) {
    if (lines.size() == MOST_LINES) {
      lines.removeFirst();
    }
    var line = new Line(System.currentTimeMillis(), isError, text);
    lines.add(line);
    followers.forEach(each -> each.accept(line));
  }

  /** Returns the last lines, oldest first. */
  public synchronized List<Line> last(int most) {
    return lines.stream().skip(Math.max(0, lines.size() - most)).toList();
  }

  /** Passes the last lines and each further line to a follower, which must not block. */
  public synchronized void follow(Consumer<? super Line> follower) {
    lines.forEach(follower);
    followers.add(follower);
  }

  public synchronized void forget(Consumer<? super Line> follower) {
    followers.remove(follower);
  }
}
