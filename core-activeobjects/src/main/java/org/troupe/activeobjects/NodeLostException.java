package org.troupe.activeobjects;

/** The node that was to answer is gone; whether the call was served is unknown. */
public final class NodeLostException extends CallException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public NodeLostException(String message) {
    super(message);
  }
}
