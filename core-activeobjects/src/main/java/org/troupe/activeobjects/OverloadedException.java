package org.troupe.activeobjects;

/**
 * The call was not sent: the queue of its object is full, and the object refuses calls meanwhile.
 *
 * @see Options#refusing
 */
public final class OverloadedException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public OverloadedException(String message) {
    super(message);
  }
}
