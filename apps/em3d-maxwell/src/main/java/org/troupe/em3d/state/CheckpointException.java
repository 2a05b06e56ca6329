package org.troupe.em3d.state;

/** A saved state cannot be read, or is not one of this run. */
public final class CheckpointException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  public CheckpointException(String message) {
    super(message);
  }
}
