package org.troupe.activeobjects.internal.moving;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.futures.FutureResult;

/** The ends of objects that have moved. */
final class MovedEnds {

  private final MovedObjects objects;
  private final NodeObjects node;
  private final Executor loopback;

  MovedEnds(MovedObjects objects, NodeObjects node, Executor loopback) {
    this.objects = objects;
    this.node = node;
    this.loopback = loopback;
  }

  /** Ends the bodies that an object has left for a node when the object ends. */
  void follow(MovedObject object, NodeId host) {
    if (!object.awaited().isAsked(host)) { // as after each move but the first to that node
      loopback.execute(() -> ask(object, host));
    }
  }

  /**
   * Asks for the end of an object, which is or was on a node, unless that node is asked already.
   */
  private void ask(MovedObject object, NodeId host) {
    if (host.equals(node.id()) && object.hasBeenHere()) {
      var known = object.knownEnd(); // else it is told when it is known
      if (known != null) {
        object.awaited().settle(known);
      }
    } else if (object.awaited().asks(host)) {
      objects
          .grid()
          .end(objects.peer(host), object.identity())
          .whenCompleteAsync(
              (end, failure) -> {
                object.awaited().answered(host);
                if (failure == null) {
                  ended(object, end);
                } else {
                  askAfterLoss(object);
                }
              },
              Thread::startVirtualThread);
    }
  }

  private static void ended(MovedObject object, End end) {
    if (object.hasBeenHere()) {
      object.ended(end);
    }
    object.awaited().settle(end);
  }

  private void askAfterLoss(MovedObject object) {
    objects
        .grid()
        .settled(object.identity())
        .whenCompleteAsync(
            (located, failure) -> {
              if (failure != null) {
                ended(object, lost(object.lostAt()));
              } else if (located.isLost()) {
                var end = located.end();
                ended(object, end == null ? lost(located.place()) : end);
              } else {
                objects.knows(located.host(), located.address());
                object.awaited().madeAgain();
                ask(object, located.host());
              }
            },
            Thread::startVirtualThread);
  }

  private End lost(Place place) {
    var loss = objects.undeliverable().lost(place);
    return new End(End.How.LOST, String.valueOf(loss.getMessage()), loss.exitReport());
  }

  /** Returns the end of an object that is or was here. */
  CompletableFuture<End> ofHere(ObjectIdentity identity) {
    var object = objects.objectIfKnown(identity);
    if (object != null && object.hasBeenHere()) {
      return object.end();
    }
    var known = objects.ended().of(identity);
    return CompletableFuture.completedFuture(
        known == null ? End.of(End.How.TERMINATED, "the object has been terminated") : known);
  }

  /**
   * Returns the end of an object, wherever it is.
   *
   * @param whenMadeAgain is run each time the object has been made again after a loss
   */
  FutureResult<End> of(MovedObject object, Runnable whenMadeAgain) {
    var end = object.awaited().await(node.waiting(), whenMadeAgain);
    loopback.execute(() -> ask(object, object.place().node()));
    return end;
  }
}
