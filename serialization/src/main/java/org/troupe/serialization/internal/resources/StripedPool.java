package org.troupe.serialization.internal.resources;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A pool of encoders or decoders, which are reused so that their buffers need not grow again.
 *
 * <p>May be shared between threads. Each thread uses one stripe; no thread waits.
 */
public final class StripedPool<T> {

  /*
   * Striping. A thread-local does not pool for virtual threads, of which each request may have a
   * new one, and the carrier thread is not accessible. So an array of single-element stripes is
   * indexed by thread id. A thread that finds its stripe empty creates a new object; an object
   * returned to a full stripe replaces the one there. take() is a CAS from an element to null, so
   * an object has one owner at a time.
   */

  private static final int SPREAD = 16; // each stripe has a cache line of its own

  private final AtomicReferenceArray<T> places;
  private final int mask;

  public StripedPool() {
    int count = Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1) << 1;
    this.mask = count - 1;
    this.places = new AtomicReferenceArray<>(count * SPREAD);
  }

  /** Takes an object, or returns {@code null}. */
  @Nullable
  public T take() {
    int place = place();
    T there = places.getPlain(place);
    return there != null && places.compareAndSet(place, there, null) ? there : null;
  }

  /** Returns an object to the pool; an object already in the stripe is dropped. */
  public void put(T thing) {
    places.setRelease(place(), thing);
  }

  private int place() {
    return ((int) Thread.currentThread().threadId() & mask) * SPREAD;
  }
}
