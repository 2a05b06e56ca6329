package org.troupe.tasks.nodes;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.tasks.engine.Engine;

/** Stands for a node that executes tasks, towards the program and the other nodes. */
public class TaskHost implements MiddlewareObject {

  private final @Nullable TaskNode node;

  /** Creates one that is only an address, as the program's own node is. */
  public TaskHost() {
    node = null;
  }

  /** Starts the workers of this node. */
  public TaskHost(BodyExtension.Key key, int number, Settings settings) {
    node =
        new TaskNode(
            key,
            number,
            settings,
            Engine.start(
                "tasks-" + Collectives.current().currentNode().name(),
                settings.engine(),
                Copies.ofProperties()),
            TaskNode.link(key, number));
    Collectives.current().attachToNode(node);
  }

  /** Tells this node which nodes there are, itself included. */
  public void members(List<TaskMember> all) {
    all.forEach(this::joined);
  }

  /** Tells this node of one more. */
  public void joined(TaskMember member) {
    if (node != null) {
      node.joined(member);
    }
  }

  /** Tells this node which nodes have which labels. */
  public void labels(Labels news) {
    if (node != null) {
      node.labels(news);
    }
  }

  /** Tells this node that another one has left or is lost. */
  public void lost(NodeId gone, String why) {
    if (node != null) {
      node.lost(gone, why);
    }
  }

  /**
   * Tells this node that no task runs that was begun before, so that results of orphans are not
   * needed.
   */
  public void forget() {
    if (node != null) {
      node.forget();
    }
  }

  /** Lets the node finish or give back what it has, and take nothing more. */
  public CompletableFuture<Void> leave() {
    return node == null ? CompletableFuture.completedFuture(null) : node.leave();
  }

  /** Returns what the workers have done. */
  public NodeTotals totals() {
    return node == null ? NodeTotals.NONE : node.totals();
  }

  /** Ends the workers. */
  public void close() {
    if (node != null) {
      node.close();
      Collectives.current().detachFromNode(node.key());
    }
  }
}
