package org.troupe.transport.ibis;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory that the links of one endpoint allocate for bytes that peers have announced but
 * not sent yet. May be shared between threads.
 */
final class ReceiveBudget {

  /*
   * A frame announces its length, and any peer that knows the secret can announce two gibibytes and send
   * none of them. Allocating the whole frame at once is the fastest way to receive a large array, so the
   * links together may do that within a share of the heap. Beyond that share, memory grows with the
   * bytes that have arrived (see FrameInput): at least a quarter of the allocated memory is filled.
   *
   * A JVM that runs with -XX:+ExitOnOutOfMemoryError does not survive a failed allocation. The free part
   * of the heap is therefore checked before; if it is too small, a collection follows and the heap that
   * it frees decides. A peer that sends one large frame after another can make the JVM collect for a
   * twentieth of the time at most; in between, the result of the last collection decides.
   */

  /** A frame up to this size, that of a link's buffers, is allocated without a reservation. */
  static final int SMALL_BYTES = 64 * 1024;

  private static final int SHARE = 8;
  private static final int FREE_SHARE = 2;
  private static final int LARGE_BYTES = 1 << 20;

  /** The shortest time between two collections as a multiple of the time that the last one took. */
  private static final int BETWEEN_COLLECTIONS = 20;

  private final long announcedBytes;
  private final long heapBytes;
  private final AtomicLong reserved = new AtomicLong();
  private long mayCollectNanos = System.nanoTime(); // under this
  private long leftByCollection; // under this

  /**
   * Creates a budget without reservations.
   *
   * @param announcedBytes the bytes that may be allocated before they have arrived
   * @param heapBytes the maximum size of the heap
   */
  ReceiveBudget(long announcedBytes, long heapBytes) {
    this.announcedBytes = announcedBytes;
    this.heapBytes = heapBytes;
  }

  static ReceiveBudget ofHeap() {
    long heapBytes = Runtime.getRuntime().maxMemory();
    return new ReceiveBudget(heapBytes / SHARE, heapBytes);
  }

  /** Reserves memory for announced bytes; returns whether the budget allows it. */
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

  /** Releases a reservation after the bytes have arrived or the link has ended. */
  void release(long bytes) {
    reserved.addAndGet(-bytes);
  }

  /** Returns the bytes reserved at present. */
  long reserved() {
    return reserved.get();
  }

  private long free() {
    var runtime = Runtime.getRuntime();
    return heapBytes - (runtime.totalMemory() - runtime.freeMemory());
  }

  /** Returns whether an empty heap could hold this many bytes. */
  boolean isPossible(long bytes) {
    return bytes < heapBytes;
  }

  /**
   * Returns whether this many bytes can probably be allocated. May start a garbage collection, as
   * the allocation would, unless one has just ended.
   */
  boolean isThere(long bytes) {
    if (bytes < LARGE_BYTES || bytes < free()) {
      return true;
    }
    if (!isPossible(bytes)) {
      return false;
    }
    synchronized (this) {
      long began = System.nanoTime();
      if (began - mayCollectNanos >= 0) {
        System.gc();
        long ended = System.nanoTime();
        mayCollectNanos = ended + BETWEEN_COLLECTIONS * (ended - began);
        leftByCollection = free();
      }
      return bytes < leftByCollection;
    }
  }
}
