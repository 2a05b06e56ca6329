package ibis.ipl;

/** No message arrived within the time limit of a receive. */
public class ReceiveTimedOutException extends IbisIOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public ReceiveTimedOutException() {}

  public ReceiveTimedOutException(String message) {
    super(message);
  }

  public ReceiveTimedOutException(Throwable cause) {
    super(cause);
  }

  public ReceiveTimedOutException(String message, Throwable cause) {
    super(message, cause);
  }
}
