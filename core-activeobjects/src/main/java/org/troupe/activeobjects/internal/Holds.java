package org.troupe.activeobjects.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.spi.Hold;

/** What keeps requests of one body from beginning. May be shared between threads. */
public final class Holds {

  private final Body body;
  private final List<Held> held = new CopyOnWriteArrayList<>();
  private volatile int releases;

  Holds(Body body) {
    this.body = body;
  }

  private record Held(Holds holds, Gate gate) implements Hold {

    @Override
    public void release() {
      if (holds.held.removeIf(each -> each == this)) {
        holds.released();
      }
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** For {@link Hold#requests}. */
  public static Hold hold(Hold.Gate gate) {
    var context = Context.current();
    if (context == null || context.body == null) {
      throw new IllegalStateException(
          "requests were to be held by a thread that serves no active object; do it inside a"
              + " method that an active object serves");
    }
    if (context.rule instanceof Scheduling.Rule.AtOnce) {
      throw new IllegalStateException(
          "an @Immediate method of "
              + context.body
              + " cannot hold its requests, for it has no place among them");
    }
    var holds = context.body.holds();
    var made = new Held(holds, gate);
    holds.held.add(made);
    return made;
  }

  private void released() {
    synchronized (this) {
      releases++; // first: a thread that is about to stop serving looks whether this has changed
    }
    body.released();
  }

  /** How often a hold has been released. */
  int releases() {
    return releases;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  /** Says whether a request may begin now. */
  boolean admits(QueuedRequest request) {
    return switch (request) {
      case QueuedRequest.Task task -> true;
      case CallRequest call when call.method.isOfBody() -> true;
      case CallRequest call -> {
        for (var each : held) {
          if (!each.gate.admits(call)) {
            yield false;
          }
        }
        yield true;
      }
      default -> isEmpty();
    };
  }

  /** A request that was admitted begins. */
  void begins(QueuedRequest request) {
    if (request instanceof CallRequest call && !call.method.isOfBody()) {
      held.forEach(each -> each.gate.begins(call));
    }
  }

  /** For {@link Hold#isFrom}. */
  public static boolean isFrom(Request request, Ref<?> object) {
    var target = ((Reference<?>) object).target();
    return switch (((CallRequest) request).caller) {
      case null -> false;
      case Body body -> target instanceof Reference.Target.Here(Body its) && its == body;
      case Peer.RemoteCaller(Peer home, long number, String type) ->
          target instanceof Reference.Target.Elsewhere elsewhere
              && elsewhere.home() == home
              && elsewhere.number() == number;
      default -> false;
    };
  }
}
