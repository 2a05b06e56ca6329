package org.troupe.activeobjects.internal.replay;

/**
 * The name of a call, which is the same each time the call is sent, but for {@code isFirst}.
 *
 * @param number of the call among those of its origin to its target, from 1
 * @param after the number of the call before it; calls with numbers in between were taken, or are
 *     not made
 * @param settled the number up to which the origin needs no answer any more
 * @param taken the number up to which a logged origin knows that the called object has its calls in
 *     a stable log; 0 if it does not know. An object without one of these calls thus knows that its
 *     log was put back to an older state.
 * @param isFirst whether the call is sent for the first time, and no earlier embodiment of a logged
 *     origin can have sent it. A receiver that has taken a call with its number before thus knows
 *     that the log of the origin was put back to an older state.
 */
public record CallName(
    CallOrigin origin, long number, long after, long settled, long taken, boolean isFirst) {

  /** Returns the name of a call that may have been sent before. */
  public CallName(CallOrigin origin, long number, long after, long settled) {
    this(origin, number, after, settled, 0, false);
  }

  /** Returns the name with which the call is sent again. */
  public CallName again() {
    return new CallName(origin, number, after, settled, taken, false);
  }

  /** Returns the failure of a call to an object that lacks calls which it had taken. */
  public IllegalStateException forgotten(String what) {
    return new IllegalStateException(
        "%s was not served: the called object lacks calls up to number %d of %s, which it had taken. The journal of the called object was put back to an older state than that of the caller; put the journals of all objects in the store back to one state, or terminate the called object"
            .formatted(what, taken, origin));
  }

  /** Returns the failure of a call with a number that another call of its origin had before. */
  public IllegalStateException reused(String what) {
    return new IllegalStateException(
        "%s was not served: another call of %s had its number %d before. The journal of the caller was put back to an older state than that of the called object; put the journals of all objects in the store back to one state, or terminate the caller"
            .formatted(what, origin, number));
  }
}
