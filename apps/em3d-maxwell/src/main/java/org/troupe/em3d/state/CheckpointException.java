package org.troupe.em3d.state;

/** A saved state cannot be read, or belongs to another run. */
public final class CheckpointException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates the exception with its whole message. */
  public CheckpointException(String message) {
    super(message);
  }
}
