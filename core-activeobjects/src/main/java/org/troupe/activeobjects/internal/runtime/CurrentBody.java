package org.troupe.activeobjects.internal.runtime;

import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.ServiceContext;
import org.troupe.activeobjects.internal.peer.IncomingCalls;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.futures.Futures;

/** What users can ask about the active object that they have, or are. */
public final class CurrentBody {

  private CurrentBody() {}

  /** Returns the reference behind a stub, or behind a future whose value is one. */
  public static Ref<?> referenceOf(Object stub) {
    var reference = Reference.behind(Futures.value(stub));
    if (reference == null) {
      throw new IllegalArgumentException(
          (stub == null ? "null" : "an object of " + stub.getClass().getName())
              + " is not the stub of an active object; stubs come from create, turnActive, lookup,"
              + " self and as results of calls");
    }
    return reference;
  }

  /** Says whether an object is a stub. */
  public static boolean isStub(Object object) {
    return Reference.behind(Futures.value(object)) != null;
  }

  /** Returns the reference of the body that the current thread serves. */
  public static <T> Ref<T> self(Class<T> type) {
    var body = ServiceContext.currentBody();
    if (body == null) {
      throw new IllegalStateException(
          "self() was asked by a thread that serves no active object; ask it inside a method that"
              + " an active object serves, not in a thread started there");
    }
    if (!type.isAssignableFrom(body.type().type())) {
      throw new IllegalArgumentException(body + " is no " + type.getName());
    }
    return Reference.to(body).as(type);
  }

  /** Returns who made the call that the current thread serves. */
  public static Ref<?> caller() {
    var context = ServiceContext.current();
    if (context == null || context.request == null) {
      throw new IllegalStateException(
          "caller() was asked by a thread that serves no call of an active object");
    }
    return switch (context.request.caller) {
      case null -> null;
      case Body body -> Reference.to(body);
      case IncomingCalls.RemoteCaller(Peer home, long number, String type) -> {
        var node = context.body.node();
        yield new Reference<>(
            node,
            ActiveType.of(node.classes().find(type, home)),
            new Reference.Target.Elsewhere(home, number, 0),
            null);
      }
      default -> throw new AssertionError(context.request.caller);
    };
  }
}
