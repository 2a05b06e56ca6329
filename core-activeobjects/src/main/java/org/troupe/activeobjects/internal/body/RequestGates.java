package org.troupe.activeobjects.internal.body;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.internal.call.ServicePolicy;

/** The gates that hold back requests of one body. Thread-safe. */
public final class RequestGates {

  /*
   * Design: one snapshot for each choice
   *
   * A thread that chooses among the queued requests checks all of them against one snapshot of the gates. If a
   * gate were released during the choice, a younger request would be found admissible and overtake an older
   * one that had just been refused.
   *
   * Design: a new gate is added by the next choice
   *
   * A member of a group in step reaches a barrier, waits for it and goes on, all within one request, so most gates
   * are released before any request is chosen. A new gate is therefore the 'latest' one until a thread takes a
   * snapshot. Until then its release is one compare-and-set, and wakes no thread, because it has refused nothing.
   */
  private final Body body;
  private volatile Gates gates = Gates.NONE; // written under the lock of this
  private final AtomicReference<@Nullable Held> latest = new AtomicReference<>();
  private volatile boolean isAdding; // while the latest gate is in neither; written under the lock
  private volatile int releases;

  /** A snapshot of the gates. Immutable. */
  record Gates(List<Held> held) {

    static final Gates NONE = new Gates(List.of());

    boolean isEmpty() {
      return held.isEmpty();
    }

    /** Returns whether a request may begin. */
    boolean admits(QueuedRequest request) {
      return switch (request) {
        case QueuedRequest.Task task -> true;
        case QueuedRequest.Termination end -> true; // behind all older requests, held or not
        case QueuedRequest.Suspension stop -> true;
        case CallRequest call when call.method.isOfBody() && call.method != BodyCalls.VISIT -> true;
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
  }

  RequestGates(Body body) {
    this.body = body;
  }

  private record Held(RequestGates holds, Gate gate) implements RequestGate {

    @Override
    public void release() {
      if (holds.latest.compareAndSet(this, null)) {
        return;
      }
      if (holds.change(all -> all.remove(this))) {
        holds.released();
      }
    }

    @Override
    public void changed() {
      if (holds.latest.get() != this) {
        holds.change(all -> true);
        holds.released();
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Implements {@link Collectives#holdRequests}. */
  public static RequestGate hold(RequestGate.Gate gate) {
    var context = ServiceContext.current();
    if (context == null || context.body == null) {
      throw new IllegalStateException(
          "requests were to be held by a thread that serves no active object; do it inside a"
              + " method that an active object serves");
    }
    if (context.rule instanceof ServicePolicy.Rule.AtOnce) {
      throw new IllegalStateException(
          "an @Immediate method of "
              + context.body
              + " cannot hold its requests, for it has no place among them");
    }
    var holds = context.body.holds();
    var made = new Held(holds, gate);
    if (!holds.latest.compareAndSet(null, made)) {
      holds.change(all -> all.add(made));
    }
    return made;
  }

  private synchronized boolean change(Predicate<List<Held>> change) {
    var all = new ArrayList<>(gates.held);
    var isChanged = change.test(all);
    gates = new Gates(List.copyOf(all));
    return isChanged;
  }

  /** Lets the body choose among its requests again. */
  void wake() {
    released();
  }

  private void released() {
    synchronized (this) {
      releases++; // before the gate is removed: a thread that is about to stop serving checks
      // whether this has changed
    }
    body.feeds();
    body.released();
  }

  /** Returns how often a gate has been released. */
  int releases() {
    return releases;
  }

  /** Returns a snapshot for one choice. */
  Gates gates() {
    if (latest.get() != null || isAdding) { // in this order: else a gate might be missed
      addLatest();
    }
    return gates;
  }

  private synchronized void addLatest() {
    isAdding = true;
    var made = latest.getAndSet(null);
    if (made != null) { // else it has been released, or another thread has added it
      change(all -> all.add(made));
    }
    isAdding = false;
  }

  /** Informs the gates that an admitted request begins. */
  void begins(QueuedRequest request) {
    if (request instanceof CallRequest call && !call.method.isOfBody()) {
      gates.held.forEach(each -> each.gate.begins(call));
    }
  }
}
