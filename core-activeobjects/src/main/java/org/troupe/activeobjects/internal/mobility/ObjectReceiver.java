package org.troupe.activeobjects.internal.mobility;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.body.RestartBudget;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.moving.Arrival;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.CopyCount;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.service.Luggage;

/** Receives the active objects that other nodes move to this one. */
public final class ObjectReceiver {

  private final MovingGrid grid;
  private final ObjectRestarter restarter;
  private final MovedLinks links;
  private final NodeObjects node;
  private final MovedObjects moved;

  ObjectReceiver(
      MovingGrid grid,
      ObjectRestarter restarter,
      MovedLinks links,
      NodeObjects node,
      MovedObjects moved) {
    this.grid = grid;
    this.restarter = restarter;
    this.links = links;
    this.node = node;
    this.moved = moved;
  }

  /** Takes the image of an object, which is a copy already; the object serves after the grant. */
  public boolean arrive(
      ObjectIdentity identity, int epoch, Object object, Luggage luggage, NodeId from)
      throws IOException {
    MoveStep.IMAGE_READ.passes(node.id());
    var stored = luggage.origin() instanceof Origin.Stored its ? its : null;
    if (stored != null) {
      node.host().keeper().requireSeen(stored);
    }
    node.classes().trust(object.getClass());
    var body = BodyFactory.create(node, ActiveType.of(object.getClass()), luggage.options());
    if (stored == null && luggage.origin() != null) {
      body.madeBy(luggage.origin(), node.classes().from(grid.serviceOf(from).peer().classes()));
      body.continues(luggage.failures());
    }
    body.continuesAfterRestarts(luggage.restarts());
    moved.comesFrom(body, identity, copies(identity, luggage));
    body.number(); // its calls name it
    grid.peers().adoptAccounts(body, luggage.callers());
    restarter.forgetAtItsEnd(body, identity, luggage.origin());
    var arrived = new CompletableFuture<Void>();
    arrived.thenRun(() -> MoveStep.ARRIVED.passes(node.id()));
    node.observer()
        .events()
        .add(
            NodeEvent.Kind.MOVED,
            body.description(luggage.origin()) + " has come from node '" + from.name() + "'");
    Runnable begin =
        () -> {
          if (luggage.leaders().length > 0) {
            follow(body, identity, luggage.leaders());
          }
          if (stored == null) {
            body.arrive(object, () -> Thread.startVirtualThread(() -> arrived.complete(null)));
          } else {
            takeOver(body, object, stored, epoch, luggage.failures(), arrived);
          }
        };
    Runnable forget = () -> grid.peers().forgetAccounts(body);
    moved.hosted().arrived(identity, epoch, body, from, new Arrival(begin, forget, arrived));
    return true;
  }

  /** Returns what counts the copies of references to an object that has arrived. */
  private @Nullable CopyCount copies(ObjectIdentity identity, Luggage luggage) {
    return switch (luggage.self()) {
      case null -> null;
      case Reference<?> self when self.target() instanceof Reference.Target.Elsewhere there ->
          there.object();
      case Reference<?> _ when identity.birth().equals(node.id()) ->
          node.exports().copies(identity.number()); // it has come home
      case Reference<?> _ -> null;
    };
  }

  /** Lets an object that has arrived serve when it has its journal; does not block. */
  private void takeOver(
      Body body,
      Object object,
      Origin.Stored stored,
      int epoch,
      RestartBudget.History failures,
      CompletableFuture<Void> arrived) {
    var origin = node.host().keeper().arriving(body, stored, epoch, object);
    body.arriveBy(origin, node.classes().known(), failures)
        .thenAccept(
            end -> {
              if (end == null) {
                arrived.complete(null);
              } else {
                arrived.completeExceptionally(new ObjectTerminatedException(end.why()));
              }
            });
  }

  /**
   * Lets an object that has arrived watch those that it is linked to, on another thread: the caller
   * holds locks. It does not leave again before, so that its next image names them.
   */
  private void follow(Body body, ObjectIdentity follower, Object[] leaders) {
    var following = new CompletableFuture<Void>();
    body.departures().staged(following);
    Thread.startVirtualThread(
        () -> {
          try {
            for (var each : leaders) {
              links.follow(follower, Reference.require(each));
            }
          } finally {
            following.complete(null);
          }
        });
  }
}
