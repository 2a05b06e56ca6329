package ibis.ipl;

/** The receive port does not want the connection. */
public class ConnectionRefusedException extends ConnectionFailedException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception for a receive port that is known by its instance and its name. */
  public ConnectionRefusedException(String message, IbisIdentifier target, String portName) {
    super(message, target, portName);
  }

  /** Creates an exception for a receive port that is known by its instance and its name. */
  public ConnectionRefusedException(
      String message, IbisIdentifier target, String portName, Throwable cause) {
    super(message, target, portName, cause);
  }

  /** Creates an exception for a receive port that is known by its identifier. */
  public ConnectionRefusedException(String message, ReceivePortIdentifier target) {
    super(message, target);
  }

  /** Creates an exception for a receive port that is known by its identifier. */
  public ConnectionRefusedException(String message, ReceivePortIdentifier target, Throwable cause) {
    super(message, target, cause);
  }
}
