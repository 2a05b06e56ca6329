package org.troupe.activeobjects;

/** The active object that was called has been terminated or has failed; the call was not served. */
public final class ObjectTerminatedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public ObjectTerminatedException(String message) {
    super(message);
  }
}
