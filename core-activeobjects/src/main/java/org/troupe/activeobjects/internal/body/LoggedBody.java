package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.futures.WaitInterruptedException;

/** A body whose requests are logged before they are served. */
public final class LoggedBody extends FifoBody {

  /*
   * Design: what is logged, and when
   *
   * A request is logged when its turn has come, on the thread that serves it, and not when it arrives. So the queue
   * is that of any other body, and the order of the log is that of the service. Requests that wait in the queue are
   * kept by the body itself through a restart on its node.
   *
   * Calls that a logged request makes are accounted for by CallDispatcher, which finds out by the context of the thread
   * (ServiceContext.isLogged). Other effects that would happen again in a replay are refused there, unless they are within
   * ActiveObjects.once, whose result is logged: the creation and the move of objects, calls of groups, stages of futures.
   *
   * A caller does not serve such an object on its own thread, since an interrupt of that thread would break the file of
   * the log.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private final Object argumentsLock = new Object();
  private @Nullable Thread awaiting; // arguments that are results; guarded by argumentsLock
  private @Nullable CallLog log; // set before the service begins

  LoggedBody(BodyHost node, ActiveType<?> type, Options options) {
    super(node, type, options);
  }

  /** Sets the log, before the service begins. */
  public void logTo(CallLog its) {
    log = its;
  }

  /** Returns the log. */
  public CallLog log() {
    return Objects.requireNonNull(log, "the log of an object that serves");
  }

  /** Returns whether a request is logged: it is one to the object, and served in its turn. */
  boolean logs(CallMethod method, ServiceContext context) {
    return context.rule instanceof ServicePolicy.Rule.InTurn && !method.isOfBody();
  }

  /**
   * Logs a request. Its arguments that are results are awaited for that, until the body is told to
   * end before it serves the queued requests.
   */
  void beginRequest(CallMethod method, Object[] arguments, @Nullable Object caller) {
    synchronized (argumentsLock) {
      if (isDying()) {
        throw notServed(method);
      }
      awaiting = Thread.currentThread();
    }
    try {
      log().begin(method, arguments, caller);
    } catch (WaitInterruptedException interrupted) {
      throw isDying() ? notServed(method) : interrupted;
    } finally {
      synchronized (argumentsLock) {
        awaiting = null;
        if (isDying()) {
          Thread.interrupted(); // it came too late
        }
      }
    }
  }

  private ObjectTerminatedException notServed(CallMethod method) {
    return new ObjectTerminatedException(method + " was not served: " + end().why());
  }

  @Override
  void die() {
    super.die();
    synchronized (argumentsLock) {
      if (awaiting != null) {
        awaiting.interrupt();
      }
    }
  }

  @Override
  boolean tryReserveForCaller(CallMethod method) {
    return false;
  }

  @Override
  QueuedRequest beginning(LifeCycle object) {
    return new QueuedRequest.Task(() -> start(object));
  }

  private void start(LifeCycle object) {
    var context = Objects.requireNonNull(ServiceContext.current(), "the context of a task");
    try {
      log().beginStart();
      context.isLogged = true;
      try {
        object.started();
      } catch (RuntimeException | Error failure) {
        context.isLogged = false;
        log().threw(failure, false);
        throw failure;
      } finally {
        context.isLogged = false;
      }
      log().returned(null);
    } catch (CallLog.StoppedException stopped) {
      log().interruptedStart();
      stop(stopped, context);
    }
  }

  /** Returns whether the object has failed if one of its requests throws an exception. */
  public boolean failsBy(Throwable thrown) {
    return ObjectFailures.isFailure(this, thrown, null);
  }

  /** Ends or restarts the object, whose log or replay has failed. */
  void stop(CallLog.StoppedException stopped, ServiceContext context) {
    if (restarts() == null) {
      LOG.log(Level.WARNING, () -> this + " has failed and ends: " + stopped.getMessage());
    }
    fail(String.valueOf(stopped.getMessage()), context);
  }

  /**
   * Checks that the current thread does not serve a logged request.
   *
   * @param what the effect that would happen again
   * @param remedy what to do instead
   * @throws IllegalStateException if it does
   */
  public static void requireUnlogged(String what, String remedy) {
    var context = ServiceContext.current();
    if (context != null && context.isLogged) {
      throw new IllegalStateException(
          "%s is kept by its calls, and %s would happen again when they are served again; %s"
              .formatted(context.body, what, remedy));
    }
  }
}
