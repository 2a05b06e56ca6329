package org.troupe.activeobjects;

/**
 * The reply did not arrive within the time limit of the reference; the call may still be served.
 */
public final class CallTimeoutException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public CallTimeoutException(String message) {
    super(message);
  }
}
