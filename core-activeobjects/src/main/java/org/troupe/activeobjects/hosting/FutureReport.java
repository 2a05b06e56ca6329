package org.troupe.activeobjects.hosting;

import java.util.List;

/**
 * The futures of a node that have not arrived, at one moment: results of calls to other nodes, and
 * futures that it has passed on. Those of the middleware's own calls are left out. Immutable and
 * serializable.
 *
 * @param pending results of calls to other nodes, the oldest first
 * @param morePending how many more there are
 * @param owed futures that were passed on to other nodes, which wait for their values
 * @param moreOwed how many more there are
 */
public record FutureReport(
    List<PendingLine> pending, int morePending, List<OwedLine> owed, int moreOwed) {

  /** How many futures of a kind a report lists at most. */
  public static final int MOST = 1_000;

  /** Copies the lists. */
  public FutureReport {
    pending = List.copyOf(pending);
    owed = List.copyOf(owed);
  }

  /**
   * A result that has not arrived.
   *
   * @param method the called method
   * @param type the name of the class that has it
   * @param object the identity of the called object
   * @param node the name of the node that was called
   * @param madeBy the identity of the object that has called; empty if that is none
   * @param line the line of the program that has called; empty if it is not known
   * @param isAwaited whether the caller waits for it now
   * @param seconds how old it is, at most
   */
  public record PendingLine(
      String method,
      String type,
      String object,
      String node,
      String madeBy,
      String line,
      boolean isAwaited,
      double seconds) {}

  /**
   * A future that was passed on.
   *
   * @param future what it is the result of
   * @param node the name of the node that waits for its value
   */
  public record OwedLine(String future, String node) {}
}
