package ibis.ipl;

/** A management property was named that does not exist or cannot be set. */
public class NoSuchPropertyException extends IbisException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public NoSuchPropertyException() {}

  public NoSuchPropertyException(String message) {
    super(message);
  }

  public NoSuchPropertyException(Throwable cause) {
    super(cause);
  }

  public NoSuchPropertyException(String message, Throwable cause) {
    super(message, cause);
  }
}
