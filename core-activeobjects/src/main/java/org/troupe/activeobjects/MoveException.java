package org.troupe.activeobjects;

import org.jspecify.annotations.Nullable;

/** An active object was not moved; it goes on where it is. */
public final class MoveException extends CallException {

  private static final long serialVersionUID = 1;

  /** Creates the error with its complete message. */
  public MoveException(String message, @Nullable Throwable cause) {
    super(message);
    if (cause != null) {
      initCause(cause);
    }
  }
}
