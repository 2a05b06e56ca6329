package org.troupe.activeobjects.internal.moving;

import java.util.Objects;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.Routed;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;

/** Ends the messages to objects that have moved and cannot be reached any more. */
final class Undeliverable {

  private final MovedObjects objects;
  private final NodeObjects node;

  Undeliverable(MovedObjects objects, NodeObjects node) {
    this.objects = objects;
    this.node = node;
  }

  /** Ends a message to an object that is lost. */
  void discard(MovedObject object, Routed<Parcel> message) {
    var place = object.lostAt();
    switch (message.content()) {
      case Routed.Content.Mark<Parcel> mark ->
          objects.messages().sendSwitched(object, mark.owner(), mark, place);
      case Routed.Content.TailEnd<Parcel> end -> {} // nothing waits for the queue
      case Routed.Content.Message<Parcel>(Parcel parcel) -> {
        if (parcel.content() instanceof Message.Call call) {
          if (parcel.name() != null && parcel.origin().equals(node.id())) {
            object.notSent(parcel);
          }
          vacate(object, parcel, call);
          var why = why(object, parcel.isRepeated());
          // Else another embodiment of its caller would send the call again, whose failure was
          // reported. The object was lost with all calls before it that it had not served.
          var isForgotten = !object.isLost() && !objects.isOver() && isOneWayOfLogged(parcel);
          if (parcel.origin().equals(node.id())) {
            fail(object, parcel, why, isForgotten);
            return;
          }
          var incoming = objects.peer(parcel.origin()).incoming();
          if (isForgotten) {
            var name = nameOf(parcel);
            incoming.taken(object.identity(), name.origin(), 0, name.number());
          }
          incoming.fail(call, parcel.callId(), why, parcel.account());
        }
      }
    }
  }

  private static boolean isOneWayOfLogged(Parcel parcel) {
    return parcel.callId() == 0
        && parcel.name() != null
        && parcel.name().origin() instanceof CallOrigin.Logged;
  }

  /**
   * Fails a call of this node.
   *
   * @param isForgotten whether its caller is to forget the call, and all before it
   */
  private void fail(MovedObject object, Parcel parcel, RuntimeException why, boolean isForgotten) {
    if (parcel.callId() != 0) {
      objects.expected().fail(parcel.callId(), why);
    } else if (isForgotten) { // without locks, as the caller writes its log
      Thread.startVirtualThread(
          () -> {
            var name = nameOf(parcel);
            try {
              objects.taken(object.identity(), name.origin(), 0, name.number());
            } finally {
              report(parcel, why);
            }
          });
    } else {
      report(parcel, why);
    }
  }

  private static CallName nameOf(Parcel named) {
    return Objects.requireNonNull(named.name(), "the name of a call of a logged object");
  }

  private void report(Parcel parcel, RuntimeException why) {
    node.failures().report(parcel.caller(), "a one-way call", why);
  }

  /**
   * Returns the failure of a call to an object that is lost or has ended, or refuses calls for a
   * time.
   *
   * @param isRepeated whether the call was sent before the loss
   */
  RuntimeException why(MovedObject object, boolean isRepeated) {
    var fate =
        isRepeated ? "; whether the call was served is unknown" : "; the call was not served";
    var end = object.lostEnd();
    if (end != null) {
      return switch (end.how()) {
        case TERMINATED, COLLECTED, FAILED -> new ObjectTerminatedException(end.why() + fate);
        case LOST -> new NodeLostException(end.why(), end.exitReport().orElse(null));
      };
    }
    var story = object.story();
    return story.isEmpty() || object.isLost()
        ? lost(object.lostAt())
        : new RestartedException(story + fate);
  }

  /** Returns the failure of a call to an object that was lost. */
  NodeLostException lost(Place place) {
    var known = objects.known(place.node());
    var loss = known == null ? null : known.lost();
    return loss == null
        ? new NodeLostException("node '" + place.node() + "' is gone with the object")
        : new NodeLostException(
            loss.getMessage() + "; the object was lost with it", loss.exitReport().orElse(null));
  }

  /** Gives back the place of a call that will not be served. */
  private void vacate(MovedObject object, Parcel parcel, Message.Call call) {
    if (!call.counted()) {
      return;
    }
    if (parcel.origin().equals(node.id())) {
      objects.vacated(object.identity());
    } else {
      objects.peer(parcel.origin()).incoming().vacate(object.identity());
    }
  }

  /** Refuses a message to an object that was never here, or has ended here. */
  void refuse(MovedObject object, Routed<Parcel> message) {
    if (message.content() instanceof Routed.Content.Message<Parcel>(Parcel parcel)
        && parcel.content() instanceof Message.Call call) {
      if (parcel.name() != null && parcel.origin().equals(node.id())) {
        object.notSent(parcel); // else it would be kept, and sent again after each death
      }
      vacate(object, parcel, call);
      var why = objects.ended().refusal(object.identity());
      var mayBeLost = objects.ended().mayBeLost(object.identity());
      if (parcel.origin().equals(node.id())) {
        fail(object, parcel, why, !mayBeLost && isOneWayOfLogged(parcel));
        return;
      }
      var name = parcel.name();
      var incoming = objects.peer(parcel.origin()).incoming();
      incoming.fail(call, parcel.callId(), why, parcel.account());
      if (name != null && !mayBeLost) {
        incoming.hasEnded(name, object.identity());
      }
    } else if (message.content() instanceof Routed.Content.Mark<Parcel> mark) {
      objects
          .messages()
          .sendSwitched(object, mark.owner(), mark, new Place(node.id(), message.epoch()));
    }
  }
}
