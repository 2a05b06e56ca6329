package org.troupe.activeobjects.internal.keeping;

import java.util.concurrent.atomic.AtomicLong;

/** How much the log of an object has behind its last image. */
final class LogLength {

  private static final int MOST_REQUESTS = 10_000;
  private static final long MOST_BYTES = 1 << 20;

  private final AtomicLong bytes = new AtomicLong();

  // accessed by the thread that serves
  private long requests;
  private long mostBytes = MOST_BYTES;

  void addRequest(int length) {
    requests++;
    bytes.addAndGet(length);
  }

  /** Adds an answer or another value; may be called by any thread. */
  void addValue(int length) {
    bytes.addAndGet(length);
  }

  /** Begins anew behind an image, which was made or is asked for. */
  void reset() {
    requests = 0;
    bytes.set(0);
  }

  /** Begins anew behind an image of a size. */
  void reset(long imageBytes) {
    mostBytes = Math.max(MOST_BYTES, 2 * imageBytes);
    reset();
  }

  /** Begins anew with the requests that were read from the log. */
  void replayed(long served) {
    requests = served;
  }

  long bytes() {
    return bytes.get();
  }

  /** Returns whether an image should replace the log. */
  boolean isTooLong() {
    return requests >= MOST_REQUESTS || bytes.get() >= mostBytes;
  }
}
