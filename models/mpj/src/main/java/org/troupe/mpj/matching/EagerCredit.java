package org.troupe.mpj.matching;

import java.util.concurrent.atomic.AtomicLongArray;

/** How many bytes of eager messages ranks hold for each other. Thread-safe. */
final class EagerCredit {

  private static final long MOST_BYTES = 16L << 20;
  private static final long RETURN_BYTES = 4L << 20;
  private static final long ENVELOPE_BYTES = 64; // that a message takes besides its elements

  private final AtomicLongArray used; // by receiver
  private final AtomicLongArray consumed; // and not given back, by sender

  EagerCredit(int ranks) {
    used = new AtomicLongArray(ranks);
    consumed = new AtomicLongArray(ranks);
  }

  /** Takes credit for a message; false if there is not enough. */
  boolean take(int to, long bytes) {
    var all = bytes + ENVELOPE_BYTES;
    if (used.addAndGet(to, all) <= MOST_BYTES) {
      return true;
    }
    used.addAndGet(to, -all);
    return false;
  }

  /** Gives the credit of a message back that was not sent. */
  void untake(int to, long bytes) {
    used.addAndGet(to, -bytes - ENVELOPE_BYTES);
  }

  /** Takes back what a receiver has returned. */
  void returned(int by, long bytes) {
    used.addAndGet(by, -bytes);
  }

  /** Counts a consumed message; returns the bytes to be returned to its sender now, or 0. */
  long consume(int from, long bytes) {
    return consumed.addAndGet(from, bytes + ENVELOPE_BYTES) >= RETURN_BYTES
        ? consumed.getAndSet(from, 0)
        : 0;
  }
}
