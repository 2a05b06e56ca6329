package org.troupe.activeobjects.internal.coordination;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.moving.RelocationGrid;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.activeobjects.internal.supervision.NamedObjects;
import org.troupe.activeobjects.internal.supervision.Supervised;

/**
 * The coordinator of one grid, as each node asks it about objects: its role if it is this node, its
 * service otherwise. Thread-safe.
 */
public final class GridCoordinator {

  private final NodeId self;
  private final CoordinatorClient client;
  private final CoordinatorRole role;
  private final BooleanSupplier coordinates;
  private final CombinedGrants grants = new CombinedGrants(this::grantElsewhere);

  /**
   * Makes the coordinator as one node sees it.
   *
   * @param coordinates whether it is this node
   */
  public GridCoordinator(
      NodeId self, CoordinatorClient client, CoordinatorRole role, BooleanSupplier coordinates) {
    this.self = self;
    this.client = client;
    this.role = role;
    this.coordinates = coordinates;
  }

  private <T> CompletableFuture<T> ask(
      Supplier<CompletableFuture<T>> here,
      Function<NodeServiceClient, CompletableFuture<T>> elsewhere) {
    var service = client.service();
    if (coordinates.getAsBoolean()) {
      return here.get();
    }
    return service == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException(
                "node '%s' knows no coordinator: it has not joined a grid yet".formatted(self)))
        : elsewhere.apply(service);
  }

  private CompletableFuture<Void> tell(
      Consumer<ObjectDirectory> here,
      Function<NodeServiceClient, CompletableFuture<Void>> elsewhere) {
    return ask(
        () -> {
          here.accept(role.objects());
          return CompletableFuture.completedFuture(null);
        },
        elsewhere);
  }

  /** Sends news for which nothing waits; a node without coordinator drops them. */
  private void announce(Consumer<ObjectDirectory> here, Consumer<NodeServiceClient> elsewhere) {
    var service = client.service();
    if (coordinates.getAsBoolean()) {
      here.accept(role.objects());
    } else if (service != null) {
      elsewhere.accept(service);
    }
  }

  /** Returns whether the nodes of the grid are about to end. */
  public CompletableFuture<Boolean> isEnding() {
    return ask(
        () -> CompletableFuture.completedFuture(role.isEnding()), NodeServiceClient::isEnding);
  }

  /** Returns the number of the last change of the grid. */
  public CompletableFuture<Long> lastChange() {
    return ask(
        () -> CompletableFuture.completedFuture(role.lastChange()), NodeServiceClient::lastChange);
  }

  /**
   * Returns the description of a member of whose join this node has not heard; {@code null} if the
   * node is not one.
   */
  public CompletableFuture<@Nullable NodeDescription> member(NodeId id) {
    var service = client.service();
    return coordinates.getAsBoolean() || service == null
        ? CompletableFuture.completedFuture(null)
        : service.member(id);
  }

  /** Tells that this node takes nothing from a lost node any more. */
  public void acknowledged(long number) {
    RestartStep.DEATH_ACKNOWLEDGED.passes(self);
    announce(
        its -> its.supervisor().acknowledged(self, number),
        service -> service.acknowledged(number));
  }

  // Places of objects

  /** Returns where an object is at the moment. */
  public CompletableFuture<RelocationGrid.Located> locate(ObjectIdentity object) {
    return ask(
        () -> CompletableFuture.completedFuture(role.objects().located(object)),
        service -> service.locate(object));
  }

  /** Returns where an object is when it is not being made anew any more. */
  public CompletableFuture<RelocationGrid.Located> settled(ObjectIdentity object) {
    return ask(() -> role.objects().settled(object), service -> service.locateSettled(object));
  }

  /**
   * Requests the grant of a move from this node.
   *
   * @param object in the epoch in which it is here
   */
  public CompletableFuture<Boolean> grant(ObjectEpoch object, NodeId to) {
    return ask(
        () -> {
          var granted = role.objects().granted(new ObjectEpoch[] {object}, self, to);
          return CompletableFuture.completedFuture(granted[0]);
        },
        _ -> grants.request(object, to));
  }

  private CompletableFuture<boolean[]> grantElsewhere(ObjectEpoch[] objects, NodeId to) {
    return Objects.requireNonNull(client.service(), "the coordinator").grant(objects, to);
  }

  // Supervised objects of this node

  /** Lets the coordinator supervise an object of this node. */
  public CompletableFuture<Void> supervise(ObjectIdentity object, Supervised what) {
    return tell(
        its -> its.supervise(object, self, what), service -> service.supervise(object, what));
  }

  /** Records whether such an object sleeps. */
  public CompletableFuture<Void> isAsleep(ObjectIdentity object, boolean isAsleep) {
    return tell(
        its -> its.supervisor().isAsleep(object, self, isAsleep),
        service -> service.isAsleep(object, isAsleep));
  }

  /** Reports a failure of such an object. */
  public void failed(ObjectIdentity object, String what) {
    announce(
        its -> its.supervisor().failed(object, self, what),
        service -> service.failed(object, what));
  }

  /** Records that such an object watches another. */
  public CompletableFuture<Void> watches(
      ObjectIdentity object, ObjectIdentity leader, Object stubOfLeader) {
    return tell(
        its -> its.supervisor().watches(object, leader, stubOfLeader),
        service -> service.watches(object, leader, stubOfLeader));
  }

  /** Records that such an object does not watch another any more. */
  public void watchesNoLonger(ObjectIdentity object, ObjectIdentity leader) {
    announce(
        its -> its.supervisor().watchesNoLonger(object, self, leader),
        service -> service.watchesNoLonger(object, leader));
  }

  /** Forgets an object of this node that has ended. */
  public CompletableFuture<Void> forget(ObjectIdentity object, End end) {
    return tell(
        its -> its.forget(object, self, end),
        service -> {
          try {
            return service.forget(object, end);
          } catch (NodeLostException failure) { // so the grid ends
            return CompletableFuture.failedFuture(failure);
          }
        });
  }

  // Named objects

  /** Returns a named object, which is made if there is none. */
  public CompletableFuture<NamedObjects.Named> named(NamedObjects.Request request) {
    RestartStep.NAME_ASKED.passes(self);
    return ask(() -> role.objects().names().named(request), service -> service.named(request));
  }

  /** Returns a named object if there is one. */
  public CompletableFuture<Optional<NamedObjects.Named>> find(String key) {
    RestartStep.NAME_ASKED.passes(self);
    return ask(() -> role.objects().names().find(key), service -> service.find(key));
  }
}
