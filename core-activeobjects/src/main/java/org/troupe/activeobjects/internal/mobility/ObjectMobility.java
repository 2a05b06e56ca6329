package org.troupe.activeobjects.internal.mobility;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.coordination.GridCoordinator;
import org.troupe.activeobjects.internal.coordination.LiveNodes;
import org.troupe.activeobjects.internal.moving.MovedObjects;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.service.ThreadedTask;
import org.troupe.futures.FutureResult;

/** The mobility of the objects of a node in one grid: moves, restarts, and links to others. */
public final class ObjectMobility {

  private final MovingGrid grid;
  private final MovedObjects moved;
  private final MovedLinks links;
  private final ObjectRestarter restarter;
  private final ObjectMover mover;
  private final ObjectReceiver receiver;
  private final Evacuation evacuation;

  public ObjectMobility(
      NodeObjects node,
      MovedObjects moved,
      MovingGrid grid,
      GridCoordinator coordinator,
      LiveNodes live) {
    this.grid = grid;
    this.moved = moved;
    links = new MovedLinks(grid, node, moved);
    restarter = new ObjectRestarter(coordinator, links, node, moved);
    mover = new ObjectMover(grid, coordinator, restarter, links, node, moved);
    receiver = new ObjectReceiver(grid, restarter, links, node, moved);
    evacuation = new Evacuation(node, moved, grid, live, mover);
  }

  public MovedLinks links() {
    return links;
  }

  /** Returns what lets objects of this node be restarted on others, and makes those of others. */
  public ObjectRestarter restarter() {
    return restarter;
  }

  public ObjectMover mover() {
    return mover;
  }

  public ObjectReceiver receiver() {
    return receiver;
  }

  public Evacuation evacuation() {
    return evacuation;
  }

  /** Moves an object to another node. */
  public CompletableFuture<Void> move(Reference<?> object, NodeId destination, Duration patience) {
    return mover.move(object, destination, patience);
  }

  /** Stores an image of an object that is on another node. */
  public CompletableFuture<Void> checkpoint(Reference<?> object) {
    var identity = moved.identityOf(object.target());
    return ThreadedTask.start(() -> storeImage(identity, grid.settled(identity).get().host()));
  }

  /** Stores an image of an object that is on another node, or has gone on from there. */
  public CompletableFuture<Void> checkpoint(ObjectIdentity object, NodeId host) {
    return ThreadedTask.start(() -> storeImage(object, host));
  }

  private Void storeImage(ObjectIdentity object, NodeId host)
      throws ExecutionException, InterruptedException {
    return grid.serviceOf(host).checkpoint(object).get();
  }

  /** Lets an object that has moved end with another. */
  public FutureResult<Void> follow(Reference<?> follower, Reference<?> leader) {
    return links.follow(moved.identityOf(follower.target()), leader);
  }
}
