package ibis.ipl;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A communication failure that is specific to the Ibis layer. */
public class IbisIOException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Creates an exception without a message. */
  public IbisIOException() {}

  public IbisIOException(String message) {
    super(message);
  }

  public IbisIOException(Throwable cause) {
    super(cause);
  }

  public IbisIOException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
