package org.troupe.serialization.internal;

import java.util.function.UnaryOperator;

/** How deep one walk of a graph is, and where it goes on when its stack could end. */
final class DeepStack {

  /*
   * A graph is walked by recursion, so its depth is bounded by the stack, of which a caller on a
   * virtual or a pool thread may have little. Past START levels, and every SPAN levels after that,
   * the walk moves to a new platform thread while the old one waits: one walk, one thread at a
   * time, nothing else changes. A level takes a few hundred bytes compiled, over 2 KiB where hooks
   * are interpreted; memory is only touched as it is used.
   *
   * A long array just above such a depth would start a thread for each of its elements. So the
   * depth moves down a STEP each time, to at most SLACK levels, below which an element is large
   * enough to be worth a thread.
   */

  private static final int START = 250;
  private static final int SPAN = 5_000;
  private static final int STEP = 50;
  private static final int SLACK = 500;
  private static final long STACK_BYTES = 4096L * SPAN;

  /** A part of a walk. */
  interface Walk<T> {
    T run() throws Throwable;
  }

  private final int limit;

  /** Gives what a helper thread runs whatever belongs to the thread that waits for it. */
  private final UnaryOperator<Runnable> carrier;

  private int depth;
  private int tails;
  private int moveAt = START;
  private int moveAtMost = START + SLACK;

  DeepStack(int limit) {
    this(limit, UnaryOperator.identity());
  }

  DeepStack(int limit, UnaryOperator<Runnable> carrier) {
    this.limit = limit;
    this.carrier = carrier;
  }

  /** Enters an object; returns whether its content must be walked by {@link #move}. */
  boolean enter() {
    if (++depth + tails > limit) {
      throw tooDeep();
    }
    return depth >= moveAt;
  }

  private Failure tooDeep() {
    return new Failure(
        "the graph is more than %d objects deep, which is the limit; send it in parts, or raise maxDepth"
            .formatted(limit));
  }

  void leave() {
    depth--;
  }

  /** Enters an object that needs no more stack than the one that refers to it. */
  void enterTail() {
    if (depth + ++tails > limit) {
      throw tooDeep();
    }
  }

  void leaveTails(int steps) {
    tails -= steps;
  }

  /** Returns to the beginning, whatever a walk that failed has left. */
  void reset() {
    depth = 0;
    tails = 0;
    moveAt = START;
    moveAtMost = START + SLACK;
  }

  /** Goes on with a walk on a fresh stack and waits for it. */
  <T> T move(Walk<T> walk) throws Throwable {
    int here = moveAt;
    int atMost = moveAtMost;
    moveAt = depth + SPAN;
    moveAtMost = moveAt + SLACK;
    try {
      return call(walk);
    } finally {
      moveAt = Math.min(here + STEP, atMost);
      moveAtMost = atMost;
    }
  }

  private <T> T call(Walk<T> walk) throws Throwable {
    var outcome =
        new Object() {
          T value;
          Throwable thrown;
        };
    Runnable body =
        () -> {
          try {
            outcome.value = walk.run();
          } catch (Throwable t) { // handed to the waiting thread, which rethrows it
            outcome.thrown = t;
          }
        };
    Thread thread = new Thread(null, carrier.apply(body), "troupe-deep-graph", STACK_BYTES);
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    try {
      thread.start();
    } catch (OutOfMemoryError e) { // no thread, rather than no heap
      throw new Failure("the graph is too deep for this machine's memory; send it in parts", e);
    }
    joinUninterruptibly(thread);
    if (outcome.thrown != null) {
      throw outcome.thrown;
    }
    return outcome.value;
  }

  private static void joinUninterruptibly(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
