package org.troupe.activeobjects.internal.object;

import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.futures.FutureResult;

/**
 * Which request of which body the current thread serves; none for the threads of the user's own.
 * Touched only by its thread, or by one that goes on in its place while it waits.
 */
public final class ServiceContext {

  private static final ThreadLocal<ServiceContext> CURRENT = new ThreadLocal<>();

  /** The body, or {@code null} where the thread is not to be taken for one of a body. */
  public final Body body;

  /** By which rule of the body the thread serves. */
  public final ServicePolicy.Rule rule;

  public CallRequest request;
  public long waitedNanos;

  /** The request whose calls are no longer held back for want of memory, or {@code null}. */
  CallRequest unheld;

  private ServiceContext outer;

  public ServiceContext(Body body, ServicePolicy.Rule rule) {
    this.body = body;
    this.rule = rule;
  }

  /** Says whether the body serves nothing else, but immediate calls, before this thread is done. */
  boolean isAlone() {
    return rule instanceof ServicePolicy.Rule.InTurn && (body.isSequential() || !body.hasBegun());
  }

  /** Returns the context that goes on when this one is left, or {@code null}. */
  public ServiceContext outer() {
    return outer;
  }

  /**
   * Notes what the current thread waits for: for its body, if that serves nothing meanwhile, else
   * for the request of another node.
   *
   * @return what takes the note back, and then does what was to be done
   */
  public Runnable waits(FutureResult<?> awaited, Runnable then) {
    if (isAlone()) {
      var before = body.waitingFor; // a call, if this is the wait for room to make it
      body.waitingFor = awaited;
      return () -> {
        body.waitingFor = before;
        then.run();
      };
    }
    return request == null ? then : request.waits(awaited, then);
  }

  /** Returns the context of the current thread, or {@code null}. */
  public static ServiceContext current() {
    return CURRENT.get();
  }

  /** Returns the body that the current thread serves, or {@code null}. */
  public static Body currentBody() {
    var context = CURRENT.get();
    return context == null ? null : context.body;
  }

  /** Returns the stamp of the multicast that the current thread serves, or {@code null}. */
  public static MulticastStamp currentStamp() {
    var context = CURRENT.get();
    return context == null || context.request == null ? null : context.request.stamp;
  }

  /**
   * Returns a part of what this thread does, for a helper thread that goes on with it while this
   * one waits: there it is done for the same body.
   */
  public static Runnable carried(Runnable part) {
    var context = CURRENT.get();
    if (context == null) {
      return part;
    }
    return () -> {
      CURRENT.set(context);
      try {
        part.run();
      } finally {
        CURRENT.remove();
      }
    };
  }

  /** For {@link org.troupe.activeobjects.collective.Collectives#inName}. */
  public static Runnable inName(Runnable work) {
    var context = CURRENT.get();
    if (context == null || context.body == null) {
      return work;
    }
    var request = context.request;
    return () -> {
      var own = new ServiceContext(context.body, ServicePolicy.AT_ONCE).enter();
      own.request = request;
      try {
        work.run();
      } finally {
        own.leave();
      }
    };
  }

  /** Makes this the current context until {@link #leave}; contexts nest. */
  public ServiceContext enter() {
    outer = CURRENT.get();
    CURRENT.set(this);
    return this;
  }

  public void leave() {
    CURRENT.set(outer); // null too: to remove the entry would be to make another one next time
    outer = null;
  }
}
