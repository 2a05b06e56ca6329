package org.troupe.activeobjects;

/** A quorum can never be reached: too many nodes have failed to start, have left or have died. */
public final class NodesMissingException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its message, which names the missing nodes and the reasons. */
  public NodesMissingException(String message) {
    super(message);
  }
}
