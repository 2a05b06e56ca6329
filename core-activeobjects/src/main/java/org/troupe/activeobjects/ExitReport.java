package org.troupe.activeobjects;

import java.io.Serializable;
import java.util.List;

/**
 * The known facts about the end of a node. Immutable; may travel to other nodes.
 *
 * @param cause a sentence: how the process ended, or why the node was declared dead
 * @param exitCode the exit code of the process; {@link #UNKNOWN} if there is none or it is not
 *     known
 * @param signal the signal that ended the process; {@link #UNKNOWN} if there was none or it is not
 *     known
 * @param outOfMemory whether the JVM or the batch system reported that memory was exhausted
 * @param scheduler the batch system's report on the job; empty if there is none
 * @param lastLines the last lines of the node's output, oldest first
 * @param heapUsedBytes the used heap, garbage included, in the node's last report; 0 if it sent
 *     none
 * @param heapMostBytes the maximal heap in that report; 0 if there was none
 * @param residentBytes the resident memory of the process in that report; 0 if there was none
 */
public record ExitReport(
    String cause,
    int exitCode,
    int signal,
    boolean outOfMemory,
    String scheduler,
    List<String> lastLines,
    long heapUsedBytes,
    long heapMostBytes,
    long residentBytes)
    implements Serializable {

  /** The value of an unknown number. */
  public static final int UNKNOWN = -1;

  private static final long MEBI = 1 << 20;

  /** Copies the list. */
  public ExitReport {
    lastLines = List.copyOf(lastLines);
  }

  /** Returns a report that knows only the cause. */
  public static ExitReport of(String cause) {
    return new ExitReport(cause, UNKNOWN, UNKNOWN, false, "", List.of(), 0, 0, 0);
  }

  /** Returns this report with the memory usage that the node reported last, in bytes. */
  public ExitReport withMemory(long heapUsed, long heapMost, long resident) {
    return new ExitReport(
        cause, exitCode, signal, outOfMemory, scheduler, lastLines, heapUsed, heapMost, resident);
  }

  /** Returns this report with a text appended to the cause. */
  public ExitReport because(String more) {
    return new ExitReport(
        cause + more,
        exitCode,
        signal,
        outOfMemory,
        scheduler,
        lastLines,
        heapUsedBytes,
        heapMostBytes,
        residentBytes);
  }

  /** Returns the report as one line for an error message. */
  @Override
  public String toString() {
    var text = new StringBuilder(cause);
    if (outOfMemory && heapMostBytes > 0) {
      text.append(
          " (in its last report the heap was %d of %d MiB, the process %d MiB)"
              .formatted(heapUsedBytes / MEBI, heapMostBytes / MEBI, residentBytes / MEBI));
    }
    if (!lastLines.isEmpty()) {
      text.append("; its last line: ").append(lastLines.getLast());
    }
    return text.toString();
  }
}
