package org.troupe.activeobjects.internal.supervision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.IndefiniteArticle;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;

/** The coordinator's record of one supervised object. Guarded by the lock of the supervisor. */
final class SupervisedObject {

  /** The present phase of the object. */
  enum State {
    /** It is on its node. */
    PRESENT,
    /** It is lost; not all members have acknowledged that yet. */
    LOST,
    /** It may be made anew after a pause. */
    PAUSING,
    /** It may be made anew, and waits for a node. */
    READY,
    /** A node has been told to make it. */
    MAKING,
    /** It sleeps, and is on no node. */
    ASLEEP
  }

  final ObjectIdentity identity;
  final Supervised original;
  final RestartBudget budget;

  /** The ends of nodes on which the object was being made, in succession. */
  final List<String> brokenOff = new ArrayList<>();

  State state = State.PRESENT;
  boolean isLossAcknowledged; // by all members
  boolean isAsleep; // on its node, or when that was lost
  boolean isCalled; // since then
  boolean isWaking; // so that its callers wait, even if they fail while it is restarted
  NodeId node;
  List<String> virtualNodes;
  final Map<ObjectIdentity, Object> leaders; // with their stubs
  int restarts; // by orders to nodes; each has an epoch, as a move has
  int attempts; // counts the states READY, so that a late timer is recognised
  long dueNanos; // the end of the pause
  String loss = ""; // how the object was lost last
  String provenance = ""; // its image, log or constructor after that

  /** The nodes that do not see its journal, with their reports. */
  final Map<NodeId, String> blind = new LinkedHashMap<>();

  Optional<ExitReport> exitReport = Optional.empty();
  private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

  SupervisedObject(
      ObjectIdentity identity,
      Supervised original,
      NodeId node,
      List<String> virtualNodes,
      long now) {
    this.identity = identity;
    this.original = original;
    this.node = node;
    this.virtualNodes = virtualNodes;
    this.leaders = new LinkedHashMap<>(original.leaders());
    this.budget = new RestartBudget(original.policy(), original.failures(), now);
  }

  /** Returns a description for messages. */
  String name() {
    var type = original.type();
    var simple = type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    return original.key().isEmpty()
        ? IndefiniteArticle.before(simple)
        : simple + " '" + original.key() + "'";
  }

  /** Returns whether a node belongs to one of its virtual nodes. An earlier run had others. */
  boolean isAtHomeOn(NodeDescription node) {
    return virtualNodes.isEmpty()
        ? !node.virtualNodes().isEmpty()
        : !Collections.disjoint(node.virtualNodes(), virtualNodes);
  }

  /** Returns whether it is made from a stored image. */
  boolean isKept() {
    return original.origin() instanceof Origin.Stored;
  }

  /**
   * Returns the name of its journal if that is in the memory of nodes, so that it may be lost;
   * {@code null} otherwise.
   */
  @Nullable String copiedJournal() {
    return original.origin() instanceof Origin.Stored(var options, var journal, _)
            && options.keep().store() instanceof Store.Copies
        ? journal
        : null;
  }

  /** Returns a text on the nodes that do not see its journal; empty if there is none. */
  String blindness() {
    return blind.isEmpty()
        ? ""
        : blind.entrySet().stream()
            .map(each -> "node '" + each.getKey() + "' does not see its store: " + each.getValue())
            .collect(Collectors.joining("; ", " (", ")"));
  }

  /** Returns whether it is to be made anew, and no node has been told to. */
  boolean isOnNoNode() {
    return switch (state) {
      case LOST, PAUSING, READY, ASLEEP -> true;
      case PRESENT, MAKING -> false;
    };
  }

  /** Returns whether it is on no node, and its journal is in the memory of nodes. */
  boolean mayLoseCopies() {
    return copiedJournal() != null && isOnNoNode();
  }

  /** Records that callers have to wait from now on. */
  void unsettled() {
    if (settled.isDone()) {
      settled = new CompletableFuture<>();
    }
  }

  /** Returns the future that completes when the object is present or given up. */
  CompletableFuture<Void> settled() {
    return settled;
  }

  /** Returns whether callers wait for the object. */
  boolean isAwaited() {
    return settled.getNumberOfDependents() > 0;
  }

  End end(End.How how, String why) {
    return new End(how, why, exitReport);
  }
}
