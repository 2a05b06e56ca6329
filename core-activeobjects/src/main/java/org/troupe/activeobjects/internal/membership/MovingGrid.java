package org.troupe.activeobjects.internal.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.futures.FutureResult;

/** One grid as moved objects use it: its views, its coordinator, and the services of its nodes. */
public final class MovingGrid implements RelocationGrid {

  private final GridMembership grid;
  private final LocalNode node;
  private final MemberTable members;
  private final CoordinatorClient coordinator;
  private final CoordinatorRole role;
  private final BooleanSupplier coordinates;
  private final MovedLinks links;
  private final ObjectMover mover;
  private final Evacuation evacuation;

  /** The numbers of the losses that were announced but not applied completely. */
  private final ConcurrentSkipListSet<Long> losses = new ConcurrentSkipListSet<>();

  private volatile long lastChange; // the number of the last change that was announced

  MovingGrid(
      GridMembership grid,
      MemberTable members,
      CoordinatorClient coordinator,
      CoordinatorRole role,
      BooleanSupplier coordinates) {
    this.grid = grid;
    this.node = grid.node();
    this.members = members;
    this.coordinator = coordinator;
    this.role = role;
    this.coordinates = coordinates;
    links = new MovedLinks(this, node.objects(), node.moved());
    mover = new ObjectMover(this, node.objects(), node.moved());
    evacuation = new Evacuation(grid, this, mover);
  }

  /** Returns what moves the objects of this node. */
  ObjectMover mover() {
    return mover;
  }

  Evacuation evacuation() {
    return evacuation;
  }

  MovedLinks links() {
    return links;
  }

  /** Moves an object to another node. */
  public CompletableFuture<Void> move(Reference<?> object, NodeId destination, Duration patience) {
    return mover.move(object, destination, patience);
  }

  /** Lets an object that has moved end with another. */
  public FutureResult<Void> follow(Reference<?> follower, Reference<?> leader) {
    return links.follow(moved().identityOf(follower.target()), leader);
  }

  private MovedObjects moved() {
    return node.moved();
  }

  /** Handles a change of the grid before its effects; called with the monitor of the members. */
  void announced(MembershipView.Change change) {
    switch (change) {
      case MembershipView.Change.Left(long number, var id, _, boolean hadMoved) ->
          lost(number, id, hadMoved);
      case MembershipView.Change.Died(long number, var id, _, boolean hadMoved) ->
          lost(number, id, hadMoved);
      case MembershipView.Change.Joined _, MembershipView.Change.Leaving _ -> {}
    }
    lastChange = change.number();
    moved().viewApplied();
  }

  private void lost(long number, NodeId id, boolean hadMoved) {
    losses.add(number);
    if (hadMoved) {
      moved().hadMoved(id);
    }
  }

  /** Handles the end of all communication with a node that was lost by a change. */
  void applied(long number, NodeId id) {
    losses.remove(number);
    if (moved().isIn(this)) {
      moved().died(id);
    }
  }

  @Override
  public Membership access() {
    return grid;
  }

  @Override
  public long appliedView() {
    var last = lastChange; // read first: a loss is recorded before the number of its view
    var first = losses.ceiling(0L);
    return first == null ? last : first - 1;
  }

  @Override
  public boolean isGone(NodeId id) {
    return !members.hasOrCompletes(id);
  }

  /** Returns the service of a node that hosts an object. */
  NodeServiceClient serviceOf(NodeId host) {
    var known = node.peers().known(host);
    if (known != null) {
      return grid.service(known);
    }
    var address = members.get(host).map(NodeDescription::address).orElse(moved().address(host));
    return grid.service(node.peers().peer(host, grid, address));
  }

  /** Returns a member; {@code null} if the node is not one, as far as this node knows. */
  @Nullable NodeDescription described(NodeId id) {
    return members.get(id).orElse(null);
  }

  /** Returns the description of a member, also of one whose join this node has not heard of. */
  CompletableFuture<@Nullable NodeDescription> find(NodeId id) {
    var known = described(id);
    var service = coordinator.service();
    return known != null || coordinates.getAsBoolean() || service == null
        ? CompletableFuture.completedFuture(known)
        : service.member(id);
  }

  @Override
  public CompletableFuture<Located> locate(ObjectIdentity object) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      return CompletableFuture.completedFuture(role.located(object));
    }
    return service == null ? noCoordinator() : service.locate(object);
  }

  /** Requests the grant of a move. */
  CompletableFuture<Boolean> grant(ObjectIdentity object, NodeId from, int epoch, NodeId to) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      return CompletableFuture.completedFuture(role.granted(object, from, epoch, to));
    }
    return service == null ? noCoordinator() : service.grant(object, from, epoch, to);
  }

  /** Lets the coordinator forget an object that has ended. */
  void forget(ObjectIdentity object) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.forget(object);
    } else if (service != null) {
      service.forget(object);
    }
  }

  private static <T> CompletableFuture<T> noCoordinator() {
    return CompletableFuture.failedFuture(
        new IllegalStateException("this node has no coordinator"));
  }

  @Override
  public CompletableFuture<long @Nullable []> missing(
      Peer host, ObjectIdentity object, long[] callIds, int epoch, long view) {
    return grid.service(host).missing(object, callIds, epoch, view);
  }

  @Override
  public Set<Long> unanswered(Set<Long> callIds) throws InterruptedException {
    var ids = callIds.stream().mapToLong(Long::longValue).toArray();
    List<CompletableFuture<long[]>> asked = new ArrayList<>();
    for (var each : members.list()) {
      if (!each.id().equals(node.id())) {
        asked.add(grid.service(grid.peer(each)).unanswered(ids));
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
  public CompletableFuture<End> end(Peer host, ObjectIdentity object) {
    return grid.service(host).endOfMoved(object);
  }
}
