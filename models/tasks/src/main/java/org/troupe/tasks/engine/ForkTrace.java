package org.troupe.tasks.engine;

import java.util.ArrayList;
import java.util.List;

/** The lines of forks in the traces of failures. */
final class ForkTrace {

  /** The class name of the element between the lines of a job and that of its fork. */
  private static final String FORKED = "----- forked";

  /**
   * Of a trace that is longer, as one that is used again and again may be, nothing more is told.
   */
  private static final int MOST_ELEMENTS = 2048;

  private ForkTrace() {}

  /**
   * Adds the line that has forked a failed job at the end of the trace of the failure, if it is
   * known.
   *
   * @param by the name of the thread that has forked
   */
  static void add(Throwable failure, Spawn job, Frame forkedBy, String by) {
    try {
      var lines = job.forkLines(forkedBy);
      if (!lines.isEmpty()) {
        add(failure, lines, by);
      }
    } catch (RuntimeException | LinkageError e) {
      // Classes may forbid a part of it; the trace that there is is better than another failure.
    }
  }

  private static void add(Throwable failure, List<StackTraceElement> lines, String by) {
    var trace = new ArrayList<>(List.of(failure.getStackTrace()));
    int size = trace.size();
    boolean isKnown = size > lines.size() && trace.subList(size - lines.size(), size).equals(lines);
    if (size == 0 || size > MOST_ELEMENTS || isKnown) {
      return;
    }
    var place = lines.size() == 1 ? by : by + ", at one of " + lines.size() + " lines";
    trace.add(new StackTraceElement(FORKED, "by", place, -1));
    trace.addAll(lines);
    failure.setStackTrace(trace.toArray(StackTraceElement[]::new));
  }
}
