package org.troupe.deployment.runs;

import java.util.function.Supplier;

/**
 * Something that a user asked for is not possible. The message says what, why, and what to do; a
 * mistake of Troupe has other exceptions.
 */
public final class RefusedRequestException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public RefusedRequestException(String message) {
    super(message);
  }

  RefusedRequestException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Reads a word of a request, whose reader throws an exception if it is wrong. */
  static <T> T unlessWrong(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new RefusedRequestException(String.valueOf(e.getMessage()), e);
    }
  }
}
