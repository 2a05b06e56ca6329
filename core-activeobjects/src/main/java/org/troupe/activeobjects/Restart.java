package org.troupe.activeobjects;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy for failures of an active object. Immutable; may travel to other nodes.
 *
 * {@snippet file="org/troupe/activeobjects/snippets/LastingSnippets.java" region="restart"}
 *
 * <p>An object fails if its {@link Service} loop throws, or if one of its requests throws an {@link
 * OutOfMemoryError}, a {@link StackOverflowError}, a {@link LinkageError}, or an exception
 * {@linkplain #on of a class named here}. Every other exception is just the answer of its request,
 * as is an error that the request has received from another object. The loss of its node is a
 * failure, too, for an object that is restarted {@linkplain #elsewhere elsewhere}.
 *
 * @param scope where the object is restarted
 * @param times the number of restarts within the time before the object is given up
 * @param within the time in which restarts are counted
 * @param failures the names of the classes of exceptions by which an object fails
 * @param failsFast whether calls fail while the object is restarted on another node
 * @param retries whether calls without an answer at the loss of its node are sent again
 */
public record Restart(
    Scope scope,
    int times,
    Duration within,
    List<String> failures,
    boolean failsFast,
    boolean retries) {

  /** Where an object is restarted. */
  public enum Scope {
    /** Nowhere: a failure ends the object. */
    NEVER,
    /** On its node, with which it is lost. */
    HERE,
    /** On its node, and on another one if its node is lost. */
    ELSEWHERE
  }

  private static final Restart NEVER = of(Scope.NEVER);
  private static final Restart HERE = of(Scope.HERE);
  private static final Restart ELSEWHERE = of(Scope.ELSEWHERE);

  private static Restart of(Scope scope) {
    return new Restart(scope, 5, Duration.ofMinutes(1), List.of(), false, false);
  }

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

  /**
   * Restarts an object on its node as {@link #here} does, and on another one if its node is lost or
   * leaves without it: on the node with the fewest objects among those of its virtual nodes. If
   * there is none, the restart waits for a node, for {@code troupe.restart.wait} (60 s) at most.
   * The creation of an object with a {@linkplain Options#withQueueBound bounded queue} is refused,
   * as the places of its callers could not follow it.
   *
   * <p>The instance is constructed from copies of the original arguments, which the coordinator
   * keeps, so they may take at most 64 KiB; the state that the object had in memory is lost. An
   * object that is {@linkplain Keep kept} is made from its last image, and its log if it has one;
   * only nodes that see its store are chosen. A call without an answer at the loss ends with a
   * {@link RestartedException}, since it may have been served, unless the object has a log or this
   * policy is one for {@linkplain #retrying retries}: then it is answered after the restart. Later
   * calls wait at their callers, in order and within their time limits, and go to the new instance.
   * References and links stay, and {@link Ref#end} completes only if the object is given up. A loss
   * counts as a failure, but not the loss of a node on which the object was being restarted; when
   * three nodes in succession are lost so, the object is given up.
   */
  public static Restart elsewhere() {
    return ELSEWHERE;
  }

  /**
   * Returns this policy for callers that have an alternative: calls fail with a {@link
   * RestartedException} while the object is restarted on another node, rather than wait. They are
   * not served.
   *
   * @throws IllegalStateException if the object is not restarted {@linkplain #elsewhere elsewhere}
   */
  public Restart failingFast() {
    if (scope != Scope.ELSEWHERE) {
      throw new IllegalStateException(
          "failingFast() is about restarts on other nodes; use Restart.elsewhere().failingFast()");
    }
    return new Restart(scope, times, within, failures, true, retries);
  }

  /**
   * Returns this policy for calls that may be served twice: those without an answer when the node
   * of the object is lost are sent again to the new instance, in order and before later ones,
   * rather than end with a {@link RestartedException}. Such a call may have been served before, and
   * the new instance may have the effect of that. Calls to an object whose calls are {@linkplain
   * Keep#calls logged} are sent again in any case, and served once.
   *
   * @throws IllegalStateException if the object is not restarted {@linkplain #elsewhere elsewhere}
   */
  public Restart retrying() {
    if (scope != Scope.ELSEWHERE) {
      throw new IllegalStateException(
          "retrying() is about restarts on other nodes; use Restart.elsewhere().retrying()");
    }
    return new Restart(scope, times, within, failures, failsFast, true);
  }

  /** Returns this policy with another limit on the frequency of restarts. */
  public Restart times(int most, Duration time) {
    return new Restart(scope, most, time, failures, failsFast, retries);
  }

  /** Returns this policy for an object that is to go on as long as a store has it. */
  Restart andElsewhere() {
    return scope == Scope.ELSEWHERE
        ? this
        : new Restart(Scope.ELSEWHERE, times, within, failures, failsFast, retries);
  }

  /** Returns whether a failure restarts the object on its node. */
  public boolean isInPlace() {
    return scope != Scope.NEVER;
  }

  /** Returns this policy for exceptions of further classes and their subclasses. */
  @SafeVarargs
  public final Restart on(Class<? extends Throwable>... further) {
    var all = new ArrayList<>(failures);
    for (var each : further) {
      all.add(each.getName());
    }
    return new Restart(scope, times, within, all, failsFast, retries);
  }
}
