package org.troupe.deployment.runs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.troupe.activeobjects.hosting.FutureReport;

/**
 * The futures of a deployment that have not arrived, as other processes on the same machine see
 * them. Immutable.
 *
 * @param pending results of calls to other nodes, the oldest first
 * @param owed futures that were passed on to other nodes
 * @param more how many futures are not listed
 * @param silent the nodes that did not answer
 */
public record GridFutures(List<Pending> pending, List<Owed> owed, long more, List<String> silent) {

  /** How many futures of a kind are listed at most. */
  static final int MOST = FutureReport.MOST;

  /** Copies the lists. */
  public GridFutures {
    pending = List.copyOf(pending);
    owed = List.copyOf(owed);
    silent = List.copyOf(silent);
  }

  /**
   * A result that has not arrived.
   *
   * @param method the called method
   * @param type the name of the class that has it
   * @param object the identity of the called object
   * @param node the node that was called
   * @param madeBy the identity of the object that has called; empty if that is none
   * @param madeOn the node that has called
   * @param line the line of the program that has called; empty if it is not known
   * @param isAwaited whether the caller waits for it now
   * @param seconds how old it is, at most
   */
  public record Pending(
      String method,
      String type,
      String object,
      String node,
      String madeBy,
      String madeOn,
      String line,
      boolean isAwaited,
      double seconds) {}

  /**
   * A future that was passed on.
   *
   * @param future what it is the result of
   * @param node the node that owes its value
   * @param to the node that waits for it
   */
  public record Owed(String future, String node, String to) {}

  /** The futures of several nodes while they are collected. */
  static final class Collector {
    private final List<Pending> pending = new ArrayList<>();
    private final List<Owed> owed = new ArrayList<>();
    private final List<String> silent = new ArrayList<>();
    private long more;

    void add(String node, FutureReport report) {
      for (var each : report.pending()) {
        pending.add(
            new Pending(
                each.method(),
                each.type(),
                each.object(),
                each.node(),
                each.madeBy(),
                node,
                each.line(),
                each.isAwaited(),
                each.seconds()));
      }
      report.owed().forEach(each -> owed.add(new Owed(each.future(), node, each.node())));
      more += report.morePending() + report.moreOwed();
    }

    void addSilent(String node) {
      silent.add(node);
    }

    GridFutures collected() {
      pending.sort(Comparator.comparingDouble(Pending::seconds).reversed());
      var beyond = Math.max(0, pending.size() - MOST) + Math.max(0, owed.size() - MOST);
      return new GridFutures(
          pending.subList(0, Math.min(MOST, pending.size())),
          owed.subList(0, Math.min(MOST, owed.size())),
          more + beyond,
          silent);
    }
  }
}
