package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** No connection was established within the time limit of the connect. */
public class ConnectionTimedOutException extends ConnectionFailedException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception for a receive port that is known by its instance and its name. */
  public ConnectionTimedOutException(String message, IbisIdentifier target, String portName) {
    super(message, target, portName);
  }

  /** Creates an exception for a receive port that is known by its instance and its name. */
  public ConnectionTimedOutException(
      String message, IbisIdentifier target, String portName, @Nullable Throwable cause) {
    super(message, target, portName, cause);
  }

  /** Creates an exception for a receive port that is known by its identifier. */
  public ConnectionTimedOutException(String message, ReceivePortIdentifier target) {
    super(message, target);
  }

  /** Creates an exception for a receive port that is known by its identifier. */
  public ConnectionTimedOutException(
      String message, ReceivePortIdentifier target, @Nullable Throwable cause) {
    super(message, target, cause);
  }
}
