package org.troupe.deployment.watch;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeReport;

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
    CompletableFuture<NodeReport> ask();
  }

  /** Returns the nodes, in the order of the descriptor; the program itself is one of them. */
  List<AskedNode> nodes();

  /** Returns the events from a number on, the oldest first. */
  List<WatchRecord.Event> events(long from);

  /** Returns whether the grid is being closed. */
  boolean isEnding();
}
