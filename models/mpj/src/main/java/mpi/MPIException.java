package mpi;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;

/** An error of message passing, with a sentence that says what to do. */
public class MPIException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final ErrorClass kind;

  /** An error of no particular class. */
  public MPIException() {
    this("");
  }

  /** An error of no particular class. */
  public MPIException(String message) {
    this(ErrorClass.OTHER, message, null);
  }

  MPIException(ErrorClass kind, String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
    this.kind = kind;
  }

  /** Returns the class of the error, one of the constants {@code ERR_} of {@link MPI}. */
  public int getErrorClass() {
    return kind.code();
  }
}
