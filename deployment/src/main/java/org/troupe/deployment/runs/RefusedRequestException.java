package org.troupe.deployment.runs;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that a user asked for is not possible. The message says what, why, and what to do; a
 * mistake of Troupe has other exceptions.
 */
public final class RefusedRequestException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final boolean isOfRun;

  public RefusedRequestException(String message) {
    super(message);
    this.isOfRun = false;
  }

  RefusedRequestException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private RefusedRequestException(String message, @Nullable Throwable cause, boolean isOfRun) {
    super(message, cause);
    this.isOfRun = isOfRun;
  }

  /** Returns the exception for a right request that the run could not do. */
  static RefusedRequestException ofRun(String message, @Nullable Throwable cause) {
    return new RefusedRequestException(message, cause, true);
  }

  /** Returns whether the request was right, and the run could not do it. */
  public boolean isOfRun() {
    return isOfRun;
  }

  /** Reads a word of a request, whose reader throws an exception if it is wrong. */
  static <T> T unlessWrong(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new RefusedRequestException(String.valueOf(e.getMessage()), e, false);
    }
  }
}
