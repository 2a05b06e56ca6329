package org.troupe.testing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a state that no event announces, such as one of another process. */
public final class Polling {

  /** Far longer than anything takes on a machine that works. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /*
   * Between two evaluations the thread gives up its processor. If it spun, it would slow down the process or the thread
   * that it waits for, and the tests that run at the same time.
   */
  private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * A state that is asked for.
   *
   * @param <X> the checked exceptions of the question; none if they are not given
   */
  @FunctionalInterface
  public interface Condition<X extends Exception> {
    boolean holds() throws X;
  }

  private Polling() {}

  /**
   * Waits until a condition holds.
   *
   * @param what describes the condition in the failure, such as "the client is disconnected"
   * @throws AssertionError if the condition does not hold within 60 s
   * @throws X that the condition throws
   */
  public static <X extends Exception> void until(String what, Condition<X> condition) throws X {
    until(() -> what, condition);
  }

  /**
   * Waits until a condition holds.
   *
   * @param what describes the condition in the failure, with what has been seen instead
   * @throws AssertionError if the condition does not hold within 60 s
   * @throws X that the condition throws
   */
  public static <X extends Exception> void until(Supplier<String> what, Condition<X> condition)
      throws X {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what.get());
      }
      LockSupport.parkNanos(INTERVAL_NANOS);
    }
  }
}
