package org.troupe.mpj.error;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The lines of a program that call message passing. */
public final class CallSites {

  private static final List<String> INTERNAL =
      List.of(
          "org.troupe.mpj.",
          "org.troupe.activeobjects.",
          "org.troupe.groups.",
          "org.troupe.links.",
          "org.troupe.transport.",
          "java.",
          "jdk.",
          "sun.");

  private static final Set<String> PUBLISHED =
      Set.of(
          "Cartcomm",
          "Comm",
          "Datatype",
          "Graphcomm",
          "Group",
          "Intercomm",
          "Intracomm",
          "MPI",
          "MPJ",
          "Op",
          "Prequest",
          "Request",
          "Status");

  private CallSites() {}

  /** Returns a trace without the frames above the program's call. */
  static StackTraceElement[] fromCall(StackTraceElement[] trace) {
    var first = firstOfProgram(trace);
    return first == trace.length ? trace : Arrays.copyOfRange(trace, first, trace.length);
  }

  private static int firstOfProgram(StackTraceElement[] trace) {
    var first = 0;
    while (first < trace.length
        && (isInternal(trace[first].getClassName()) || isPublished(trace[first]))) {
      first++;
    }
    return first;
  }

  private static boolean isInternal(String name) {
    return INTERNAL.stream().anyMatch(name::startsWith);
  }

  private static boolean isPublished(StackTraceElement frame) {
    var name = frame.getClassName();
    var at = name.lastIndexOf('.') + 1;
    if (!name.startsWith("mpi.") && !name.startsWith("ibis.mpj.")) {
      return false;
    }
    var inner = name.indexOf('$', at);
    return PUBLISHED.contains(inner < 0 ? name.substring(at) : name.substring(at, inner));
  }

  /**
   * Returns the call at the top of a trace and its line, as {@code Comm.Recv at
   * Ring.main(Ring.java:12)}; empty if the trace has no line of a program.
   */
  public static String describe(StackTraceElement[] trace) {
    var first = firstOfProgram(trace);
    if (first == trace.length) {
      return "";
    }
    var line = trace[first].toString();
    if (first == 0 || !isPublished(trace[first - 1])) {
      return line;
    }
    var call = trace[first - 1];
    var name = call.getClassName();
    return name.substring(name.lastIndexOf('.') + 1) + "." + call.getMethodName() + " at " + line;
  }

  /**
   * Returns whether a program has called the current code, directly or through the JDK: false for
   * threads of the middleware, and for those of the JDK alone.
   */
  public static boolean isCalledByProgram() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .map(StackWalker.StackFrame::getClassName)
                    .filter(
                        each ->
                            !each.startsWith("java.")
                                && !each.startsWith("jdk.")
                                && !each.startsWith("sun.")
                                && !each.startsWith("org.troupe.mpj.comm.World")
                                && !each.equals(CallSites.class.getName()))
                    .findFirst()
                    .filter(each -> !isInternal(each))
                    .isPresent());
  }
}
