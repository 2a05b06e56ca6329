package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** No connection came about within the time given to the connect. */
public class ConnectionTimedOutException extends ConnectionFailedException {

  private static final long serialVersionUID = 1L;

  /** Makes one for a receive port that is known by the name of its owner and its own. */
  public ConnectionTimedOutException(String message, IbisIdentifier target, String portName) {
    super(message, target, portName);
  }

  /** Makes one for a receive port that is known by the name of its owner and its own. */
  public ConnectionTimedOutException(
      String message, IbisIdentifier target, String portName, @Nullable Throwable cause) {
    super(message, target, portName, cause);
  }

  /** Makes one for a receive port that is known by its identifier. */
  public ConnectionTimedOutException(String message, ReceivePortIdentifier target) {
    super(message, target);
  }

  /** Makes one for a receive port that is known by its identifier. */
  public ConnectionTimedOutException(
      String message, ReceivePortIdentifier target, @Nullable Throwable cause) {
    super(message, target, cause);
  }
}
