package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.futures.FutureResult;

/**
 * The request and body that the current thread serves; threads of the user have none. Accessed only
 * by its thread, or by a helper thread that continues in its place while it waits.
 */
public final class ServiceContext {

  private static final ThreadLocal<ServiceContext> CURRENT = new ThreadLocal<>();

  /** The body; {@code null} if the thread does not act for a body. */
  public final @Nullable Body body;

  /** The rule of the body under which the thread serves. */
  public final ServicePolicy.Rule rule;

  public @Nullable CallRequest request;
  public long waitedNanos;

  /** When the request began, or somewhat earlier, for reports only; 0 if unknown. */
  long beganNanos;

  /** When the last request ended, if it was traced and no caller awaits it; else 0. */
  long endedNanos;

  /** When the next request begins if it is traced, as the last one ended then; 0 if unknown. */
  private long nextNanos;

  /** When the last wait of the request began, or somewhat earlier; for reports only. */
  long waitingNanos;

  /** The thread of the last wait of the request; for reports only. */
  @Nullable Thread waiter;

  /** The node for whose link the request waits to send; {@code null} if for none. */
  volatile @Nullable NodeId crowdedLink;

  /** Whether the thread serves a request of a {@link LoggedBody} that is being logged. */
  public boolean isLogged;

  /** Why calls are refused in this context, which has no body; {@code null} if they are not. */
  private @Nullable String refusal;

  /** Whether the thread is that of a caller, which serves its own call. */
  boolean isOnCallersThread;

  /** The request whose calls are exempt from waiting for memory, or {@code null}. */
  private @Nullable CallRequest exempt;

  private @Nullable ServiceContext outer;

  public ServiceContext(@Nullable Body body, ServicePolicy.Rule rule) {
    this.body = body;
    this.rule = rule;
  }

  /** Returns whether the body serves nothing but immediate calls until this thread is done. */
  private boolean isAlone(Body own) {
    return rule instanceof ServicePolicy.Rule.InTurn && (own.isSequential() || !own.hasBegun());
  }

  /** Returns the enclosing context, or {@code null}. */
  public @Nullable ServiceContext outer() {
    return outer;
  }

  /**
   * Records what the current thread waits for: for its body, if that serves nothing meanwhile, else
   * for the request of another node.
   *
   * @return an action that removes the record and then runs {@code then}
   */
  public Runnable waits(FutureResult<?> awaited, Runnable then) {
    var own = body;
    if (own != null && isAlone(own)) {
      var before = own.waitingFor; // a call, if this is the wait for capacity to make it
      own.waitingFor = awaited;
      waitingNanos = own.node().recentNanos();
      var outerWaiter = waiter;
      waiter = Thread.currentThread();
      return () -> {
        own.waitingFor = before;
        waiter = outerWaiter;
        then.run();
      };
    }
    return request == null ? then : request.waits(awaited, then);
  }

  /** Returns when a traced request begins; reads no clock if it was read as the last one ended. */
  long beginsTraced() {
    var known = nextNanos;
    nextNanos = 0;
    return known != 0 ? known : System.nanoTime();
  }

  /**
   * Records that a request of a batch was served.
   *
   * @param isFollowed whether the thread begins the next request without any other work
   */
  void served(boolean isFollowed) {
    nextNanos = isFollowed ? endedNanos : 0;
    endedNanos = 0;
  }

  /** Runs a wait of the current thread for space on the link to a node. */
  public static void awaitLink(NodeId node, Runnable wait) {
    var context = CURRENT.get();
    if (context == null || context.body == null) {
      wait.run();
      return;
    }
    context.waitingNanos = context.body.node().recentNanos();
    context.waiter = Thread.currentThread();
    context.crowdedLink = node;
    try {
      wait.run();
    } finally {
      context.crowdedLink = null;
      context.waiter = null;
    }
  }

  /** Returns the context of the current thread, or {@code null}. */
  public static @Nullable ServiceContext current() {
    return CURRENT.get();
  }

  /** Returns the body that the current thread serves, or {@code null}. */
  public static @Nullable Body currentBody() {
    var context = CURRENT.get();
    return context == null ? null : context.body;
  }

  /** Returns the body of a node that the current thread serves; {@code null} if it serves none. */
  public static @Nullable Body currentBody(BodyHost node) {
    var body = currentBody();
    return body != null && body.node() == node ? body : null;
  }

  /**
   * Returns the body of a node in whose name the current thread makes a call; {@code null} if it
   * serves none.
   *
   * @throws IllegalStateException if the thread may make no calls
   */
  public static @Nullable Body callingBody(BodyHost node) {
    var context = CURRENT.get();
    if (context == null) {
      return null;
    }
    var body = context.body;
    if (body == null) {
      if (context.refusal != null) {
        throw new IllegalStateException(context.refusal);
      }
      return null;
    }
    return body.node() == node ? body : null;
  }

  /** Runs work that may make no calls. */
  public static void withoutCalls(String reason, Runnable work) {
    var context = new ServiceContext(null, ServicePolicy.AT_ONCE);
    context.refusal = reason;
    context.enter();
    try {
      work.run();
    } finally {
      context.leave();
    }
  }

  /** Returns whether the calls of the current request are exempt from waiting for memory. */
  public static boolean isExemptFromMemory() {
    var context = CURRENT.get();
    return context != null && context.exempt != null && context.exempt == context.request;
  }

  /** Exempts the calls of the current request from waiting for memory. */
  public static void exemptFromMemory() {
    var context = CURRENT.get();
    if (context != null) {
      context.exempt = context.request;
    }
  }

  /** Returns the stamp of the multicast that the current thread serves, or {@code null}. */
  public static @Nullable MulticastStamp currentStamp() {
    var context = CURRENT.get();
    return context == null || context.request == null ? null : context.request.stamp;
  }

  /**
   * Returns an action that performs a part of this thread's work on a helper thread, for the same
   * body, while this thread waits.
   */
  public static Runnable carried(Runnable part) {
    var context = CURRENT.get();
    if (context == null) {
      return part;
    }
    var carried = ObserverBinding.carried(part);
    return () -> {
      CURRENT.set(context);
      try {
        carried.run();
      } finally {
        CURRENT.remove();
      }
    };
  }

  /** Implements {@link org.troupe.activeobjects.collective.Collectives#inName}. */
  public static Runnable inName(Runnable work) {
    var context = CURRENT.get();
    if (context == null || context.body == null) {
      return work;
    }
    var request = context.request;
    var carried = ObserverBinding.carried(work);
    return () -> {
      var own = new ServiceContext(context.body, ServicePolicy.AT_ONCE).enter();
      own.request = request;
      try {
        carried.run();
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
    CURRENT.set(outer); // even if null: after a removal the next set would allocate another entry
    outer = null;
  }
}
