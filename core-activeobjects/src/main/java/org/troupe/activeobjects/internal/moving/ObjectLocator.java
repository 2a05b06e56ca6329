package org.troupe.activeobjects.internal.moving;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.internal.fault.RestartStep;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.relocation.Place;

/** Finds out from the coordinator where the objects are whose nodes are lost. */
final class ObjectLocator {

  private final MovedObjects objects;
  private final NodeObjects node;
  private final LostOnTheWay lostCalls;

  ObjectLocator(MovedObjects objects, NodeObjects node, LostOnTheWay lostCalls) {
    this.objects = objects;
    this.node = node;
    this.lostCalls = lostCalls;
  }

  /** Requests the place of an object for a route of this node. */
  void request(MovedObject object, int route) {
    objects
        .loopback()
        .execute(
            () -> {
              RestartStep.PLACE_ASKED.passes(node.id());
              objects
                  .grid()
                  .locate(object.identity())
                  .whenCompleteAsync(
                      (located, failure) -> located(object, route, located, failure),
                      Thread::startVirtualThread); // the common pool may be busy with user code
            });
  }

  /** Handles the coordinator's answer to a route; if the object is being made anew, asks again. */
  void located(
      MovedObject object,
      int route,
      RelocationGrid.@Nullable Located located,
      @Nullable Throwable failure) {
    if (located == null || failure != null) {
      lost(object, route, object.lostAt(), null);
      return;
    }
    object.story(located.loss().isEmpty() ? "" : located.story());
    if (located.isLost()) {
      lost(object, route, located.place(), located.end());
    } else if (located.isRestarting()) {
      if (located.standing() == RelocationGrid.Standing.REFUSING) {
        object.with(whereabouts -> whereabouts.refuse(route));
        objects.expected().refuseAll(object, object.story());
      }
      objects
          .grid()
          .settled(object.identity())
          .whenCompleteAsync(
              (next, unknown) -> located(object, route, next, unknown), Thread::startVirtualThread);
    } else {
      RestartStep.LOCATED.passes(node.id());
      objects.knows(located.host(), located.address());
      var hasMoved = located.loss().isEmpty(); // else it was lost with what it had served
      var untaken = hasMoved ? objects.untakenCalls().to(object, route) : List.<Parcel>of();
      object.with(
          whereabouts -> {
            object.located(route, located.place(), untaken);
            lostCalls.fail(object, whereabouts);
          });
    }
  }

  private void lost(MovedObject object, int route, Place at, @Nullable End end) {
    object.lost(at, end);
    object.with(whereabouts -> whereabouts.lost(route));
    objects.expected().failAll(object, objects.undeliverable().why(object, true));
    objects.withQueue(object.identity(), node.queueCapacity()::close);
  }
}
