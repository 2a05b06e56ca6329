package org.troupe.activeobjects.internal.deadlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.ServiceContext;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.internal.object.BodyEnd;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.ObservedCall;
import org.troupe.activeobjects.internal.observe.ObserverBinding;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.spi.Observer;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;

/**
 * Applies the rules of active objects when a thread waits for a future: a thread that serves a
 * request records what it waits for and searches for a cycle, and stages are requests of the object
 * that added them.
 */
public final class WaitPolicy implements FutureRuntime {

  private static final long LONG_WAIT_NANOS = 1_000_000; // for an observer
  private static final Runnable NOTHING = () -> {};

  @Override
  public Runnable begins(FutureResult<?> awaited, boolean bounded) {
    var ended = beginsUnobserved(awaited, bounded);
    if (TierSwitch.isTracing()) {
      ended = traced(awaited, ended);
    }
    if (FlightSwitch.isOn()) {
      ended = inFlight(awaited, ended);
    }
    return ObserverBinding.isBound() && isByNecessity(awaited) ? observed(awaited, ended) : ended;
  }

  /** Returns whether a wait is none of the middleware, and is not a part of a call. */
  private static boolean isByNecessity(FutureResult<?> awaited) {
    var body = ServiceContext.currentBody();
    if (body != null && body.type().isMiddleware()) {
      return false;
    }
    return !(awaited instanceof CallResult call)
        || !call.isForOneOnly() && !call.method().owner().isMiddleware();
  }

  /** Adds that a wait is an event of the recordings that run when it has ended. */
  private static Runnable inFlight(FutureResult<?> awaited, Runnable then) {
    var body = ServiceContext.currentBody();
    if (body != null && body.type().isMiddleware()) {
      return then;
    }
    var span = FlightEvents.waiting();
    return () -> {
      span.ended(
          body == null ? "" : body.type().type().getName(),
          body == null ? 0 : body.identity(),
          awaited.describe());
      then.run();
    };
  }

  /** Adds that a wait is traced when it has ended. */
  private static Runnable traced(FutureResult<?> awaited, Runnable then) {
    var body = ServiceContext.currentBody();
    var trace =
        body == null || body.type().isMiddleware() ? null : body.node().observer().traceIfOn();
    if (body == null || trace == null) {
      return then;
    }
    var began = System.nanoTime();
    return () -> {
      trace.addWait(
          body.type().type().getName(),
          awaited.describe(),
          body.identity(),
          began,
          System.nanoTime());
      then.run();
    };
  }

  /** Returns an action that tells the observer of a wait by necessity, if it was long. */
  private static Runnable observed(FutureResult<?> awaited, Runnable ended) {
    var began = System.nanoTime();
    return () -> {
      ended.run();
      var nanos = System.nanoTime() - began;
      if (nanos >= LONG_WAIT_NANOS) {
        ObserverBinding.waited(
            new Observer.Wait(awaited.describe(), ObservedCall.contextOf(awaited), nanos));
      }
    };
  }

  private static Runnable beginsUnobserved(FutureResult<?> awaited, boolean bounded) {
    var context = ServiceContext.current();
    if (context == null || context.body == null) {
      return NOTHING;
    }
    var began = System.nanoTime();
    Runnable ended = () -> context.waitedNanos += System.nanoTime() - began;
    var ends = bounded || awaited instanceof CallResult call && call.isLimited();
    if (!ends && awaited instanceof BodyEnd end) {
      DeadlockDetector.checkOwnEnd(context, end);
    }
    DeadlockDetector.checkOwn(context, awaited, ends);
    if (ends) {
      return ended;
    }
    var undo = ended;
    try {
      // A constructor runs on the thread of the object that creates it, which waits meanwhile.
      for (var each = context; each != null && each.body != null; each = each.outer()) {
        undo = each.waits(awaited, undo);
        if (each.body.waitingFor == awaited) {
          DeadlockDetector.check(each.body);
        }
      }
    } catch (RuntimeException cycle) {
      undo.run();
      throw cycle;
    }
    return undo;
  }

  @Override
  public Executor stages() {
    var body = ServiceContext.currentBody();
    return body == null ? Thread::startVirtualThread : body;
  }

  @Override
  public Executor stageMadeNow(Executor stages) {
    return ObserverBinding.carried(stages);
  }

  @Override
  public void detached(Runnable work) {
    if (ServiceContext.current() == null) {
      work.run();
      return;
    }
    var nobody = new ServiceContext(null, ServicePolicy.AT_ONCE).enter();
    try {
      work.run();
    } finally {
      nobody.leave();
    }
  }

  @Override
  public void staged(Executor stages, CompletableFuture<?> stage) {
    if (stages instanceof Body body) {
      if (body instanceof LoggedBody) {
        LoggedBody.requireUnlogged(
            "the stage of a future", "wait for the future in the request, or use Keep.state");
      }
      body.departures().staged(stage);
    }
  }

  @Override
  public void beginsForStage(Executor stages, boolean bounded) {
    var context = ServiceContext.current();
    if (context != null
        && !bounded
        && context.body == stages
        && !(context.rule instanceof ServicePolicy.Rule.AtOnce)) {
      throw DeadlockDetector.stageOfItself(context.body);
    }
  }
}
