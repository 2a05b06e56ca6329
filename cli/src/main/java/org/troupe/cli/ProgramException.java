package org.troupe.cli;

/** A program's {@code main} has thrown the cause. */
final class ProgramException extends Exception {

  private static final long serialVersionUID = 1;

  ProgramException(Throwable cause) {
    super(cause);
  }
}
