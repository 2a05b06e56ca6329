package org.troupe.classics;

import java.util.function.Supplier;

/** Explains to users why a run failed. */
final class FailureExplanation {

  private FailureExplanation() {}

  /**
   * Returns the explanation.
   *
   * @param problem a short description of the problem; used only if its size caused the failure
   */
  static String of(Throwable failure, String program, Supplier<String> problem) {
    for (var each = failure; each != null; each = each.getCause()) {
      if (each instanceof OutOfMemoryError) {
        return "%s, %s: a JVM has too little memory (%s); choose a smaller size, or larger heaps with JDK_JAVA_OPTIONS=-Xmx8g"
            .formatted(program, problem.get(), each.getMessage());
      }
    }
    var message = failure.getMessage();
    return message != null && isWrittenForUsers(failure)
        ? message
        : failure + "; --verbose shows where";
  }

  /**
   * Returns whether the message was written for users; messages of other exceptions are only
   * details.
   */
  private static boolean isWrittenForUsers(Throwable failure) {
    return failure.getClass().getName().startsWith("org.troupe.")
        || failure instanceof IllegalStateException
        || failure instanceof IllegalArgumentException;
  }
}
