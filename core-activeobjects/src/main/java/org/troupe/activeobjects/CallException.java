package org.troupe.activeobjects;

/** What distribution adds to the ways in which a call can fail. */
public abstract class CallException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public CallException(String message) {
    super(message);
  }

  public CallException(String message, Throwable cause) {
    super(message, cause);
  }
}
