package ibis.ipl;

/** A connection to one receive port did not come about. */
public class ConnectionFailedException extends IbisIOException {

  private static final long serialVersionUID = 1L;

  private final IbisIdentifier owner;
  private final String portName;
  private final ReceivePortIdentifier port;

  /** Makes one for a receive port that is known by the name of its owner and its own. */
  public ConnectionFailedException(String message, IbisIdentifier target, String portName) {
    this(message, target, portName, null);
  }

  /** Makes one for a receive port that is known by the name of its owner and its own. */
  public ConnectionFailedException(
      String message, IbisIdentifier target, String portName, Throwable cause) {
    super(message, cause);
    owner = target;
    this.portName = portName;
    port = null;
  }

  /** Makes one for a receive port that is known by its identifier. */
  public ConnectionFailedException(String message, ReceivePortIdentifier target) {
    this(message, target, null);
  }

  /** Makes one for a receive port that is known by its identifier. */
  public ConnectionFailedException(String message, ReceivePortIdentifier target, Throwable cause) {
    super(message, cause);
    owner = target == null ? null : target.ibisIdentifier();
    portName = target == null ? null : target.name();
    port = target;
  }

  /** Returns the instance that was to be connected to. */
  public IbisIdentifier ibisIdentifier() {
    return owner;
  }

  /** Returns the name of the receive port that was to be connected to. */
  public String receivePortName() {
    return portName;
  }

  /**
   * Returns the receive port that was to be connected to, or {@code null} if it was known only by
   * its owner and name.
   */
  public ReceivePortIdentifier receivePortIdentifier() {
    return port;
  }

  /** Returns message and target. */
  @Override
  public String toString() {
    String target = portName == null ? "" : " (receive port '" + portName + "' of " + owner + ")";
    return super.toString() + target;
  }
}
