package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** The root of the layer's checked exceptions. */
public class IbisException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public IbisException() {}

  public IbisException(String message) {
    super(message);
  }

  public IbisException(@Nullable Throwable cause) {
    super(cause);
  }

  public IbisException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
