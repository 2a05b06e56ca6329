package org.troupe.activeobjects.internal.moving;

import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.fault.MoveStep;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectEpoch;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.Route;

/** The objects that leave a node, come to it, or are made anew on it: the steps of their moves. */
public final class HostedObjects {

  private final MovedObjects objects;
  private final NodeObjects node;

  HostedObjects(MovedObjects objects, NodeObjects node) {
    this.objects = objects;
    this.node = node;
  }

  /** Returns the epoch in which an object is in a body of this node, and prepares its move. */
  public int prepare(Body body) {
    var object = objects.object(objects.identityOf(body));
    if (!objects.releases().mayBeCollected(body)) {
      node.exports().holdForGood(body);
    } else if (body.origin() == null) {
      node.exports().leaves(body.number());
    }
    if (body.origin() == null) {
      object.born(body);
    }
    return object.epoch();
  }

  /** Records that the image of an object is on its way. */
  public void departs(ObjectIdentity identity, Departure departure, NodeId to) {
    objects.object(identity).departs(departure, to);
  }

  /** Lets an object serve again whose move was refused. */
  public void stays(ObjectIdentity identity, int epoch) {
    var known = objects.objectIfKnown(identity);
    if (known != null) { // else this node has left the grid
      known.with(whereabouts -> whereabouts.stay(epoch));
    }
  }

  /** Records the body of an object whose image has arrived. */
  public void arrived(ObjectIdentity identity, int epoch, Body body, NodeId from, Arrival arrival) {
    var object = objects.arriving(identity, epoch, from);
    object.arrived(epoch, body, from, arrival);
    if (objects.isDead(from)) { // which may have been handled before
      object.dismiss(epoch);
    }
  }

  /** Returns a future that completes when objects have arrived whose moves are granted. */
  public CompletableFuture<Void> settled(ObjectEpoch[] arriving) {
    return CompletableFuture.allOf(
        Stream.of(arriving).map(this::settled).toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<Void> settled(ObjectEpoch arriving) {
    var known = objects.objectIfKnown(arriving.object());
    return known == null
        ? CompletableFuture.completedFuture(null)
        : known.settled(arriving.epoch());
  }

  /** Forgets an image that has arrived for nothing. */
  public void dismissed(ObjectIdentity identity, int epoch) {
    var known = objects.objectIfKnown(identity);
    if (known != null) {
      known.dismiss(epoch);
    }
  }

  /** Records the body in which an object is made anew, by a grant of the coordinator. */
  public void embodied(ObjectIdentity identity, int epoch, Body body) {
    var known = objects.objectIfKnown(identity);
    var object = known == null ? objects.add(identity, new Place(node.id(), epoch)) : known;
    object.embodied(epoch, body);
    objects.ended().reviewSoon(object); // not before: it would be taken for one that was forgotten
  }

  /**
   * Handles the grants of moves, which the coordinator announces to both hosts.
   *
   * @param moves the objects in the epochs in which they were on the former host
   */
  public void granted(ObjectEpoch[] moves, NodeId from, NodeId to) {
    for (var each : moves) { // before a death that comes later
      objects.loopback().execute(() -> granted(each.object(), each.epoch(), from, to));
    }
  }

  private void granted(ObjectIdentity identity, int epoch, NodeId from, NodeId to) {
    var object = objects.object(identity);
    (from.equals(node.id()) ? MoveStep.GRANTED_AWAY : MoveStep.GRANTED_HERE).passes(node.id());
    if (from.equals(node.id())) {
      object.with(whereabouts -> whereabouts.departed(epoch, to));
    } else {
      object.granted(epoch + 1);
      objects.relocated(object, Route.OF_CALLERS, new Place(to, epoch + 1));
      objects.forgetStaysLater(object);
    }
  }
}
