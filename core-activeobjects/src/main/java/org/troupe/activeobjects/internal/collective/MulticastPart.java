package org.troupe.activeobjects.internal.collective;

import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.ReplyInterceptor;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.spi.Observer;

/**
 * The objects of one node that receive the same arguments.
 *
 * @param payload the encoded arguments; {@code null} if they need no encoding
 * @param results the receivers of the answers of all objects of the multicast, or {@code null}
 */
record MulticastPart(
    RecordedCall call,
    @Nullable Payload payload,
    NodeShare share,
    CallResult @Nullable [] results) {

  /** Returns the other node; {@code null} for the own node. */
  @Nullable Peer home() {
    return share.home();
  }

  /** Returns the other node; only for objects that are not of the own node. */
  Peer peer() {
    return Objects.requireNonNull(share.home());
  }

  int size() {
    return share.objects().length;
  }

  /** Returns how many objects of this part, the first ones, an observer follows. */
  int detailed() {
    return (int)
        IntStream.of(share.indices()).filter(index -> index < Observer.MOST_MEMBERS).count();
  }

  /** Returns the receiver of the answer of an object of this part, or {@code null}. */
  @Nullable CallResult result(int index) {
    return results == null ? null : results[share.indices()[index]];
  }

  /** Returns the receiver of an answer; only for calls that are not one-way. */
  CallResult answer(int index) {
    return Objects.requireNonNull(result(index));
  }

  /** Returns the reference to an object of another node. */
  Reference.Target.Elsewhere target(int index) {
    return (Reference.Target.Elsewhere) share.objects()[index].target();
  }

  /** Returns whether an object of this part has moved. */
  boolean hasMoved() {
    return home() != null && IntStream.range(0, size()).anyMatch(this::hasMoved);
  }

  boolean hasMoved(int index) {
    return peer().outgoing().hasMoved(target(index).number());
  }

  /** Returns whether the answers of the objects of one node are combined there. */
  boolean isCombined() {
    var arguments = call.arguments();
    return call.called().isOnward()
        && ((ReplyInterceptor) arguments[arguments.length - 1]).combinesOnNode();
  }
}
