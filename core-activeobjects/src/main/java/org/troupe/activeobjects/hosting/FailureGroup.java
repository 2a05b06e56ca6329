package org.troupe.activeobjects.hosting;

import java.util.Locale;

/**
 * Failures of one kind and place that no caller has observed, or that a grid should hear of.
 * Immutable and serializable.
 *
 * @param kind what has failed
 * @param call the method that was called, or another operation that failed
 * @param exception the name of the exception's class; empty if there was none
 * @param frame the first line of the program in its trace; empty if there is none
 * @param count how often it has failed so
 * @param firstMillis when it first has, in milliseconds since 1970 by the clock of the node
 * @param lastMillis when it last has
 * @param example the message of the last one, cut to {@value #LONGEST_EXAMPLE} characters
 */
public record FailureGroup(
    Kind kind,
    String call,
    String exception,
    String frame,
    long count,
    long firstMillis,
    long lastMillis,
    String example) {

  /** The length of an example. */
  public static final int LONGEST_EXAMPLE = 300;

  /** What has failed. */
  public enum Kind {
    /** A one-way call threw an exception. */
    ONE_WAY,
    /** A call that failed had a result that was discarded unused. */
    UNCLAIMED,
    /** A request was not served, because its object has ended, or dropped it, or was lost. */
    UNSERVED,
    /** A stage, a handler, or other work that has no caller. */
    BACKGROUND,
    /** A class that arrived is not allowed here, or is unknown. */
    REFUSED_TYPE,
    /** A connection to another node broke. */
    RESET,
    /** A node was lost; the example is its exit report. */
    DEATH;

    /** Returns the name as users read it, such as {@code one-way}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Returns whether two groups have the same kind and place, so that they can be added. */
  public boolean isAlike(FailureGroup other) {
    return kind == other.kind
        && call.equals(other.call)
        && exception.equals(other.exception)
        && frame.equals(other.frame);
  }

  /** Returns the common group of two that are alike. */
  public FailureGroup plus(FailureGroup other) {
    var isLater = other.lastMillis > lastMillis;
    return new FailureGroup(
        kind,
        call,
        exception,
        frame,
        count + other.count,
        Math.min(firstMillis, other.firstMillis),
        Math.max(lastMillis, other.lastMillis),
        isLater ? other.example : example);
  }
}
