package org.troupe.activeobjects;

/**
 * The called object was lost with its node and is made anew on another one; whether the call was
 * served before the loss is unknown. Later calls go to the new instance.
 */
public final class RestartedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public RestartedException(String message) {
    super(message);
  }
}
