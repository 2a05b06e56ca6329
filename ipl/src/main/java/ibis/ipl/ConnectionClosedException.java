package ibis.ipl;

/** A port or connection that was to be used is closed. */
public class ConnectionClosedException extends IbisIOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public ConnectionClosedException() {}

  public ConnectionClosedException(String message) {
    super(message);
  }

  public ConnectionClosedException(Throwable cause) {
    super(cause);
  }

  public ConnectionClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
