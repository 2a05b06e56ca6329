package org.troupe.activeobjects.internal.body;

import java.lang.System.Logger.Level;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * Gives the requests that a thread serves as their caller thread-locals of their own. One for each
 * thread and level of nesting; used by its thread only.
 */
@SuppressWarnings("NullAway") // the handles of fields are used only if this JVM allows it
final class ThreadLocalIsolation {

  /*
   * Design: exchange of a thread's map of thread-locals
   *
   * A thread keeps its thread-locals in a map. This class exchanges that map for another one while a request
   * is served, so neither the request nor the caller sees the thread-locals of the other. The map of the
   * requests is kept for the thread's next one, unless a request has left something in it.
   *
   * Access. The fields of Thread are accessible only if java.base opens java.lang to this module
   * (--add-opens java.base/java.lang=..). Without that option, no thread can be used. jdk.unsupported offers
   * no substitute: Unsafe prints a warning when it accesses a field.
   *
   * Limits. Bindings of scoped values are found on the stack, and values of inheritable
   * thread-locals would have to be copied by code of the program. A thread that has either is not used. Neither
   * is a worker of a fork-join pool: a wait of the request may run other tasks of that pool, in the request's
   * context.
   *
   * The context class loader of the caller is the one that the body's own thread would inherit. The request may
   * change it, and the name, the priority and the handler of uncaught exceptions of the thread, as it may on a
   * thread of the body; the changes are undone.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final boolean IS_AVAILABLE;

  // Of Thread
  private static final @Nullable VarHandle LOCALS;
  private static final @Nullable VarHandle INHERITABLE;
  private static final @Nullable VarHandle BINDINGS;

  /** The size of a map. */
  private static final @Nullable VarHandle SIZE;

  /** The bindings of a thread that has looked for scoped values and found none. */
  private static final @Nullable Object NO_BINDINGS;

  /** The bindings of a thread that has never used a scoped value. */
  private static final Object NEVER_BOUND = Thread.class;

  static {
    @Nullable VarHandle locals = null;
    @Nullable VarHandle inheritable = null;
    @Nullable VarHandle bindings = null;
    @Nullable VarHandle size = null;
    @Nullable Object noBindings = null;
    var isAvailable = false;
    try {
      var own = MethodHandles.lookup();
      var lookup = MethodHandles.privateLookupIn(Thread.class, own);
      var map = lookup.findClass("java.lang.ThreadLocal$ThreadLocalMap");
      locals = lookup.findVarHandle(Thread.class, "threadLocals", map);
      inheritable = lookup.findVarHandle(Thread.class, "inheritableThreadLocals", map);
      bindings = lookup.findVarHandle(Thread.class, "scopedValueBindings", Object.class);
      size = MethodHandles.privateLookupIn(map, own).findVarHandle(map, "size", int.class);
      var snapshot = lookup.findClass("java.lang.ScopedValue$Snapshot");
      noBindings =
          MethodHandles.privateLookupIn(snapshot, own)
              .findStaticVarHandle(snapshot, "EMPTY_SNAPSHOT", snapshot)
              .get();
      isAvailable = true;
    } catch (IllegalAccessException e) {
      LOG.log(Level.DEBUG, "java.lang is not open, so callers do not serve their own calls");
    } catch (ReflectiveOperationException e) {
      LOG.log(Level.DEBUG, "this JDK keeps thread-locals elsewhere", e);
    }
    LOCALS = locals;
    INHERITABLE = inheritable;
    BINDINGS = bindings;
    SIZE = size;
    NO_BINDINGS = noBindings;
    IS_AVAILABLE = isAvailable;
  }

  /**
   * The limit on the requests that a thread serves within each other; each occupies about 2 KiB of
   * its stack, besides the frames of the program's methods.
   */
  static final int MOST_NESTED = 16;

  /** After this number of requests a virtual thread yields its carrier. */
  private static final int YIELD_AFTER = 256;

  /** The size of a map that holds only this class's thread-local and that of the context. */
  private static final int OWN_ENTRIES = 2;

  private static final ThreadLocal<@Nullable ThreadLocalIsolation> NEXT = new ThreadLocal<>();

  private final int level;
  private int served;
  private @Nullable Object values; // the map of the requests; null if there is none

  // During a request
  private @Nullable Object callersValues;
  private @Nullable ClassLoader callersLoader;
  private @Nullable UncaughtExceptionHandler callersHandler;
  private String callersName = "";
  private int callersPriority;

  private ThreadLocalIsolation(int level) {
    this.level = level;
  }

  /** Returns whether this JVM allows it. */
  static boolean isAvailable() {
    return IS_AVAILABLE;
  }

  /**
   * Returns the isolation for the next request of the current thread; {@code null} if the thread
   * cannot serve any.
   */
  static @Nullable ThreadLocalIsolation ofCurrentThread() {
    if (!IS_AVAILABLE) {
      return null;
    }
    var thread = Thread.currentThread();
    var bindings = (Object) BINDINGS.get(thread);
    if (bindings != NEVER_BOUND && bindings != NO_BINDINGS
        || !isEmpty(INHERITABLE.get(thread))
        || thread instanceof ForkJoinWorkerThread) {
      return null;
    }
    var next = NEXT.get();
    if (next == null) {
      next = new ThreadLocalIsolation(1);
      NEXT.set(next);
    }
    return next.level > MOST_NESTED ? null : next;
  }

  private static boolean isEmpty(@Nullable Object map) {
    return map == null || (int) SIZE.get(map) == 0;
  }

  /** Begins a request, which sees none of the current thread's thread-locals. */
  void enter() {
    var thread = Thread.currentThread();
    callersLoader = thread.getContextClassLoader();
    callersHandler = thread.getUncaughtExceptionHandler();
    callersName = thread.getName();
    callersPriority = thread.getPriority();
    callersValues = (Object) LOCALS.get(thread);
    LOCALS.set(thread, values);
    if (values == null) {
      try {
        NEXT.set(new ThreadLocalIsolation(level + 1));
      } catch (Throwable lackOfMemoryOrStack) {
        LOCALS.set(thread, callersValues);
        throw lackOfMemoryOrStack;
      }
    }
  }

  /** Ends the request; the thread has its own thread-locals again. */
  void leave() {
    var thread = Thread.currentThread();
    var used = (Object) LOCALS.get(thread);
    LOCALS.set(thread, callersValues);
    callersValues = null;
    values = used != null && (int) SIZE.get(used) == OWN_ENTRIES ? used : null;
    if ((Object) INHERITABLE.get(thread) != null) {
      INHERITABLE.set(thread, null);
    }
    if (thread.getContextClassLoader() != callersLoader) {
      thread.setContextClassLoader(callersLoader);
    }
    callersLoader = null;
    if (thread.getUncaughtExceptionHandler() != callersHandler) {
      // A thread without a handler gives its group.
      thread.setUncaughtExceptionHandler(
          callersHandler == thread.getThreadGroup() ? null : callersHandler);
    }
    callersHandler = null;
    if (!thread.getName().equals(callersName)) {
      thread.setName(callersName);
    }
    if (thread.getPriority() != callersPriority) {
      thread.setPriority(callersPriority);
    }
  }

  /** Yields the carrier of the current thread from time to time; called after each request. */
  void yieldSometimes() {
    if (++served % YIELD_AFTER == 0 && Thread.currentThread().isVirtual()) {
      Thread.yield();
    }
  }
}
