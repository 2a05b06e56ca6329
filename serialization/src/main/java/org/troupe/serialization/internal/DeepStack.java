package org.troupe.serialization.internal;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.SpareThreads.Walk;

/** How deep one walk of a graph is, and where it goes on when its stack could end. */
final class DeepStack {

  /*
   * A graph is walked by recursion, so its depth is bounded by the stack, of which a caller on a
   * virtual or a pool thread may have little. Past START levels the walk goes on by a loop, with
   * its objects in parts on the heap (Parts). Objects with hooks cannot be taken apart: there the
   * walk moves to a spare thread, and again every LEVELS after that, while the old one waits: one
   * walk, one thread at a time, nothing else changes.
   *
   * A long array of such objects just above that depth would move for each of its elements. So the
   * depth moves down a STEP each time, to at most SLACK levels, below which an element is large
   * enough to be worth it.
   *
   * Measured: a million nested ArrayLists (2 MB) decode in 0.38 s on the calling thread and encode in
   * 1.3 s; by threads alone they took 30.9 s on 202 threads, and 24.0 s (KeyCostTest, 2b6581a against
   * d2f8967, 2026-11-23).
   */

  private static final int START = 150;
  private static final int STEP = 50;
  private static final int SLACK = 500;

  private final int limit;

  /** Gives what a helper thread runs whatever belongs to the thread that waits for it. */
  private final UnaryOperator<Runnable> carrier;

  private int depth;
  private int tails;
  private int moveAt = START;
  private int moveAtMost = START + SLACK;

  DeepStack(int limit, UnaryOperator<Runnable> carrier) {
    this.limit = limit;
    this.carrier = carrier;
  }

  /** Enters an object; returns whether its content is too deep for this stack. */
  boolean enter() {
    if (++depth + tails > limit) {
      throw tooDeep();
    }
    return depth >= moveAt;
  }

  private CodecFailure tooDeep() {
    return new CodecFailure(
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

  /** Goes on with the content of a deep object on a fresh stack and waits for it. */
  <T> @Nullable T move(Class<?> type, Walk<T> walk) throws Throwable {
    int here = moveAt;
    int atMost = moveAtMost;
    try {
      return elsewhere(type, walk);
    } finally {
      moveAt = Math.min(here + STEP, atMost);
      moveAtMost = atMost;
    }
  }

  /** Runs code of a program on a thread that is no carrier, and waits for it. */
  <T> @Nullable T elsewhere(Class<?> type, Walk<T> walk) throws Throwable {
    int here = moveAt;
    int atMost = moveAtMost;
    moveAt = depth + SpareThreads.LEVELS;
    moveAtMost = moveAt + SLACK;
    try {
      return SpareThreads.run(walk, carrier, "code of class '%s'".formatted(type.getName()));
    } finally {
      moveAt = here;
      moveAtMost = atMost;
    }
  }
}
