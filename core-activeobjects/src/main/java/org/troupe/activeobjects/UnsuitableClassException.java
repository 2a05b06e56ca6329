package org.troupe.activeobjects;

/** The class cannot be that of an active object; the message lists every reason and its remedy. */
public final class UnsuitableClassException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public UnsuitableClassException(String message) {
    super(message);
  }
}
