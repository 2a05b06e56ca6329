package org.troupe.activeobjects.internal.observe;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.spi.Observer;

/** The observer of this JVM, if there is one. */
public final class ObserverBinding {

  /*
   * Design: calls of an observer that cost nothing where there is none
   *
   * As in TierSwitch, whether an observer is bound is a constant in a mutable call site. The code on the path of a call asks
   * isBound() first, and the compiler removes what depends on it.
   *
   * The context of the call that a thread is sending is in a thread-local, from called() until the message or the
   * request has been made, which is on the same thread; calls that are deferred take it along (sendingLater). It is
   * bytes also within a JVM, so that an observer has one way to continue a trace.
   *
   * An observer is other people's code on the path of each call. Its exceptions stay here: a request whose service cannot be
   * observed is still served, and its caller gets the answer. The observer is unbound for good, so that it does not fill the
   * log; observations that it has made still end. Lack of stack or memory is that of the calling thread or JVM, so it unbinds
   * no observer.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** After so many observers that cannot be loaded, the list of observers itself is unreadable. */
  private static final int MOST_FAILURES = 8;

  /** The context of a call that is not traced. */
  public static final byte[] NOT_TRACED = {};

  private static final MethodHandle YES = MethodHandles.constant(boolean.class, true);
  private static final MethodHandle NO = MethodHandles.constant(boolean.class, false);
  private static final MutableCallSite BOUND = new MutableCallSite(NO);
  private static final MethodHandle IS_BOUND = BOUND.dynamicInvoker();

  private static final ThreadLocal<byte @Nullable []> SENDING = new ThreadLocal<>();

  private static volatile @Nullable Observer observer; // written under the class
  private static boolean isSearched; // guarded by the class

  private ObserverBinding() {}

  /** Returns whether there is an observer. */
  public static boolean isBound() {
    try {
      return (boolean) IS_BOUND.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError("a constant", e);
    }
  }

  /** Returns whether calls of a method are observed: those of the program are. */
  public static boolean isObserved(CallMethod method) {
    return isBound() && !method.owner().isMiddleware() && !method.isOfBody();
  }

  /** Looks for an observer, at the start of the first node of this JVM. */
  public static synchronized void begin() {
    if (!isSearched) {
      isSearched = true;
      bindFirst(
          ServiceLoader.load(Observer.class, ObserverBinding.class.getClassLoader()).iterator());
    }
  }

  /** Binds the first observer that can be loaded; the log names the others. */
  static synchronized void bindFirst(Iterator<Observer> found) {
    for (var failures = 0; failures < MOST_FAILURES; ) {
      var bound = observer;
      try {
        if (!found.hasNext()) {
          return;
        }
        var next = found.next();
        if (bound == null) {
          bind(next);
        } else {
          LOG.log(
              Level.WARNING,
              "calls are observed by {0} only, since a JVM has one observer; take {1} from the class"
                  + " path, or the other one",
              bound.getClass().getName(),
              next.getClass().getName());
        }
      } catch (ServiceConfigurationError | LinkageError e) { // the next one may be found
        failures++;
        LOG.log(
            Level.WARNING,
            "an observer of calls cannot be loaded"
                + (bound == null ? "" : ", so calls are observed by " + bound.getClass().getName())
                + ": "
                + reason(e)
                + "; take it from the class path, or add what it needs");
      }
    }
  }

  private static String reason(Throwable failure) {
    var root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    var message = String.valueOf(failure.getMessage()); // of the loader; it names the class
    return failure instanceof ServiceConfigurationError
        ? root == failure ? message : message + " (" + root + ")"
        : failure.toString();
  }

  /**
   * Replaces the observer.
   *
   * @param next the observer from now on, or {@code null}
   */
  public static synchronized void bind(@Nullable Observer next) {
    isSearched = true;
    observer = next;
    BOUND.setTarget(next == null ? NO : YES);
    MutableCallSite.syncAll(new MutableCallSite[] {BOUND});
  }

  private static <R> @Nullable R ask(Function<Observer, @Nullable R> question) {
    var asked = observer;
    if (asked == null) {
      return null;
    }
    try {
      return question.apply(asked);
    } catch (Throwable e) {
      threw(asked, e);
      return null;
    }
  }

  private static void threw(@Nullable Observer failed, Throwable why) {
    if (failed != null && !(why instanceof VirtualMachineError)) {
      unbind(failed, why);
    }
  }

  private static synchronized void unbind(Observer failed, Throwable why) {
    if (observer == failed) {
      bind(null);
      LOG.log(
          Level.WARNING,
          "calls are not observed any more, because " + failed.getClass().getName() + " threw",
          why);
    }
  }

  /** Tells the observer of a call that the current thread is about to make. */
  public static Observer.@Nullable CallObservation called(Observer.Call call) {
    return ask(each -> each.called(call));
  }

  /** Tells the observer of a request that the current thread is about to serve. */
  public static Observer.@Nullable Observation serves(Observer.Service service) {
    return ask(each -> each.serves(service));
  }

  /** Tells the observer of the part of a member in a collective operation. */
  public static Observer.@Nullable Observation takesPart(Observer.Collective collective) {
    return ask(each -> each.takesPart(collective));
  }

  /** Tells the observer of a wait that has ended. */
  public static void waited(Observer.Wait wait) {
    ask(
        each -> {
          each.waited(wait);
          return null;
        });
  }

  /** Tells the observer of a failure that no caller observes. */
  public static void failed(Observer.UnobservedFailure failure) {
    ask(
        each -> {
          each.failed(failure);
          return null;
        });
  }

  /** Ends an observation. */
  public static void ended(
      Observer.@Nullable Observation observation, Observer.@Nullable Failure failure) {
    if (observation == null) {
      return;
    }
    try {
      observation.ended(failure);
    } catch (Throwable e) {
      threw(observer, e);
    }
  }

  /** Ends an observation with the exception of its failure, whose methods may fail, too. */
  public static void ended(
      Observer.@Nullable Observation observation, @Nullable Throwable failure) {
    if (observation != null) {
      ended(observation, failure == null ? null : failure(failure));
    }
  }

  private static Observer.Failure failure(Throwable failure) {
    String message;
    try {
      message = String.valueOf(failure.getMessage());
    } catch (Throwable again) { // of the program's own exception
      message = "its text cannot be read, because of " + again.getClass().getName();
    }
    return new Observer.Failure(failure.getClass().getName(), message);
  }

  // Contexts

  /** Returns the context that travels with a call; {@code null} if there is none. */
  public static byte @Nullable [] contextOf(Observer.@Nullable CallObservation observation) {
    if (observation == null) {
      return null;
    }
    byte @Nullable [] context = null;
    try {
      context = observation.context();
    } catch (Throwable e) {
      threw(observer, e);
    }
    if (context == null || context.length > Observer.LONGEST_CONTEXT) {
      return null;
    }
    return context.length == 0 ? NOT_TRACED : context;
  }

  /**
   * Sets the context of the call that the current thread is about to send.
   *
   * @return the context before, to be set again
   */
  public static byte @Nullable [] sends(byte @Nullable [] context) {
    var before = SENDING.get();
    SENDING.set(context);
    return before;
  }

  /** Returns the context of the call that the current thread sends, or {@code null}. */
  public static byte @Nullable [] sending() {
    return SENDING.get();
  }

  /** Returns work that sends the call which the current thread sends. */
  public static Runnable sendingLater(Runnable work) {
    if (!isBound()) {
      return work;
    }
    var context = SENDING.get();
    return () -> {
      var before = sends(context);
      try {
        work.run();
      } finally {
        sends(before);
      }
    };
  }

  /** Returns work that runs in the context of the current thread. */
  public static Runnable carried(Runnable work) {
    if (!isBound()) {
      return work;
    }
    var carried = ask(each -> each.captured().apply(work));
    return carried == null ? work : carried;
  }

  /** Returns an executor that runs work in the context that the current thread has now. */
  public static Executor carried(Executor executor) {
    if (!isBound()) {
      return executor;
    }
    var captured = ask(Observer::captured);
    return captured == null
        ? executor
        : work -> {
          var carried = ask(_ -> captured.apply(work));
          executor.execute(carried == null ? work : carried);
        };
  }
}
