package org.troupe.em3d;

/** A saved state cannot be read, or is not one of this run. */
final class CheckpointException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Makes the error with its whole message. */
  CheckpointException(String message) {
    super(message);
  }
}
