package org.troupe.serialization.internal.resources;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.resources.SpareThreads.Walk;

/**
 * The depth of one walk of a graph, and its continuation when the thread's stack could overflow.
 */
public final class DeepStack {

  /*
   * Walking deep graphs. A graph is walked by recursion, so its depth is bounded by the thread's
   * stack, which may be small. Beyond START levels a loop continues the walk, with cursors on the
   * heap instead of stack frames (ReferenceCursor). Objects with java.io hooks need recursion: for
   * them the walk moves to a spare thread with a large stack, and to another one every LEVELS
   * levels, while the previous thread waits. So only one thread at a time is active in a walk.
   *
   * Hysteresis. A long array of such objects just above that depth would switch threads for each of
   * its elements. So each switch raises the threshold by STEP levels, up to SLACK levels in total;
   * an element with more levels than that is worth a switch.
   *
   * Measured: a million nested ArrayLists (2 MB) decode in 0.38 s on the calling thread and encode
   * in 1.3 s; by threads alone they took 30.9 s on 202 threads, and 24.0 s (KeyCostTest, 2b6581a
   * against d2f8967, 2026-11-23).
   */

  private static final int START = 150;
  private static final int STEP = 50;
  private static final int SLACK = 500;

  private final int limit;

  /** Wraps the task of a helper thread in the context of the thread that waits for it. */
  private final UnaryOperator<Runnable> carrier;

  private int depth;
  private int tails;
  private int departures;
  private int moveAt = START;
  private int moveAtMost = START + SLACK;

  public DeepStack(int limit, UnaryOperator<Runnable> carrier) {
    this.limit = limit;
    this.carrier = carrier;
  }

  /** Enters an object; returns whether its content is too deep for this stack. */
  public boolean enter() {
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

  public void leave() {
    depth--;
  }

  /** Enters an object that needs no further stack. */
  public void enterTail() {
    if (depth + ++tails > limit) {
      throw tooDeep();
    }
  }

  public void leaveTails(int steps) {
    tails -= steps;
  }

  /** Resets the depth, also after a failed walk. */
  public void reset() {
    depth = 0;
    tails = 0;
    departures = 0;
    moveAt = START;
    moveAtMost = START + SLACK;
  }

  /** Walks the content of a deep object on another thread and waits for it. */
  public <T> @Nullable T move(Class<?> type, Walk<T> walk) throws Throwable {
    int here = moveAt;
    int atMost = moveAtMost;
    try {
      return elsewhere(type, walk);
    } finally {
      moveAt = Math.min(here + STEP, atMost);
      moveAtMost = atMost;
    }
  }

  /**
   * Runs user code on a platform thread, which blocks no carrier of virtual threads, and waits for
   * it.
   */
  public <T> @Nullable T onPlatformThread(Class<?> type, Walk<T> walk) throws Throwable {
    departures++;
    return elsewhere(type, walk);
  }

  /** Returns the number of times that user code ran on another thread. */
  public int departures() {
    return departures;
  }

  private <T> @Nullable T elsewhere(Class<?> type, Walk<T> walk) throws Throwable {
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
