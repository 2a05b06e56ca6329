package ibis.ipl;

/**
 * The layer found an error that a correct program does not make; the unchecked root of its errors.
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
