package org.troupe.deployment.watch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.AwaitedReport;
import org.troupe.activeobjects.hosting.NodeEvent;

/** A grid, as its collector uses it. */
public interface WatchedGrid {

  /**
   * A node.
   *
   * @param row what the program itself knows of it
   * @param asks asks it for a report; {@code null} if it is not a member now
   */
  record AskedNode(WatchRecord.Node row, @Nullable Asking asks) {}

  /** Asks a node. */
  interface Asking {
    AwaitedReport ask();

    /** Asks for its events behind a number. */
    default CompletableFuture<List<NodeEvent>> events(long behind) {
      return CompletableFuture.completedFuture(List.of());
    }
  }

  /** Returns the program itself, and then the nodes in the order of their names. */
  List<AskedNode> nodes();

  /** Returns the events from a number on, the oldest first. */
  List<WatchRecord.Event> events(long from);

  /** Records an event that a node has reported, at the time of the clock of that node. */
  void happened(String node, NodeEvent event);

  /** Returns the jobs of the elements. */
  default List<WatchRecord.Job> jobs() {
    return List.of();
  }

  /** Asks the program for the panels that it shows, for a limited time. */
  default List<WatchRecord.Panel> panels() {
    return List.of();
  }

  /** Returns whether the grid is being closed; {@code ActivityCollector.gridEnds} follows then. */
  boolean isEnding();
}
