package org.troupe.activeobjects.internal.membership;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.copies.CopyHead;
import org.troupe.activeobjects.internal.copies.CopyNetwork;
import org.troupe.activeobjects.internal.copies.CopyUpdate;
import org.troupe.activeobjects.internal.copies.JournalCopies;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.futures.WaitInterruptedException;

/**
 * The copies of journals in the memory of one node, and the members of its oldest grid, which may
 * have others. Thread-safe.
 */
public final class GridCopies implements CopyNetwork {

  private static final Duration NEWS = Duration.ofSeconds(2);

  private final NodeObjects node;
  private final Memberships memberships;
  private final JournalCopies table = new JournalCopies(this);

  /** The other members, once there may be a copy; read without a lock, as writers of logs ask. */
  private final Map<NodeId, NodeDescription> others = new ConcurrentHashMap<>();

  private final Set<NodeId> leaving = ConcurrentHashMap.newKeySet();
  private final Object changes = new Object(); // notified of them
  private volatile @Nullable GridMembership grid; // whose members these are; written under changes
  private volatile boolean isTracking; // likewise

  /** Creates the copies of a node, without any. */
  GridCopies(NodeObjects node, Memberships memberships) {
    this.node = node;
    this.memberships = memberships;
  }

  /** Returns the copies of this node, to which those of other nodes may be added. */
  JournalCopies tracked() {
    track();
    return table;
  }

  /** Returns the copies. */
  public JournalCopies table() {
    return table;
  }

  /**
   * Handles a change of a grid; called with the monitor of its members. A node without copies only
   * notes which nodes are about to leave.
   */
  void changed(GridMembership its, MembershipView.Change change, NodeDescription member) {
    synchronized (changes) {
      if (grid != its) {
        if (memberships.first().orElse(null) != its || its.givenUp() != null) {
          return;
        }
        grid = its;
      }
      switch (change) {
        case MembershipView.Change.Joined _ -> {
          if (isTracking && !member.id().equals(node.id())) {
            others.put(member.id(), member);
          }
        }
        case MembershipView.Change.Leaving(_, var id, _) -> leaving.add(id);
        case MembershipView.Change.Left(_, var id, _, _) -> remove(id);
        case MembershipView.Change.Died(_, var id, _, _) -> remove(id);
      }
      changes.notifyAll();
    }
    if (isTracking) {
      table.membersChanged();
    }
  }

  private void remove(NodeId id) {
    others.remove(id);
    leaving.remove(id);
  }

  /** Knows the members from now on, since there may be copies. */
  private void track() {
    var its = grid;
    if (!isTracking && its != null) {
      its.withMembers(members -> track(its, members));
    }
  }

  private void track(GridMembership its, List<NodeDescription> members) {
    synchronized (changes) {
      if (grid != its) {
        return; // this node has left it meanwhile, and has no copies for it
      }
      for (var each : members) {
        if (!each.id().equals(node.id())) {
          others.put(each.id(), each);
        }
      }
      isTracking = true;
    }
  }

  /** Handles that this node leaves a grid; waits until others have what only this one has. */
  void leave(GridMembership its) {
    if (grid == its) {
      table.leave();
    }
  }

  /** Handles the end of this node's membership of a grid; the next oldest counts from now on. */
  void left(GridMembership its) {
    synchronized (changes) {
      if (grid != null && grid != its) {
        return;
      }
      grid = memberships.first().filter(next -> next.givenUp() == null).orElse(null);
      isTracking = false;
      others.clear();
      leaving.clear();
      changes.notifyAll();
    }
    table.left();
  }

  private <T> CompletableFuture<T> ask(
      NodeId other, Function<NodeServiceClient, CompletableFuture<T>> call) {
    try {
      return call.apply(service(other));
    } catch (NodeLostException gone) {
      return CompletableFuture.failedFuture(gone);
    }
  }

  private NodeServiceClient service(NodeId id) {
    var its = grid;
    var member = others.get(id);
    if (its == null || member == null) {
      throw new NodeLostException("node '" + id + "' is no member of the grid any more", null);
    }
    return its.services().of(member);
  }

  @Override
  public NodeId self() {
    return node.id();
  }

  @Override
  public boolean isOpen() {
    return grid != null;
  }

  @Override
  public boolean isCandidate(NodeId id) {
    var member = others.get(id);
    return member != null && !member.virtualNodes().isEmpty() && !leaving.contains(id);
  }

  @Override
  public List<Candidate> candidates() {
    var its = grid;
    if (its == null) {
      return List.of();
    }
    var host = its.describeSelf().host();
    return others.values().stream()
        .filter(each -> isCandidate(each.id()))
        .map(each -> new Candidate(each.id(), !each.host().equals(host)))
        .toList();
  }

  @Override
  public boolean awaitCandidate() {
    track();
    var deadline = System.nanoTime() + NEWS.toNanos();
    var wasInterrupted = false;
    synchronized (changes) {
      var left = NEWS.toNanos();
      while (left > 0 && !wasInterrupted && isOpen() && candidates().isEmpty()) {
        try {
          TimeUnit.NANOSECONDS.timedWait(changes, left);
          left = deadline - System.nanoTime();
        } catch (InterruptedException e) {
          wasInterrupted = true;
        }
      }
    }
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
    return !candidates().isEmpty();
  }

  @Override
  public List<NodeId> members() {
    track();
    return List.copyOf(others.keySet());
  }

  @Override
  public boolean isGone(NodeId other) {
    var its = grid;
    return its == null || !its.isAlive(other);
  }

  @Override
  public CompletableFuture<Long> update(NodeId other, CopyUpdate update) {
    return ask(other, each -> update.isWhole() ? each.copyWhole(update) : each.copy(update));
  }

  @Override
  public long updateNow(NodeId other, CopyUpdate update) {
    var wasInterrupted = Thread.interrupted(); // which is meant for the request that is served
    try {
      return service(other).copyNow(update);
    } catch (WaitInterruptedException meanwhile) {
      wasInterrupted = true;
      Thread.interrupted();
      return update(other, update).join();
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public CompletableFuture<Long> lastChange() {
    var its = grid;
    try {
      return its == null ? CompletableFuture.completedFuture(0L) : its.coordinator().lastChange();
    } catch (NodeLostException gone) {
      return CompletableFuture.failedFuture(gone);
    }
  }

  @Override
  public void awaitChange(long number) throws IOException {
    track();
    var its = grid;
    if (its == null) {
      return;
    }
    try {
      its.moving().awaitView(number);
    } catch (IllegalStateException late) {
      throw new IOException(late.getMessage(), late);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while this node heard of the changes of its grid", e);
    }
    its.withMembers(members -> {}); // these changes have reached this class, too
  }

  @Override
  public CompletableFuture<Map<String, CopyHead>> heads(
      NodeId other, Collection<String> journals, long change) {
    var names = journals.toArray(String[]::new);
    return ask(other, each -> each.copyHeads(names, change));
  }

  @Override
  public CompletableFuture<Optional<CopyUpdate>> claim(NodeId other, String journal, long epoch) {
    return ask(other, each -> each.claimCopy(journal, epoch));
  }

  @Override
  public CompletableFuture<Void> drop(
      NodeId other, String journal, long birth, long epoch, NodeId owner) {
    return ask(other, each -> each.dropCopy(journal, birth, epoch, owner))
        .thenAccept(dropped -> {});
  }

  @Override
  public CompletableFuture<List<String>> names(NodeId other) {
    return ask(other, NodeServiceClient::copyNames).thenApply(List::of);
  }

  @Override
  public void execute(Runnable action) {
    Thread.startVirtualThread(action);
  }

  @Override
  public void schedule(Runnable action, Duration after) {
    node.timer().schedule(() -> execute(action), after.toNanos(), TimeUnit.NANOSECONDS);
  }
}
