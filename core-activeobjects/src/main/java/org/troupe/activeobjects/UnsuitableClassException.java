package org.troupe.activeobjects;

/** A class that active objects cannot have; the message lists every reason with its remedy. */
public final class UnsuitableClassException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public UnsuitableClassException(String message) {
    super(message);
  }
}
