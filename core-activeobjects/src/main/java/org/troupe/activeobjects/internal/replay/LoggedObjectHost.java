package org.troupe.activeobjects.internal.replay;

import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/**
 * The surroundings of a logged object: the other objects, and the object itself. No method blocks,
 * and none calls back.
 *
 * @param <C> encoded calls
 * @param <V> encoded outcomes
 */
public interface LoggedObjectHost<C, V> {

  /** Sends a call. */
  void sendCall(CallOrigin origin, ObjectIdentity target, NumberedCall<C> call, boolean isAwaited);

  /**
   * Sends a call of a request again that is not served again, unless this process has sent it.
   *
   * @param before how many calls the object had made before that request, and numbers it had
   *     skipped
   */
  void sendAgain(CallOrigin origin, ObjectIdentity target, NumberedCall<C> call, long before);

  /** Sends an answer to the caller. */
  void sendAnswer(CallOrigin origin, long number, V outcome);

  /** Tells a caller that the object will not need its calls up to a number again. */
  void sendTaken(CallOrigin origin, long upTo);

  /** Tells a called object that its answer is not needed again. */
  void sendAcknowledgement(ObjectIdentity target, long number);

  /** Tells a called object what it may have missed, or forgotten. */
  void sendResumption(ObjectIdentity target, Resumption<C> resumption);

  /** Passes the end of a call to the object. */
  void deliver(ObjectIdentity target, long number, V outcome);

  /**
   * Returns the line of the object's code that makes the present call, as {@code at
   * Account.java:17} behind a space; empty if it is not known.
   */
  default String callSite() {
    return "";
  }
}
