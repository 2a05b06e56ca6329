package org.troupe.activeobjects.internal.mobility;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.coordination.GridCoordinator;
import org.troupe.activeobjects.internal.coordination.MemberTable;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.activeobjects.internal.service.NodeServices;

/** One grid as moved objects use it: its views, its losses, and the services of its nodes. */
public final class MovingGrid implements RelocationGrid {

  private static final long CHECK_MILLIS = 10;
  private static final int MOST_CHECKS = 1_000;

  private final Membership access;
  private final NodeObjects node;
  private final MovedObjects moved;
  private final MemberTable members;
  private final NodeServices services;
  private final GridCoordinator coordinator;

  /**
   * The losses that were announced but not applied completely, by their numbers, and whether
   * objects outlive them.
   */
  private final ConcurrentSkipListMap<Long, Boolean> losses = new ConcurrentSkipListMap<>();

  private volatile long lastChange; // the number of the last change that was announced
  private final AtomicLong lastLoss = new AtomicLong(); // the number of the last one applied

  public MovingGrid(
      NodeObjects node,
      MovedObjects moved,
      MemberTable members,
      NodeServices services,
      GridCoordinator coordinator) {
    this.access = services.grid();
    this.node = node;
    this.moved = moved;
    this.members = members;
    this.services = services;
    this.coordinator = coordinator;
  }

  /** Stores the last images of the objects that another node goes on with when this one leaves. */
  public void storeLastImages() {
    if (moved.isIn(this)) {
      node.host().keeper().leave();
    }
  }

  public PeerTable peers() {
    return services.peers();
  }

  /** Handles a change of the grid before its effects; called with the monitor of the members. */
  public void announced(MembershipView.Change change) {
    switch (change) {
      case MembershipView.Change.Left(long number, var id, _, boolean hadMoved) ->
          lost(number, id, hadMoved);
      case MembershipView.Change.Died(long number, var id, _, boolean hadMoved) -> {
        lost(number, id, hadMoved);
        if (hadMoved && moved.isIn(this)) {
          moved.dies(id);
        }
      }
      case MembershipView.Change.Joined _, MembershipView.Change.Leaving _ -> {}
    }
    lastChange = change.number();
    moved.viewApplied();
  }

  private void lost(long number, NodeId id, boolean hadMoved) {
    losses.put(number, hadMoved);
    if (hadMoved) {
      moved.hadMoved(id);
    }
  }

  /**
   * Records that a node had died before this one joined.
   *
   * @param hadMoved as for {@link MembershipView.Change.Left}
   */
  public void lostBeforeJoin(NodeId id, boolean hadMoved) {
    if (hadMoved) {
      moved.hadMoved(id);
    }
  }

  /** Records nodes of earlier runs, whose objects are where the coordinator says. */
  public void outlive(List<NodeId> earlier) {
    for (var each : earlier) {
      moved.hadMoved(each);
      services.peers().peer(each, access, "").lose("it took part in an earlier run");
      moved.died(each);
    }
  }

  /** Handles the end of all communication with a node that was lost by a change. */
  public void applied(long number, NodeId id) {
    var isMoving = moved.isIn(this);
    lastLoss.accumulateAndGet(number, Math::max); // first: messages sent after the loss name it
    if (isMoving) {
      moved.takesNothingFrom(id);
    }
    var hadMoved = losses.remove(number);
    if (isMoving) {
      moved.died(id);
    }
    if (Boolean.TRUE.equals(hadMoved)) {
      coordinator.acknowledged(number);
    }
  }

  @Override
  public Membership access() {
    return access;
  }

  @Override
  public long appliedView() {
    var last = lastChange; // read first: a loss is recorded before the number of its view
    var first = losses.ceilingKey(0L);
    return first == null ? last : first - 1;
  }

  @Override
  public long lastLoss() {
    return lastLoss.get();
  }

  /**
   * Waits until this node has applied all changes of the grid up to a number.
   *
   * @throws IllegalStateException if it has not within some seconds
   */
  public void awaitView(long number) throws InterruptedException {
    for (var checks = 0; appliedView() < number; checks++) {
      if (checks == MOST_CHECKS) {
        throw new IllegalStateException(
            ("node '%s' has not applied change %d of its grid within %d s; it, or its link to the"
                    + " coordinator, may be overloaded")
                .formatted(node.id(), number, MOST_CHECKS * CHECK_MILLIS / 1_000));
      }
      TimeUnit.MILLISECONDS.sleep(CHECK_MILLIS);
    }
  }

  @Override
  public boolean isGone(NodeId id) {
    return !members.hasOrCompletes(id);
  }

  /** Returns the service of a node that hosts an object. */
  NodeServiceClient serviceOf(NodeId host) {
    var known = services.peers().known(host);
    if (known != null) {
      return services.of(known);
    }
    var address = members.get(host).map(NodeDescription::address).orElse(moved.address(host));
    return services.of(services.peers().peer(host, access, address));
  }

  /** Returns a member; {@code null} if the node is not one, as far as this node knows. */
  public @Nullable NodeDescription described(NodeId id) {
    return members.get(id).orElse(null);
  }

  /** Returns the description of a member, also of one whose join this node has not heard of. */
  public CompletableFuture<@Nullable NodeDescription> find(NodeId id) {
    var known = described(id);
    return known != null ? CompletableFuture.completedFuture(known) : coordinator.member(id);
  }

  @Override
  public CompletableFuture<Located> locate(ObjectIdentity object) {
    var known = known(object);
    return coordinator.locate(object).thenApply(located -> located.after(known));
  }

  @Override
  public CompletableFuture<Located> settled(ObjectIdentity object) {
    var known = known(object);
    return coordinator.settled(object).thenApply(located -> located.after(known));
  }

  /** Returns where an object is as this node knows before it asks. */
  private Place known(ObjectIdentity object) {
    var known = moved.isIn(this) ? moved.place(object.birth(), object.number()) : null;
    return known == null ? new Place(object.birth(), 0) : known;
  }

  @Override
  public CompletableFuture<long @Nullable []> missing(
      Peer host, ObjectIdentity object, long[] callIds, int epoch, long view) {
    return services.of(host).missing(object, callIds, epoch, view);
  }

  @Override
  public Set<Long> unanswered(Set<Long> callIds) throws InterruptedException {
    var ids = callIds.stream().mapToLong(Long::longValue).toArray();
    List<CompletableFuture<long[]>> asked = new ArrayList<>();
    for (var each : members.list()) {
      if (!each.id().equals(node.id())) {
        asked.add(services.of(each).unanswered(ids));
      }
    }
    Set<Long> unanswered = new HashSet<>();
    for (var each : asked) {
      try {
        LongStream.of(each.get()).forEach(unanswered::add);
      } catch (ExecutionException e) {
        // It is lost with all that it had to answer.
      }
    }
    return unanswered;
  }

  @Override
  public CompletableFuture<long[]> answers(Peer other, ObjectIdentity[] objects) {
    return services.of(other).answersForRelease(objects);
  }

  @Override
  public void release(Peer host, ObjectIdentity[] objects, long[] versions, int[] copies) {
    services.of(host).release(objects, versions, copies);
  }

  @Override
  public void holdAgain(Peer host, ObjectIdentity object) {
    services.of(host).holdAgain(object);
  }

  @Override
  public CompletableFuture<boolean[]> haveEnded(Peer host, ObjectIdentity[] objects) {
    return services.of(host).haveEnded(objects);
  }

  @Override
  public CompletableFuture<Void> forget(ObjectIdentity object, End end) {
    return coordinator.forget(object, end);
  }

  @Override
  public CompletableFuture<End> end(Peer host, ObjectIdentity object) {
    return services.of(host).endOfMoved(object);
  }
}
