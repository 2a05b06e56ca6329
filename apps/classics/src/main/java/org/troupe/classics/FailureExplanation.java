package org.troupe.classics;

import java.util.function.Supplier;

/** Why a run failed, for users. */
final class FailureExplanation {

  private FailureExplanation() {}

  /**
   * Returns it.
   *
   * @param problem in a few words; asked only if the failure has to do with its size
   */
  static String of(Throwable failure, String program, Supplier<String> problem) {
    for (var each = failure; each != null; each = each.getCause()) {
      if (each instanceof OutOfMemoryError) {
        return "%s, %s: a JVM has too little memory (%s); take a smaller size, or give all of them more, as in JDK_JAVA_OPTIONS=-Xmx8g"
            .formatted(program, problem.get(), each.getMessage());
      }
    }
    return isTold(failure) ? failure.getMessage() : failure + "; --verbose shows where";
  }

  /** Says whether the message was written for users; that of other exceptions is but a detail. */
  private static boolean isTold(Throwable failure) {
    return failure.getMessage() != null
        && (failure.getClass().getName().startsWith("org.troupe.")
            || failure instanceof IllegalStateException
            || failure instanceof IllegalArgumentException);
  }
}
