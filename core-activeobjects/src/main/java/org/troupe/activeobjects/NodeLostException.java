package org.troupe.activeobjects;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The node of the called object has left or died; whether the call was served is unknown. */
public final class NodeLostException extends CallException {

  private static final long serialVersionUID = 1;

  private final @Nullable ExitReport exitReport; // null: the node may be alive but unreachable

  /** Creates the error with its complete message. */
  public NodeLostException(String message) {
    this(message, null);
  }

  /**
   * Creates the error with its complete message.
   *
   * @param exitReport the report of the node's end; {@code null} if there is none
   */
  public NodeLostException(String message, @Nullable ExitReport exitReport) {
    super(message);
    this.exitReport = exitReport;
  }

  /**
   * Returns the report of the node's end; empty if this JVM has lost its grid, or if the node has
   * left in an orderly way.
   */
  public Optional<ExitReport> exitReport() {
    return Optional.ofNullable(exitReport);
  }
}
