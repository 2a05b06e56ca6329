package org.troupe.serialization.internal;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Things that are used again by whoever comes next, so that their buffers need not grow anew.
 *
 * <p>May be shared between threads, of which each has its usual place; no thread waits.
 */
final class StripedPool<T> {

  /*
   * A thread-local would be no pool for virtual threads, which are new for each request; what they
   * run on cannot be asked for. Threads that meet in a place make new things.
   */

  private static final int SPREAD = 16; // places lie on cache lines of their own

  private final AtomicReferenceArray<T> places;
  private final int mask;

  StripedPool() {
    int count = Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1) << 1;
    this.mask = count - 1;
    this.places = new AtomicReferenceArray<>(count * SPREAD);
  }

  /** Takes one out, or returns {@code null}. */
  @Nullable T take() {
    int place = place();
    T there = places.getPlain(place);
    return there != null && places.compareAndSet(place, there, null) ? there : null;
  }

  /** Puts one in; one that is there already is dropped. */
  void give(T thing) {
    places.setRelease(place(), thing);
  }

  private int place() {
    return ((int) Thread.currentThread().threadId() & mask) * SPREAD;
  }
}
