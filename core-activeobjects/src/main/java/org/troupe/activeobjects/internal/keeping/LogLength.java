package org.troupe.activeobjects.internal.keeping;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** How much the log of an object has behind its last image. */
final class LogLength {

  /*
   * Design: images by length and time
   *
   * An image takes more than a millisecond, so an object whose requests take a microsecond would spend a
   * sixth of its time on images if it made one behind each 10,000 of them. A long log is therefore replaced only when an image
   * is old enough: a log that was written in that time is served again in about as much. Until then the length is looked at
   * each STEP only, since the clock costs as much as a tenth of such a request. A log that becomes much longer meanwhile,
   * by large arguments, is replaced at once, since it may be in memory.
   */
  private static final int MOST_REQUESTS = 10_000;
  private static final long MOST_BYTES = 1 << 20;
  private static final long MOST_BYTES_AT_ONCE = 16 << 20; // beyond those after which it is long
  private static final int STEP = 16; // looks per length
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier clock;
  private final AtomicLong bytes = new AtomicLong();

  // accessed by the thread that serves
  private long requests;
  private long longBytes = MOST_BYTES; // a log of as many is long
  private long nextRequests = MOST_REQUESTS; // when the length is looked at next
  private long nextBytes = MOST_BYTES;
  private long last; // when an image was made or asked for

  /** Creates the length of an empty log; the clock counts nanoseconds. */
  LogLength(LongSupplier clock) {
    this.clock = clock;
    last = clock.getAsLong();
  }

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
    nextRequests = MOST_REQUESTS;
    nextBytes = longBytes;
    last = clock.getAsLong();
  }

  /** Begins anew behind an image of a size. */
  void reset(long imageBytes) {
    longBytes = Math.max(MOST_BYTES, 2 * imageBytes);
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
    var length = bytes.get();
    if (requests < nextRequests && length < nextBytes) {
      return false;
    }
    if (clock.getAsLong() - last >= LEAST_NANOS || length - longBytes >= MOST_BYTES_AT_ONCE) {
      return true;
    }
    nextRequests = requests + MOST_REQUESTS / STEP;
    nextBytes = Math.max(length, longBytes) + MOST_BYTES / STEP;
    return false;
  }
}
