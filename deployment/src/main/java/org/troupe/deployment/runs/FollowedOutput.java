package org.troupe.deployment.runs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.NodeProcess;
import org.troupe.deployment.process.OutputTail;

/** The output of nodes on its way to a client, which may read slowly. Thread-safe. */
final class FollowedOutput {

  /*
   * Design: the end of the output
   *
   * The thread of the client takes lines and sleeps while there are none; the threads that read the output of nodes add lines
   * and never wait for it. Nodes still print when the grid begins to end, so the output ends with the last line of the nodes
   * that are followed. The program does not listen at its control socket any more by then, and a client gives it five seconds
   * of silence, so LAST is less.
   */
  private static final Duration LAST = Duration.ofSeconds(4);
  private static final int MOST_LINES = 100_000; // that the client may be late

  private final BiFunction<String, OutputTail.Line, String> form;
  private final Duration last;
  private final Queue<String> lines = new ArrayDeque<>(); // under this
  private int leftOut; // under this
  private boolean isOver; // under this
  private boolean isForgotten; // under this
  private final Map<NodeProcess, Consumer<OutputTail.Line>> followed =
      new HashMap<>(); // under this

  /**
   * Creates one that follows nothing yet.
   *
   * @param form of a line of a node
   */
  FollowedOutput(BiFunction<String, OutputTail.Line, String> form) {
    this(form, LAST);
  }

  /** Creates one with another time for the last output, for a test. */
  FollowedOutput(BiFunction<String, OutputTail.Line, String> form, Duration last) {
    this.form = form;
    this.last = last;
  }

  /** Adds the last lines of a node and each further one, unless it does so already. */
  void follow(NodeProcess node) {
    Consumer<OutputTail.Line> follower = line -> add(form.apply(node.name(), line));
    synchronized (this) {
      if (isForgotten || followed.putIfAbsent(node, follower) != null) {
        return;
      }
    }
    node.printed().follow(follower); // not under the lock: it calls the follower under its own
    if (isForgotten()) { // meanwhile
      node.printed().forget(follower);
    }
  }

  private synchronized void add(String line) {
    if (lines.size() == MOST_LINES) {
      leftOut++;
      return;
    }
    lines.add(line);
    notifyAll();
  }

  /** Lets the output end when that of the nodes does, since the grid is being closed. */
  void gridEnds() {
    CompletableFuture<?>[] ends;
    synchronized (this) {
      ends =
          followed.keySet().stream().map(NodeProcess::onEnd).toArray(CompletableFuture<?>[]::new);
    }
    var _ =
        CompletableFuture.allOf(ends)
            .completeOnTimeout(null, last.toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete((_, _) -> end());
  }

  /** Ends the output behind the lines that have come. */
  synchronized void end() {
    isOver = true;
    notifyAll();
  }

  /** Returns the next line; {@code null} if it has not come yet. */
  synchronized @Nullable String poll() {
    return lines.poll();
  }

  /** Returns how many lines were left out since the last call, before those that are still here. */
  synchronized int takeLeftOut() {
    var taken = lines.isEmpty() ? leftOut : 0;
    leftOut -= taken;
    return taken;
  }

  /** Waits for a line; returns {@code false} if the output has ended instead. */
  synchronized boolean await() throws InterruptedException {
    while (lines.isEmpty() && !isOver) {
      wait();
    }
    return !lines.isEmpty();
  }

  private synchronized boolean isForgotten() {
    return isForgotten;
  }

  /** Follows nothing any more. */
  void forget() {
    Map<NodeProcess, Consumer<OutputTail.Line>> all;
    synchronized (this) {
      isForgotten = true;
      all = Map.copyOf(followed);
      followed.clear();
    }
    all.forEach((node, follower) -> node.printed().forget(follower));
  }
}
