package org.troupe.cli.program;

import java.util.Objects;

/** Thrown if a program's {@code main} has thrown the cause. */
public final class ProgramException extends Exception {

  private static final long serialVersionUID = 1;

  ProgramException(Throwable thrown) {
    super(Objects.requireNonNull(thrown, "thrown"));
  }

  /** Returns the exception of the program. */
  public Throwable thrown() {
    return Objects.requireNonNull(getCause(), "set by the constructor");
  }
}
