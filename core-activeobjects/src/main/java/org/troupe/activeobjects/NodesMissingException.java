package org.troupe.activeobjects;

/** So many nodes can never be there: too many have failed to start, have left or have died. */
public final class NodesMissingException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message: who is missing, and why. */
  public NodesMissingException(String message) {
    super(message);
  }
}
