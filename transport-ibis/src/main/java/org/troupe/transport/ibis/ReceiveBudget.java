package org.troupe.transport.ibis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory that the links of one endpoint allocate for bytes that peers have announced but
 * not sent yet. May be shared between threads.
 */
final class ReceiveBudget {

  /*
   * A frame announces its length, and anybody who knows the secret may announce two gibibytes and send none of them. To
   * allocate at once is the quickest way to receive a large array, so that is done within a share of the heap, for all
   * links together. Beyond it, memory grows with the bytes that have come (see FrameInput): a quarter of what is allocated
   * has arrived.
   *
   * A JVM that runs with -XX:+ExitOnOutOfMemoryError does not survive an allocation that fails, so whether there is memory
   * is found out before: by the free part of the heap, and if that is not enough, by what a collection leaves of it.
   */

  /** Up to so much is allocated at once, for any link: as much as its buffers take. */
  static final int SMALL_BYTES = 64 * 1024;

  private static final int SHARE = 8;
  private static final int FREE_SHARE = 2;
  private static final int LARGE_BYTES = 1 << 20;
  private static final long BETWEEN_COLLECTIONS_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final long announcedBytes;
  private final long heapBytes;
  private final AtomicLong reserved = new AtomicLong();
  private long collectedNanos = System.nanoTime() - BETWEEN_COLLECTIONS_NANOS; // under this
  private long leftByCollection; // under this

  /**
   * Makes one of which nothing is reserved.
   *
   * @param announcedBytes how much may be allocated before it has come
   * @param heapBytes how much memory there is in all
   */
  ReceiveBudget(long announcedBytes, long heapBytes) {
    this.announcedBytes = announcedBytes;
    this.heapBytes = heapBytes;
  }

  static ReceiveBudget ofHeap() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return new ReceiveBudget(heapBytes / SHARE, heapBytes);
  }

  /** Reserves memory for bytes that have been announced; says whether that is possible. */
  boolean tryReserve(long bytes) {
    if (bytes >= LARGE_BYTES && bytes > free() / FREE_SHARE) {
      return false;
    }
    if (reserved.addAndGet(bytes) <= announcedBytes) {
      return true;
    }
    reserved.addAndGet(-bytes);
    return false;
  }

  /** Gives back what was reserved: the bytes have come, or never will. */
  void release(long bytes) {
    reserved.addAndGet(-bytes);
  }

  /** Says how much is reserved. */
  long reserved() {
    return reserved.get();
  }

  private long free() {
    var runtime = Runtime.getRuntime();
    return heapBytes - (runtime.totalMemory() - runtime.freeMemory());
  }

  /** Says whether so much could be allocated if nothing else were there. */
  boolean isPossible(long bytes) {
    return bytes < heapBytes;
  }

  /**
   * Says whether so much can be allocated, as far as that can be known beforehand. May collect the
   * garbage, as the allocation would, but not again and again.
   */
  boolean isThere(long bytes) {
    if (bytes < LARGE_BYTES || bytes < free()) {
      return true;
    }
    if (!isPossible(bytes)) {
      return false;
    }
    synchronized (this) {
      if (System.nanoTime() - collectedNanos >= BETWEEN_COLLECTIONS_NANOS) {
        System.gc();
        collectedNanos = System.nanoTime();
        leftByCollection = free();
      }
      return bytes < leftByCollection;
    }
  }
}
