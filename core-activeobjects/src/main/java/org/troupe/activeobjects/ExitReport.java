package org.troupe.activeobjects;

import java.io.Serializable;
import java.util.List;

/**
 * What is known of the end of a node. Immutable; travels.
 *
 * @param cause in words: how its process ended, or why it was given up
 * @param exitCode of its process; {@link #UNKNOWN} if there is none, or it is not known
 * @param signal that ended its process; {@link #UNKNOWN} if none did, or it is not known
 * @param outOfMemory whether it said that it had no memory left, or the batch system says so
 * @param scheduler what the batch system says of its job; empty if it says nothing
 * @param lastLines what it printed last, oldest first
 * @param heapUsedBytes what its objects took, garbage included, when it told last; 0 if it never
 *     did
 * @param heapMostBytes what they might have taken; 0 as before
 * @param residentBytes what the process took of the machine's memory then; 0 as before
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

  /** Stands for a number that is not known. */
  public static final int UNKNOWN = -1;

  private static final long MEBI = 1 << 20;

  /** Copies the list. */
  public ExitReport {
    lastLines = List.copyOf(lastLines);
  }

  /** Of a node of which nothing is known but why it was given up. */
  public static ExitReport of(String cause) {
    return new ExitReport(cause, UNKNOWN, UNKNOWN, false, "", List.of(), 0, 0, 0);
  }

  /** Returns the same with what the node last told of its memory. */
  public ExitReport withMemory(long heapUsed, long heapMost, long resident) {
    return new ExitReport(
        cause, exitCode, signal, outOfMemory, scheduler, lastLines, heapUsed, heapMost, resident);
  }

  /** Returns the same with words that are added to the cause. */
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

  /** Returns the whole as one line, such as an error message has it. */
  @Override
  public String toString() {
    var text = new StringBuilder(cause);
    if (outOfMemory && heapMostBytes > 0) {
      text.append(
          " (when it told last, its heap was %d of %d MiB, its process %d MiB)"
              .formatted(heapUsedBytes / MEBI, heapMostBytes / MEBI, residentBytes / MEBI));
    }
    if (!lastLines.isEmpty()) {
      text.append("; it said last: ").append(lastLines.getLast());
    }
    return text.toString();
  }
}
