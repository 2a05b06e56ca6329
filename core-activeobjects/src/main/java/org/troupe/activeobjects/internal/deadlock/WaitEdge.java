package org.troupe.activeobjects.internal.deadlock;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeActivity.WaitKind;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CapacityPeer;
import org.troupe.activeobjects.internal.body.DerivedResult;
import org.troupe.activeobjects.internal.capacity.CapacityWait;
import org.troupe.activeobjects.internal.capacity.QueueVacancy;
import org.troupe.activeobjects.internal.object.BodyEnd;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.ForwardedFuture;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.futures.FutureResult;

/**
 * The far end of an edge of the wait graph, for reports.
 *
 * @param object the identity of the object that is waited for; empty if it is not known
 * @param node the node that hosts it; empty if it is not known
 * @param method the called method; empty if there is none
 */
public record WaitEdge(WaitKind kind, String awaited, String object, String node, String method) {

  /** Returns the edge of an object that waits for a result. */
  public static WaitEdge of(FutureResult<?> awaited) {
    var kind = kind(awaited);
    var text = awaited.describe();
    return switch (end(awaited)) {
      case CallResult call ->
          new WaitEdge(
              kind,
              text,
              identity(call.target().target()),
              call.target().nodeName(),
              call.method().toString());
      case QueueVacancy full -> ofQueue(kind, text, full);
      case BodyEnd end when end.body() instanceof Body body ->
          new WaitEdge(kind, text, body.identityText(), body.node().name(), "");
      case ForwardedFuture future when future.origin != null ->
          new WaitEdge(kind, text, "", future.origin.id().name(), "");
      default -> new WaitEdge(kind, text, "", "", "");
    };
  }

  private static WaitKind kind(FutureResult<?> awaited) {
    return switch (awaited) {
      case CapacityWait _, QueueVacancy _ -> WaitKind.QUEUE;
      case BodyEnd _ -> WaitKind.END;
      case CallResult call -> call.site() == null ? WaitKind.REPLY : WaitKind.BY_NECESSITY;
      case ForwardedFuture _ -> WaitKind.BY_NECESSITY;
      default -> WaitKind.FUTURE;
    };
  }

  /** Returns the result on which another one depends that is computed from several. */
  private static FutureResult<?> end(FutureResult<?> awaited) {
    var behind = DeadlockDetector.behind(awaited);
    if (behind instanceof DerivedResult<?> pending) {
      var wants = pending.wants();
      return wants.results().isEmpty()
          ? behind
          : DeadlockDetector.behind(wants.results().getFirst());
    }
    return behind;
  }

  private static WaitEdge ofQueue(WaitKind kind, String text, QueueVacancy full) {
    return switch (full.queue().home()) {
      case Body body ->
          new WaitEdge(kind, full.describe(), body.identityText(), body.node().name(), "");
      case CapacityPeer peer ->
          new WaitEdge(
              kind,
              full.describe(),
              peer.id().name() + "/" + full.queue().number(),
              peer.id().name(),
              "");
      default -> new WaitEdge(kind, text, "", "", "");
    };
  }

  /** Returns the identity of an object as users read it. */
  public static String identity(Reference.@Nullable Target target) {
    return target == null ? "" : target.birth().name() + "/" + target.number();
  }
}
