package org.troupe.activeobjects;

/** The active object dropped the request from its queue; the call was not served. */
public final class RequestDroppedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public RequestDroppedException(String message) {
    super(message);
  }
}
