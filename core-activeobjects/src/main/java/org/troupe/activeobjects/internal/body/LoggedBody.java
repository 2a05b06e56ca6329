package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.marshal.FailureSummary;
import org.troupe.futures.WaitInterruptedException;
import org.troupe.serialization.SerializationException;

/** A body whose requests are logged before they are served. */
public final class LoggedBody extends FifoBody {

  /*
   * Design: contents and order of the log
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
  private volatile @Nullable CallLog log; // set before the service begins
  private volatile boolean endsWithGrid;

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

  /** Returns the log; {@code null} if the object is about to arrive. */
  public @Nullable CallLog logIfKnown() {
    return log;
  }

  /** Lets the log learn something, on another thread: at once, or when the object has its log. */
  public void withLog(Consumer<CallLog> action) {
    var known = log;
    if (known == null) { // the object is about to arrive
      execute(() -> action.accept(log()));
    } else {
      Thread.startVirtualThread(() -> action.accept(known));
    }
  }

  /** Returns whether the object outlives its node with all calls that it has taken. */
  public boolean outlivesNode() {
    return restartPolicy().scope() == Restart.Scope.ELSEWHERE;
  }

  @Override
  public boolean keepsCalls() {
    return outlivesNode();
  }

  /** Returns whether a request is logged: it is one to the object, and served in its turn. */
  boolean logs(CallMethod method, ServiceContext context) {
    return context.rule instanceof ServicePolicy.Rule.InTurn && !method.isOfBody();
  }

  /**
   * Logs a request. Its arguments that are results are awaited for that, until the body is told to
   * end before it serves the queued requests.
   */
  void beginRequest(CallRequest request, Object[] arguments) {
    synchronized (argumentsLock) {
      if (isDying()) {
        throw notServed(request.method);
      }
      awaiting = Thread.currentThread();
    }
    try {
      log().begin(request, arguments);
    } catch (WaitInterruptedException | SerializationException interrupted) {
      throw isDying() ? notServed(request.method) : interrupted;
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

  @Override
  @Nullable QueuedRequest beginningAgain(Object object, Consumer<LifeCycle> beginning) {
    return log().isRestLeft()
        ? new QueuedRequest.Task(() -> serveRest(object))
        : super.beginningAgain(object, beginning);
  }

  /** Serves the requests that a former process of the object had taken and not ended. */
  private void serveRest(Object object) {
    var context = Objects.requireNonNull(ServiceContext.current(), "the context of a task");
    try {
      log().serveRest(object);
    } catch (CallLog.StoppedException stopped) {
      stop(stopped, context);
    } catch (Throwable failure) {
      fail(FailureSummary.line(failure), context);
    }
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
      log().startReturned();
    } catch (CallLog.StoppedException stopped) {
      log().interruptedStart();
      stop(stopped, context);
    }
  }

  /**
   * Lets the object find out, in its turn, that its log has failed.
   *
   * @param action uses the log
   */
  public void requireLog(Runnable action) {
    execute(
        () -> {
          try {
            action.run();
          } catch (CallLog.StoppedException stopped) {
            stop(
                stopped, Objects.requireNonNull(ServiceContext.current(), "the context of a task"));
          }
        });
  }

  /** Returns whether the object has failed if one of its requests throws an exception. */
  public boolean failsBy(Throwable thrown) {
    return ObjectFailures.isFailure(this, thrown, null);
  }

  /** Returns whether the object has ended in the middle of a request, since the grid ends. */
  boolean endsWithGrid() {
    return endsWithGrid;
  }

  /**
   * Ends the object if its node has left the grid, or the grid ends: it may go on elsewhere, or in
   * the next run.
   *
   * @return whether that is so
   */
  boolean endsIfCutOff() {
    var known = log;
    if (known == null || !known.isCutOff()) {
      return false;
    }
    endsWithGrid = known.endsWithGrid(); // first: its callers find out why it ends
    endNow(End.of(End.How.LOST, this + " was lost: its node has left the grid, or the grid ends"));
    return true;
  }

  /** Ends the object, whose last image is stable, since the grid ends and others wait for it. */
  public void endWithGrid() {
    endsWithGrid = true;
    endNow(End.of(End.How.LOST, this + " was lost: the grid ends"));
  }

  /** Ends or restarts the object, whose log or replay has failed. */
  void stop(CallLog.StoppedException stopped, ServiceContext context) {
    if (endsIfCutOff()) {
      return;
    }
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
