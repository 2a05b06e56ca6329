package org.troupe.activeobjects.internal.coordination;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServices;

/** States, after each loss of a node, which references this node has received from the lost one. */
public final class LossStatements {

  /*
   * Design: statements by views
   *
   * When this node takes nothing more of a lost node, it strikes that out for its own objects, and states to the hosts of
   * other objects what it has received from it. When these have acknowledged, and with them the hosts that this node has told
   * of changes before, the loss is stated. Losses are stated in the order in which they are applied, those that wait at once:
   * the acknowledgements that a loss awaits answer for all changes before it, so no loss may pass another. The coordinator is
   * told of the last view whose losses are all stated, one report at a time, so many losses at once cost few reports. When
   * all members have reported a view, the coordinator announces that its losses are settled, behind all changes that it has
   * made: a member that is lost itself has not stated them, and its loss must not be announced later.
   *
   * A node that does not count cannot state anything, so it reports nothing, and no loss is settled before it is gone.
   *
   * Threads: losses are stated on virtual threads, one at a time, since hosts acknowledge by answers.
   */

  private final NodeObjects node;
  private final CoordinatorClient coordinator;
  private final CoordinatorRole role;
  private final BooleanSupplier coordinates;
  private final NodeServices services;

  /** The views of losses that were announced but not stated. */
  private final ConcurrentSkipListSet<Long> unstated = new ConcurrentSkipListSet<>();

  /** The losses that were applied but not stated. */
  private final Queue<Loss> applied = new ConcurrentLinkedQueue<>();

  private final ReentrantLock stating = new ReentrantLock();
  private volatile long lastChange; // the view announced last
  private long reported; // guarded by this
  private boolean isReporting; // guarded by this

  private record Loss(long number, NodeId node) {}

  public LossStatements(
      NodeObjects node,
      CoordinatorClient coordinator,
      CoordinatorRole role,
      BooleanSupplier coordinates,
      NodeServices services) {
    this.node = node;
    this.coordinator = coordinator;
    this.role = role;
    this.coordinates = coordinates;
    this.services = services;
  }

  /** Handles a change of the grid before its effects; called with the monitor of the members. */
  public void announced(MembershipView.Change change) {
    switch (change) {
      case MembershipView.Change.Left(long number, var id, _, _) -> announced(number, id);
      case MembershipView.Change.Died(long number, var id, _, _) -> announced(number, id);
      case MembershipView.Change.Joined _, MembershipView.Change.Leaving _ -> {}
    }
    lastChange = change.number();
  }

  private void announced(long number, NodeId lost) {
    unstated.add(number);
    node.exports().announced(lost.incarnation(), role, number);
  }

  /** Forgets a loss that was announced, because this node has left the grid. */
  public void abandoned(NodeId lost) {
    node.exports().left(List.of(lost.incarnation()));
  }

  /** Handles the end of all communication with a node that was lost by a change. */
  public void applied(long number, NodeId lost) {
    node.exports().died(lost.incarnation(), role, number);
    applied.add(new Loss(number, lost));
    Thread.startVirtualThread(this::stateApplied);
  }

  private void stateApplied() {
    List<Loss> losses = new ArrayList<>();
    Set<RemoteNode> hosts = new HashSet<>();
    stating.lock();
    try {
      for (Loss each; (each = applied.poll()) != null; ) {
        losses.add(each);
        hosts.addAll(node.remoteObjects().state(each.node().incarnation()));
      }
      acknowledged(hosts);
      losses.forEach(each -> unstated.remove(each.number()));
    } finally {
      stating.unlock();
    }
    if (!losses.isEmpty()) {
      report();
    }
  }

  /** Waits until each host has taken all that it was told, after which it answers. */
  private void acknowledged(Set<RemoteNode> hosts) {
    var answers = hosts.stream().map(host -> services.of(host).acknowledge()).toList();
    for (var each : answers) {
      try {
        each.join();
      } catch (CompletionException | NodeLostException | ObjectTerminatedException e) {
        // The host is lost with its objects.
      }
    }
  }

  private long statedView() {
    var last = lastChange; // read first: a loss is recorded before the number of its view
    var first = unstated.isEmpty() ? null : unstated.ceiling(0L);
    return first == null ? last : first - 1;
  }

  private void report() {
    if (!node.exports().areCounted()) {
      return; // it may have received references from the lost node
    }
    if (coordinates.getAsBoolean()) {
      role.stated(node.id(), statedView());
      return;
    }
    var service = coordinator.service();
    var view = service == null ? 0 : nextReport();
    if (service != null && view > 0) {
      service.stated(view).whenComplete((_, failure) -> endReport(failure));
    }
  }

  private synchronized long nextReport() {
    var view = statedView();
    if (isReporting || view <= reported) {
      return 0;
    }
    isReporting = true;
    reported = view;
    return view;
  }

  private void endReport(@Nullable Throwable failure) {
    synchronized (this) {
      isReporting = false;
    }
    if (failure == null) { // else the coordinator is lost, and so is the grid
      report();
    }
  }
}
