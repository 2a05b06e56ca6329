package ibis.util;

import java.io.Serializable;
import java.util.Locale;

/**
 * A stopwatch that adds up intervals. Values are in microseconds; to be used by one thread at a
 * time, except that others may be added to it.
 */
public class Timer implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final double NANOS_PER_MICRO = 1_000;

  private long totalNanos;
  private long lastNanos;
  private long longestNanos;
  private long shortestNanos = Long.MAX_VALUE;
  private int intervals;
  private long startNanos;
  private boolean running;

  /** Creates a timer that stands at 0. */
  public Timer() {}

  /** Creates a timer that stands at 0. */
  public static Timer createTimer() {
    return new Timer();
  }

  /** Creates a timer at 0; the name has no effect, as there is one implementation. */
  public static Timer createTimer(String implementation) {
    return new Timer();
  }

  public String timerName() {
    return "System.nanoTime";
  }

  /** Returns the resolution in microseconds. */
  public double accuracy() {
    return 1 / NANOS_PER_MICRO;
  }

  /** Returns the clock, in nanoseconds since some moment. */
  public long currentTimeNanos() {
    return System.nanoTime();
  }

  /**
   * Begins an interval.
   *
   * @throws IllegalStateException if one has begun
   */
  public synchronized void start() {
    if (running) {
      throw new IllegalStateException("the timer runs already; stop it first");
    }
    running = true;
    startNanos = System.nanoTime();
  }

  /**
   * Ends the interval.
   *
   * @throws IllegalStateException if none has begun
   */
  public synchronized void stop() {
    long now = System.nanoTime();
    if (!running) {
      throw new IllegalStateException("the timer does not run; start it first");
    }
    running = false;
    lastNanos = now - startNanos;
    totalNanos += lastNanos;
    longestNanos = Math.max(longestNanos, lastNanos);
    shortestNanos = Math.min(shortestNanos, lastNanos);
    intervals++;
  }

  /** Forgets all intervals. */
  public synchronized void reset() {
    totalNanos = 0;
    lastNanos = 0;
    longestNanos = 0;
    shortestNanos = Long.MAX_VALUE;
    intervals = 0;
  }

  /** Adds the intervals of another timer. */
  public void add(Timer other) {
    Timer copy = other.snapshot();
    synchronized (this) {
      totalNanos += copy.totalNanos;
      longestNanos = Math.max(longestNanos, copy.longestNanos);
      shortestNanos = Math.min(shortestNanos, copy.shortestNanos);
      intervals += copy.intervals;
    }
  }

  private synchronized Timer snapshot() {
    var copy = new Timer();
    copy.totalNanos = totalNanos;
    copy.longestNanos = longestNanos;
    copy.shortestNanos = shortestNanos;
    copy.intervals = intervals;
    return copy;
  }

  /** Returns how many intervals have ended. */
  public synchronized int nrTimes() {
    return intervals;
  }

  /** Returns the sum of all intervals in microseconds. */
  public synchronized double totalTimeVal() {
    return totalNanos / NANOS_PER_MICRO;
  }

  /** Returns the sum of all intervals with its unit. */
  public String totalTime() {
    return format(totalTimeVal());
  }

  /** Returns the mean interval in microseconds; 0 if there is none. */
  public synchronized double averageTimeVal() {
    return intervals == 0 ? 0 : totalNanos / NANOS_PER_MICRO / intervals;
  }

  /** Returns the mean interval with its unit. */
  public String averageTime() {
    return format(averageTimeVal());
  }

  /** Returns the last interval in microseconds. */
  public synchronized double lastTimeVal() {
    return lastNanos / NANOS_PER_MICRO;
  }

  /** Returns the last interval with its unit. */
  public String lastTime() {
    return format(lastTimeVal());
  }

  /** Returns the longest interval in microseconds. */
  public synchronized double maxTimeVal() {
    return longestNanos / NANOS_PER_MICRO;
  }

  /** Returns the longest interval with its unit. */
  public String maxTime() {
    return format(maxTimeVal());
  }

  /** Returns the shortest interval in microseconds; 0 if there is none. */
  public synchronized double minTimeVal() {
    return intervals == 0 ? 0 : shortestNanos / NANOS_PER_MICRO;
  }

  /** Returns the shortest interval with its unit. */
  public String minTime() {
    return format(minTimeVal());
  }

  /** Returns microseconds in the unit that suits them, with three decimals. */
  public static String format(double micros) {
    if (Math.abs(micros) < 1_000) {
      return String.format(Locale.ROOT, "%.3f us", micros);
    }
    if (Math.abs(micros) < 1_000_000) {
      return String.format(Locale.ROOT, "%.3f ms", micros / 1_000);
    }
    return String.format(Locale.ROOT, "%.3f s", micros / 1_000_000);
  }
}
