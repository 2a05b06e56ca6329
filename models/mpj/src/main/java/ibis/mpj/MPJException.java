package ibis.mpj;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;

/** An error of message passing, with a sentence that says what to do. */
public class MPJException extends Throwable {

  private static final long serialVersionUID = 1;

  private final ErrorClass kind;

  /** An error of no particular class. */
  public MPJException() {
    this("");
  }

  /** An error of no particular class. */
  public MPJException(String message) {
    this(ErrorClass.OTHER, message, null);
  }

  MPJException(ErrorClass kind, String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.kind = kind;
  }

  /** Returns the class of the error, one of the constants {@code ERR_} of {@link MPJ}. */
  public int getErrorClass() {
    return kind.code();
  }
}
