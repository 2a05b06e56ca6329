package org.troupe.activeobjects.internal.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;
import org.troupe.futures.FutureResult;

/** One grid as moved objects use it: its views, its coordinator, and the services of its nodes. */
public final class MovingGrid implements RelocationGrid {

  private static final long CHECK_MILLIS = 10;
  private static final int MOST_CHECKS = 1_000;

  private final GridMembership grid;
  private final LocalNode node;
  private final MemberTable members;
  private final CoordinatorClient coordinator;
  private final CoordinatorRole role;
  private final BooleanSupplier coordinates;
  private final MovedLinks links;
  private final ObjectMover mover;
  private final ObjectRestarter restarter;
  private final Evacuation evacuation;

  /**
   * The losses that were announced but not applied completely, by their numbers, and whether
   * objects outlive them.
   */
  private final ConcurrentSkipListMap<Long, Boolean> losses = new ConcurrentSkipListMap<>();

  private volatile long lastChange; // the number of the last change that was announced
  private final AtomicLong lastLoss = new AtomicLong(); // the number of the last one applied

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
    restarter = new ObjectRestarter(this, node.objects(), node.moved());
    evacuation = new Evacuation(grid, this, mover);
  }

  /** Returns what restarts objects on this node. */
  ObjectRestarter restarter() {
    return restarter;
  }

  /**
   * Lets the coordinator restart an object on another node if this one is lost; waits for it.
   *
   * @throws IllegalArgumentException if the object cannot be restarted there
   */
  public void supervise(Body body, Origin origin) {
    restarter.supervise(body, origin);
  }

  /** Lets the coordinator record whether such an object sleeps. */
  public CompletableFuture<Void> isAsleep(Body body, boolean isAsleep) {
    var object = moved().identityOf(body);
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.supervisor().isAsleep(object, node.id(), isAsleep);
      return CompletableFuture.completedFuture(null);
    }
    return service == null ? noCoordinator() : service.isAsleep(object, isAsleep);
  }

  /** Reports a failure of such an object. */
  public void failed(Body body, String what) {
    restarter.failed(body, what);
  }

  /** Lets the coordinator record that such an object watches another. */
  public CompletableFuture<Void> watches(Body follower, Reference<?> leader) {
    return restarter.watches(follower, leader);
  }

  /** Lets the coordinator forget that such an object watched another. */
  public void watchesNoLonger(Body follower, Reference<?> leader) {
    restarter.watchesNoLonger(follower, leader);
  }

  /** Returns what moves the objects of this node. */
  ObjectMover mover() {
    return mover;
  }

  Evacuation evacuation() {
    return evacuation;
  }

  /** Stores the last images of the objects that another node goes on with when this one leaves. */
  void storeLastImages() {
    if (moved().isIn(this)) {
      node.objects().host().keeper().leave();
    }
  }

  PeerTable peers() {
    return node.peers();
  }

  MovedLinks links() {
    return links;
  }

  /** Moves an object to another node. */
  public CompletableFuture<Void> move(Reference<?> object, NodeId destination, Duration patience) {
    return mover.move(object, destination, patience);
  }

  /** Stores an image of an object that is on another node. */
  public CompletableFuture<Void> checkpoint(Reference<?> object) {
    var identity = moved().identityOf(object.target());
    return Evacuation.onThread(
        () -> serviceOf(settled(identity).get().host()).checkpoint(identity).get());
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
    losses.put(number, hadMoved);
    if (hadMoved) {
      moved().hadMoved(id);
    }
  }

  /**
   * Records that a node had died before this one joined.
   *
   * @param hadMoved as for {@link MembershipView.Change.Left}
   */
  void lostBeforeJoin(NodeId id, boolean hadMoved) {
    if (hadMoved) {
      moved().hadMoved(id);
    }
  }

  /** Records nodes of earlier runs, whose objects are where the coordinator says. */
  void outlive(List<NodeId> earlier) {
    for (var each : earlier) {
      moved().hadMoved(each);
      node.peers().peer(each, grid, "").lose("it took part in an earlier run");
      moved().died(each);
    }
  }

  /** Handles the end of all communication with a node that was lost by a change. */
  void applied(long number, NodeId id) {
    var isMoving = moved().isIn(this);
    lastLoss.accumulateAndGet(number, Math::max); // first: messages sent after the loss name it
    if (isMoving) {
      moved().takesNothingFrom(id);
    }
    var hadMoved = losses.remove(number);
    if (isMoving) {
      moved().died(id);
    }
    if (Boolean.TRUE.equals(hadMoved)) {
      acknowledge(number);
    }
  }

  /** Tells the coordinator that this node takes nothing from a lost node any more. */
  private void acknowledge(long number) {
    RestartStep.DEATH_ACKNOWLEDGED.passes(node.id());
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.supervisor().acknowledged(node.id(), number);
    } else if (service != null) {
      service.acknowledged(number);
    }
  }

  @Override
  public Membership access() {
    return grid;
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

  /** Requests the number of the last change of the grid from the coordinator. */
  CompletableFuture<Long> lastChange() {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      return CompletableFuture.completedFuture(role.lastChange());
    }
    return service == null ? noCoordinator() : service.lastChange();
  }

  /**
   * Waits until this node has applied all changes of the grid up to a number.
   *
   * @throws IllegalStateException if it has not within some seconds
   */
  void awaitView(long number) throws InterruptedException {
    for (var checks = 0; appliedView() < number; checks++) {
      if (checks == MOST_CHECKS) {
        throw new IllegalStateException(
            "node '%s' has not heard of change %d of its grid within %d s"
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

  @Override
  public CompletableFuture<Located> settled(ObjectIdentity object) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      return role.settled(object);
    }
    return service == null ? noCoordinator() : service.locateSettled(object);
  }

  /** Lets the coordinator supervise an object of this node. */
  CompletableFuture<Void> supervise(ObjectIdentity object, Supervised what) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.supervise(object, node.id(), what);
      return CompletableFuture.completedFuture(null);
    }
    return service == null ? noCoordinator() : service.supervise(object, what);
  }

  /** Reports a failure of a supervised object. */
  void failed(ObjectIdentity object, String what) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.supervisor().failed(object, node.id(), what);
    } else if (service != null) {
      service.failed(object, what);
    }
  }

  /** Lets the coordinator record that a supervised object watches another. */
  CompletableFuture<Void> watches(
      ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.supervisor().watches(object, leader, stubOfLeader);
      return CompletableFuture.completedFuture(null);
    }
    return service == null ? noCoordinator() : service.watches(object, leader, stubOfLeader);
  }

  /** Lets the coordinator forget that a supervised object watched another. */
  void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.supervisor().watchesNoLonger(object, node.id(), leader);
    } else if (service != null) {
      service.watchesNoLonger(object, leader);
    }
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
  CompletableFuture<Void> forget(ObjectIdentity object, End end) {
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      role.forget(object, node.id(), end);
      return CompletableFuture.completedFuture(null);
    }
    try {
      return service == null ? noCoordinator() : service.forget(object, end);
    } catch (NodeLostException failure) { // so the grid ends
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Returns a named object, which is made if there is none. */
  public CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request) {
    RestartStep.NAME_ASKED.passes(node.id());
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      return role.names().named(request);
    }
    return service == null ? noCoordinator() : service.named(request);
  }

  /** Returns a named object if there is one. */
  public CompletableFuture<Optional<NamedObjects.Named>> find(String key) {
    RestartStep.NAME_ASKED.passes(node.id());
    var service = coordinator.service();
    if (coordinates.getAsBoolean()) {
      return role.names().find(key);
    }
    return service == null ? noCoordinator() : service.find(key);
  }

  /** Returns the nodes, those with the fewest objects first. */
  public List<Node> byLoad(List<Node> nodes) throws InterruptedException {
    Map<Node, CompletableFuture<Integer>> asked = new LinkedHashMap<>();
    for (var each : nodes) {
      asked.put(
          each,
          each.id().equals(node.id())
              ? CompletableFuture.completedFuture(node.objects().bodies().size())
              : MemberNode.of(each).service().objects());
    }
    return NodeLoads.leastFirst(asked);
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
