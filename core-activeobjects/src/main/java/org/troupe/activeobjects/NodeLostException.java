package org.troupe.activeobjects;

import java.util.Optional;

/** The node that was to answer is gone; whether the call was served is unknown. */
public final class NodeLostException extends CallException {

  private static final long serialVersionUID = 1;

  private final ExitReport certificate; // null: the node may live, but not for us

  /** Makes the error with its whole message. */
  public NodeLostException(String message) {
    this(message, null);
  }

  /**
   * Makes the error with its whole message.
   *
   * @param certificate of the node; {@code null} if there is none
   */
  public NodeLostException(String message, ExitReport certificate) {
    super(message);
    this.certificate = certificate;
  }

  /**
   * Returns what is known of the node's end; nothing if it is this JVM that has lost its grid, or
   * if the node has left in good order.
   */
  public Optional<ExitReport> certificate() {
    return Optional.ofNullable(certificate);
  }
}
