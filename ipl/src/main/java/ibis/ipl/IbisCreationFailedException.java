package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** The instance could not be created: no implementation fits, or the pool cannot be reached. */
public class IbisCreationFailedException extends IbisException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public IbisCreationFailedException() {}

  public IbisCreationFailedException(String message) {
    super(message);
  }

  public IbisCreationFailedException(@Nullable Throwable cause) {
    super(cause);
  }

  public IbisCreationFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
