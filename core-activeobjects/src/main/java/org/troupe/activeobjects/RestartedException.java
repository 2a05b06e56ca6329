package org.troupe.activeobjects;

/**
 * A call to an object that was lost with its node and is made anew on another one has no answer.
 * Calls that are made when the object is back go to the new instance. The message says what became
 * of the call:
 *
 * <ul>
 *   <li>It was made before the loss; whether it was served is unknown.
 *   <li>It was made while the object was not back, and the policy of the object is {@link
 *       Restart#failingFast}: the call was not served.
 *   <li>It was set aside, since three nodes in succession have ended while the object, which
 *       {@linkplain Keep#calls logs its calls}, served it: its changes to the object are undone,
 *       the calls that it has made stay made, and it is not served again. A caller that repeats it
 *       may end the next node.
 * </ul>
 */
public final class RestartedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public RestartedException(String message) {
    super(message);
  }
}
