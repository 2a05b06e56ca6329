package org.troupe.mpj.error;

import org.jspecify.annotations.Nullable;

/** Throws the errors of message passing as the exceptions of the program's dialect. */
public final class MessagingError {

  /*
   * Both dialects stand on the same classes, but one has a checked exception and the other an unchecked one, each
   * of its own type. A translation at each of their 150 methods would be written 150 times. Instead a dialect
   * names its exception when it is initialized, and the error is thrown as that from here. The methods of the
   * dialects declare it.
   */
  private static volatile ExceptionFactory dialect =
      (kind, sentence, cause) -> new IllegalStateException(kind + ": " + sentence, cause);

  private MessagingError() {}

  /** Makes the errors of this JVM those of a dialect. */
  public static void speak(ExceptionFactory spoken) {
    dialect = spoken;
  }

  /** Throws an error; declared to return one, so that callers can throw it for the compiler. */
  public static RuntimeException of(ErrorClass kind, String sentence) {
    return of(kind, sentence, null);
  }

  /** Throws an error with a cause. Its trace begins with the line of the program. */
  public static RuntimeException of(ErrorClass kind, String sentence, @Nullable Throwable cause) {
    var made = dialect.exception(kind, sentence, cause);
    made.setStackTrace(CallSites.fromCall(made.getStackTrace()));
    throw MessagingError.<RuntimeException>unchecked(made);
  }

  /** Throws a recorded failure. */
  public static RuntimeException of(Failure failure) {
    return of(failure.kind(), failure.sentence(), failure.cause());
  }

  /** Throws an exception of the dialect again. */
  public static RuntimeException again(Throwable thrown) {
    throw MessagingError.<RuntimeException>unchecked(thrown);
  }

  /** An error that is thrown later, by the call that completes the operation. */
  public record Failure(ErrorClass kind, String sentence, @Nullable Throwable cause) {

    /** A failure without a cause. */
    public Failure(ErrorClass kind, String sentence) {
      this(kind, sentence, null);
    }
  }

  @SuppressWarnings("unchecked") // the JVM does not distinguish checked exceptions
  private static <T extends Throwable> T unchecked(Throwable any) throws T {
    throw (T) any;
  }
}
