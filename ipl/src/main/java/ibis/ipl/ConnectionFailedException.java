package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** A connection to one receive port could not be established. */
public class ConnectionFailedException extends IbisIOException {

  private static final long serialVersionUID = 1L;

  private final @Nullable IbisIdentifier owner;
  private final @Nullable String portName;
  private final @Nullable ReceivePortIdentifier port;

  /** Creates an exception for a receive port that is known by its instance and its name. */
  public ConnectionFailedException(String message, IbisIdentifier target, String portName) {
    this(message, target, portName, null);
  }

  /** Creates an exception for a receive port that is known by its instance and its name. */
  public ConnectionFailedException(
      String message, IbisIdentifier target, String portName, @Nullable Throwable cause) {
    super(message, cause);
    owner = target;
    this.portName = portName;
    port = null;
  }

  /** Creates an exception for a receive port that is known by its identifier. */
  public ConnectionFailedException(String message, ReceivePortIdentifier target) {
    this(message, target, null);
  }

  /** Creates an exception for a receive port that is known by its identifier. */
  public ConnectionFailedException(
      String message, ReceivePortIdentifier target, @Nullable Throwable cause) {
    super(message, cause);
    owner = target == null ? null : target.ibisIdentifier();
    portName = target == null ? null : target.name();
    port = target;
  }

  /** Returns the instance that was to be connected to. */
  public @Nullable IbisIdentifier ibisIdentifier() {
    return owner;
  }

  /** Returns the name of the receive port that was to be connected to. */
  public @Nullable String receivePortName() {
    return portName;
  }

  /**
   * Returns the receive port that was to be connected to, or {@code null} if it was known only by
   * its owner and name.
   */
  public @Nullable ReceivePortIdentifier receivePortIdentifier() {
    return port;
  }

  /** Returns message and target. */
  @Override
  public String toString() {
    String target = portName == null ? "" : " (receive port '" + portName + "' of " + owner + ")";
    return super.toString() + target;
  }
}
