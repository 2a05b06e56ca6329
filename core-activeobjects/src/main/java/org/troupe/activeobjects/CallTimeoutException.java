package org.troupe.activeobjects;

/**
 * The answer did not come within the time that the reference allows; the call may still be served.
 */
public final class CallTimeoutException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public CallTimeoutException(String message) {
    super(message);
  }
}
