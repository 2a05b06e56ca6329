package org.troupe.activeobjects;

import org.jspecify.annotations.Nullable;

/**
 * Replaces an exception that cannot be decoded here, because its class is unknown or not allowed or
 * because it holds an object that cannot travel. Carries the message and the stack trace of the
 * original, and its causes likewise.
 */
public final class RemoteFailure extends CallException {

  private static final long serialVersionUID = 1;

  private final String type;

  /**
   * Describes the original.
   *
   * @param type the name of its class
   * @param message its message, or {@code null}
   * @param cause the replacement of its cause, or {@code null}
   */
  public RemoteFailure(String type, @Nullable String message, @Nullable Throwable cause) {
    super(message == null ? type : type + ": " + message, cause);
    this.type = type;
  }

  /** Returns the name of the original's class. */
  public String type() {
    return type;
  }
}
