package ibis.ipl;

/**
 * An error of the program that the Ibis layer has detected; the root of its unchecked exceptions.
 */
public class IbisRuntimeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public IbisRuntimeException() {}

  public IbisRuntimeException(String message) {
    super(message);
  }

  public IbisRuntimeException(Throwable cause) {
    super(cause);
  }

  public IbisRuntimeException(String message, Throwable cause) {
    super(message, cause);
  }
}
