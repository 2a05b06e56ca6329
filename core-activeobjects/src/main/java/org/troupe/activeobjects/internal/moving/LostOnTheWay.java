package org.troupe.activeobjects.internal.moving;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.ObjectWhereabouts;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.Route;

/** Finds the calls of one node to moved objects that were lost with a node on their way. */
final class LostOnTheWay {

  private static final long ASK_AGAIN_MILLIS = 10;

  private final MovedObjects objects;
  private final NodeObjects node;
  private final Executor loopback;

  LostOnTheWay(MovedObjects objects, NodeObjects node, Executor loopback) {
    this.objects = objects;
    this.node = node;
    this.loopback = loopback;
  }

  /**
   * Looks for lost calls after a death: first the way is probed, because calls that others still
   * forward are not lost.
   */
  void search(MovedObject object) {
    if (!objects.knowsDeaths()) {
      return;
    }
    if (mayHaveLost(object)) {
      object.with(ObjectWhereabouts::probe);
      objects.repeatMarksLater(object);
    }
  }

  private boolean mayHaveLost(MovedObject object) {
    return object.hasToSendAgain() || !objects.expected().idsOfUnkept(object).isEmpty();
  }

  /**
   * Fails the calls to an object that were lost. Called when a route has changed, so that what was
   * sent by the former way has arrived or is lost; the last one to change lets the host be asked.
   */
  void fail(MovedObject object, ObjectWhereabouts<Parcel> whereabouts) {
    if (!objects.knowsDeaths() || !mayHaveLost(object)) {
      return;
    }
    if (!whereabouts.converges()) {
      objects.repeatMarksLater(object);
      return;
    }
    var place = whereabouts.place();
    var host = place.node();
    if (objects.isDead(host)) {
      return;
    }
    object.sendAgain();
    var calls = objects.expected().idsOfUnkept(object);
    if (calls.isEmpty()) {
      return;
    }
    var view = objects.grid().lastLoss();
    if (host.equals(node.id())) {
      loopback.execute( // behind those that have just been sent
          () -> Thread.startVirtualThread(() -> failHere(object, calls, place.epoch(), view)));
    } else {
      askHost(object, calls, place, view);
    }
  }

  /** Fails those of some calls to an object of another node that it has not taken. */
  private void askHost(MovedObject object, List<Long> calls, Place place, long view) {
    var ids = calls.stream().mapToLong(Long::longValue).toArray();
    objects
        .grid()
        .missing(objects.peer(place.node()), object.identity(), ids, place.epoch(), view)
        .thenAccept(
            missing -> {
              if (missing == null) {
                failLater(object);
              } else {
                var lost = Arrays.stream(missing).boxed().toList();
                Thread.startVirtualThread(() -> failLost(object, lost));
              }
            });
  }

  /** Fails those of some calls to an object of this node that it has not taken. */
  private void failHere(MovedObject object, List<Long> calls, int epoch, long view) {
    try {
      if (ExpectedAnswers.awaitArrivals(object, objects.grid(), epoch, view)
          && object.isHereIn(epoch)) {
        failLost(object, calls);
      } else {
        failLater(object);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("nothing interrupts this thread", e);
    }
  }

  /**
   * Fails those of some calls whose answer no node owes, among those that have hosted the object.
   */
  private void failLost(MovedObject object, List<Long> calls) {
    if (calls.isEmpty()) {
      return;
    }
    try {
      Set<Long> lost = new HashSet<>(calls);
      lost.removeAll(objects.grid().unanswered(lost));
      objects.expected().failLost(lost, object.story());
    } catch (InterruptedException e) {
      throw new AssertionError("nothing interrupts this thread", e);
    }
  }

  /**
   * Looks again because the object had left the node that was asked: no message of this node may
   * follow it there, so that no change of the way would be noticed.
   */
  private void failLater(MovedObject object) {
    node.timer().schedule(() -> chase(object), ASK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void chase(MovedObject object) {
    if (objects.isOver()) {
      return;
    }
    objects
        .grid()
        .settled(object.identity())
        .whenCompleteAsync(
            (located, failure) -> {
              if (failure != null || located.isLost()) {
                objects.locator().located(object, Route.OF_CALLERS, located, failure);
                return;
              }
              objects.knows(located.host(), located.address());
              objects.relocated(object, Route.OF_CALLERS, located.place());
              search(object);
            },
            Thread::startVirtualThread);
  }
}
