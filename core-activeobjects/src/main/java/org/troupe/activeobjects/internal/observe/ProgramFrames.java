package org.troupe.activeobjects.internal.observe;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the lines of the program in stack traces. */
public final class ProgramFrames {

  private static final List<String> NOT_OF_PROGRAM =
      List.of(
          "-----", // the mark between the frames of a server and those of its caller
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "org.troupe.activeobjects.",
          "org.troupe.futures.",
          "org.troupe.groups.",
          "org.troupe.links.",
          "org.troupe.serialization.",
          "org.troupe.stubs.",
          "org.troupe.transport.");

  private static final String STUB = "$$Troupe"; // in the name of a generated class

  private ProgramFrames() {}

  /**
   * Returns the first line of the program, such as {@code com.acme.Solver.step(Solver.java:14)}.
   */
  public static Optional<String> first(Stream<StackTraceElement> trace) {
    return trace
        .filter(each -> isOfProgram(each.getClassName()))
        .findFirst()
        .map(ProgramFrames::text);
  }

  private static boolean isOfProgram(String type) {
    return !type.contains(STUB) && NOT_OF_PROGRAM.stream().noneMatch(type::startsWith);
  }

  private static String text(StackTraceElement frame) {
    return "%s.%s(%s:%d)"
        .formatted(
            frame.getClassName(),
            frame.getMethodName(),
            frame.getFileName(),
            frame.getLineNumber());
  }
}
