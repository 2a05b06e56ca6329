package org.troupe.activeobjects;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What becomes of an active object that fails. Immutable; may travel to other nodes.
 *
 * <p>An object fails if its {@link Service} loop throws, or if one of its requests throws an {@link
 * OutOfMemoryError}, a {@link StackOverflowError}, a {@link LinkageError}, or an exception
 * {@linkplain #on of a class named here}. Every other exception is just the answer of its request,
 * as is an error that the request has received from another object.
 *
 * @param isInPlace whether the object is restarted on its node
 * @param times the number of restarts within the time before the object is given up
 * @param within the time in which restarts are counted
 * @param failures the names of the classes of exceptions by which an object fails
 */
public record Restart(boolean isInPlace, int times, Duration within, List<String> failures) {

  private static final Restart NEVER = new Restart(false, 5, Duration.ofMinutes(1), List.of());
  private static final Restart HERE = new Restart(true, 5, Duration.ofMinutes(1), List.of());

  /** Checks the values, and copies the list. */
  public Restart {
    if (times < 1) {
      throw new IllegalArgumentException(
          "times(" + times + ", ..) allows no restart; give at least 1, or use Restart.never()");
    }
    if (!within.isPositive()) {
      throw new IllegalArgumentException(
          "restarts cannot be counted within " + within + "; give a positive time");
    }
    failures = List.copyOf(failures);
  }

  /** Ends an object that fails: the default. */
  public static Restart never() {
    return NEVER;
  }

  /**
   * Restarts an object on its node. A new instance is constructed from copies of the original
   * arguments, or of the object given to {@code turnActive}. References, queued requests and links
   * stay. The request that failed is answered with its exception and not served again; callers of
   * the others wait meanwhile.
   *
   * <p>Pauses before restarts grow from 100 ms to 10 s, and begin anew after a minute without
   * failure. After 5 restarts within a minute, the next failure ends the object.
   */
  public static Restart here() {
    return HERE;
  }

  /** Returns this policy with another limit on the frequency of restarts. */
  public Restart times(int most, Duration time) {
    return new Restart(isInPlace, most, time, failures);
  }

  /** Returns this policy for exceptions of further classes and their subclasses. */
  @SafeVarargs
  public final Restart on(Class<? extends Throwable>... further) {
    var all = new ArrayList<>(failures);
    for (var each : further) {
      all.add(each.getName());
    }
    return new Restart(isInPlace, times, within, all);
  }
}
