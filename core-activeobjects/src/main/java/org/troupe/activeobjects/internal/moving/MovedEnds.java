package org.troupe.activeobjects.internal.moving;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;

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

  /**
   * Ends the bodies that an object has left when the object ends. Each node to which it has gone is
   * asked once, however often it goes there: a former host answers as soon as it learns of the end.
   */
  void follow(MovedObject object, NodeId host) {
    if (object.asksForEnd(host)) {
      loopback.execute(() -> follow(object, host, () -> {}, object::endedElsewhere));
    }
  }

  /** Passes the end of an object, which is or was on a node, to a listener. */
  private void follow(
      MovedObject object, NodeId host, Runnable whenMadeAgain, Consumer<End> listener) {
    if (host.equals(node.id()) && object.hasBeenHere()) {
      object.end().thenAccept(listener);
      return;
    }
    objects
        .grid()
        .end(objects.peer(host), object.identity())
        .whenCompleteAsync(
            (end, failure) -> {
              if (failure == null) {
                listener.accept(end);
              } else {
                followAfterLoss(object, whenMadeAgain, listener);
              }
            },
            Thread::startVirtualThread);
  }

  private void followAfterLoss(MovedObject object, Runnable whenMadeAgain, Consumer<End> listener) {
    objects
        .grid()
        .settled(object.identity())
        .whenCompleteAsync(
            (located, failure) -> {
              if (failure != null) {
                listener.accept(lost(object.lostAt()));
              } else if (located.isLost()) {
                var end = located.end();
                listener.accept(end == null ? lost(located.place()) : end);
              } else {
                objects.knows(located.host(), located.address());
                whenMadeAgain.run();
                follow(object, located.host(), whenMadeAgain, listener);
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
    var result = new FutureResult<End>(node.waiting());
    loopback.execute(
        () ->
            follow(
                object,
                object.place().node(),
                whenMadeAgain,
                end -> result.settle(new Outcome.Success<>(end))));
    return result;
  }
}
