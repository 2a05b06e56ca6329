package org.troupe.activeobjects.internal.replay;

/**
 * The name of a call, which is the same each time the call is sent, but for {@code isFirst}.
 *
 * @param number of the call among those of its origin to its target, from 1
 * @param after the number of the call before it; no other call has a number in between
 * @param settled the number up to which the origin needs no answer any more
 * @param isFirst whether the call is sent for the first time, and no earlier embodiment of a logged
 *     origin can have sent it. A receiver that has taken a call with its number before thus knows
 *     that the log of the origin was put back to an older state.
 */
public record CallName(CallOrigin origin, long number, long after, long settled, boolean isFirst) {

  /** Returns the name of a call that may have been sent before. */
  public CallName(CallOrigin origin, long number, long after, long settled) {
    this(origin, number, after, settled, false);
  }

  /** Returns the name with which the call is sent again. */
  public CallName again() {
    return new CallName(origin, number, after, settled);
  }

  /** Returns the failure of a call with a number that another call of its origin had before. */
  public IllegalStateException reused(String what) {
    return new IllegalStateException(
        "%s was not served: another call of %s had its number %d before. The journal of the caller was put back to an older state than that of the called object; put the journals of all objects in the store back to one state, or terminate the caller"
            .formatted(what, origin, number));
  }
}
