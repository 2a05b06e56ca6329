package org.troupe.activeobjects;

/**
 * Stands for an exception that cannot arrive as itself: its class is unknown or not allowed here,
 * or it holds what cannot travel. Has its message, its stack trace and, as causes, those of its
 * causes.
 */
public final class RemoteFailure extends CallException {

  private static final long serialVersionUID = 1;

  private final String type;

  /**
   * Describes the original.
   *
   * @param type the name of its class
   * @param message its message, or {@code null}
   * @param cause what stands for its cause, or {@code null}
   */
  public RemoteFailure(String type, String message, Throwable cause) {
    super(message == null ? type : type + ": " + message, cause);
    this.type = type;
  }

  /** Returns the name of the original's class. */
  public String type() {
    return type;
  }
}
