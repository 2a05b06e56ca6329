package ibis.ipl;

import org.jspecify.annotations.Nullable;

/** Something that is particular to the layer failed; the checked root of its errors. */
public class IbisException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Makes one without a message. */
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
