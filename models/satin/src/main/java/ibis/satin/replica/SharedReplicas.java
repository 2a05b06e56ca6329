package ibis.satin.replica;

import ibis.satin.SharedObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Engine;

/** The shared objects of this JVM. May be shared between threads. */
public final class SharedReplicas {

  private static final Logger LOGGER = System.getLogger(SharedReplicas.class.getPackageName());

  private static final SharedReplicas HERE = new SharedReplicas();

  private static final int FETCH_SECONDS = 60;

  /** Whether the current thread is within a write method, whose own writes are a part of it. */
  private static final ThreadLocal<Boolean> WRITING = ThreadLocal.withInitial(() -> false);

  private final Map<String, SharedObject> objects = new ConcurrentHashMap<>();
  private final Map<String, Awaited> awaited = new ConcurrentHashMap<>();

  private volatile @Nullable SharedHub hub;
  private volatile @Nullable Engine engine; // written with the lock of this
  private volatile int number;

  /** An object that threads wait for, and their number, which changes within the map. */
  private static final class Awaited {
    final CompletableFuture<SharedObject> object = new CompletableFuture<>();
    int threads;
  }

  private SharedReplicas() {}

  /** Returns the replicas of this JVM; a JVM runs one program. */
  public static SharedReplicas here() {
    return HERE;
  }

  /** Begins to exchange objects and writes with other nodes. */
  public synchronized void connect(SharedHub center, int ownNumber) {
    if (!center.equals(hub)) {
      engine = null;
      objects.clear(); // those of an earlier run
    }
    number = ownNumber;
    hub = center;
  }

  /** Names the engine whose safe points writes of other nodes wait for. */
  public synchronized void executeBy(Engine workers) {
    engine = workers;
  }

  /** Forgets all objects, unless a later run has begun. */
  public synchronized void disconnect(SharedHub center) {
    if (!center.equals(hub)) {
      return;
    }
    hub = null;
    engine = null;
    objects.clear();
  }

  /** Returns whether there are other nodes. */
  public boolean isConnected() {
    return hub != null;
  }

  /**
   * Makes an object known: from now on its writes are sent.
   *
   * @param toAll whether it goes to all nodes now, or to those that ask for it
   * @throws IllegalArgumentException if its state cannot be copied
   */
  public void share(SharedObject object, boolean toAll) {
    String id = object.getObjectIdAndSetNonlocal();
    SharedHub center = hub;
    if (center != null && objects.putIfAbsent(id, object) == null) {
      center.share(number, id, SharedState.write(object), toAll);
    }
  }

  /**
   * Returns what is encoded in place of an object: its name, unless it is not shared or its state
   * is being written.
   *
   * @throws IllegalArgumentException if the state of another object is being written
   */
  public Object replace(SharedObject object) {
    return isConnected()
            && !SharedState.isWritten(object)
            && objects.containsKey(object.getObjectId())
        ? new SharedReference(object.getObjectId())
        : object;
  }

  /** Returns the replica of a name; waits until it has come. */
  SharedObject find(String id) {
    SharedObject known = objects.get(id);
    SharedHub center = hub;
    if (known != null || center == null) {
      return present(known, id);
    }
    CompletableFuture<SharedObject> coming = await(center, id);
    try {
      known = objects.get(id);
      return known != null ? known : coming.get(FETCH_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return present(objects.get(id), id);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return present(null, id);
    } finally {
      endWait(center, id);
    }
  }

  /** Asks for an object, unless another thread has. */
  private CompletableFuture<SharedObject> await(SharedHub center, String id) {
    Awaited all =
        awaited.compute(
            id,
            (_, others) -> {
              Awaited waiting = others == null ? new Awaited() : others;
              if (waiting.threads++ == 0) {
                center.fetch(number, id);
              }
              return waiting;
            });
    return all.object;
  }

  /** Takes the request back if no thread waits any more, and the object has not come. */
  private void endWait(SharedHub center, String id) {
    awaited.computeIfPresent(
        id,
        (_, waiting) -> {
          if (--waiting.threads > 0) {
            return waiting;
          }
          if (!waiting.object.isDone()) {
            center.giveUp(number, id);
          }
          return null;
        });
  }

  private static SharedObject present(@Nullable SharedObject known, String id) {
    if (known == null) {
      throw new IllegalStateException(
          "shared object '%s' has not come from the program's node within %d s"
              .formatted(id, FETCH_SECONDS));
    }
    return known;
  }

  /** Returns how long a guard may not hold on a node that has taken its job, in milliseconds. */
  public static long waitMillis() {
    return Long.getLong("satin.so.waitTime", 60_000);
  }

  void install(String id, byte[] state) {
    SharedObject object = SharedState.read(state);
    SharedObject before = objects.putIfAbsent(id, object);
    Awaited waiting = awaited.get(id);
    if (waiting != null) {
      waiting.object.complete(before == null ? object : before);
    }
  }

  synchronized void applyLater(String id, String method, String descriptor, Object[] arguments) {
    SharedObject replica = objects.get(id);
    if (replica == null) {
      return;
    }
    Engine workers = engine;
    if (workers == null) {
      apply(replica, method, descriptor, arguments); // no job has run here yet
    } else {
      workers.atSafePoint(() -> apply(replica, method, descriptor, arguments));
    }
  }

  /**
   * Begins a write of the program, and sends it to the other nodes.
   *
   * @return whether {@link #endWrite} is to be called
   */
  public boolean beginWrite(
      SharedObject object, String method, String descriptor, Object[] arguments) {
    SharedHub center = hub;
    if (center == null || WRITING.get()) {
      return false;
    }
    // The arguments as they are before the write, which may change them.
    center.write(number, object.getObjectId(), method, descriptor, arguments);
    WRITING.set(true);
    return true;
  }

  /** Ends a write of the program. */
  public void endWrite() {
    WRITING.set(false);
  }

  /** Applies a write of another node; an exception of it was thrown there, too. */
  static void apply(SharedObject replica, String name, String descriptor, Object[] arguments) {
    boolean outer = WRITING.get();
    WRITING.set(true);
    try {
      method(replica.getClass(), name, descriptor).invoke(replica, arguments);
    } catch (InvocationTargetException dropped) {
      LOGGER.log(Level.DEBUG, "a write has thrown " + dropped.getTargetException());
    } catch (ReflectiveOperationException e) {
      LOGGER.log(
          Level.ERROR,
          "write {0}.{1} is not applied here: {2}; run the same classes on all nodes",
          replica.getClass().getName(),
          name,
          e);
    } finally {
      WRITING.set(outer);
    }
  }

  private static Method method(Class<?> type, String name, String descriptor)
      throws ReflectiveOperationException {
    MethodType wanted =
        MethodTypeDesc.ofDescriptor(descriptor)
            .resolveConstantDesc(
                java.lang.invoke.MethodHandles.privateLookupIn(
                    type, java.lang.invoke.MethodHandles.lookup()));
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (method.getName().equals(name)
            && method.getReturnType() == wanted.returnType()
            && wanted.parameterList().equals(java.util.List.of(method.getParameterTypes()))) {
          method.setAccessible(true);
          return method;
        }
      }
    }
    throw new NoSuchMethodException(type.getName() + "." + name + descriptor);
  }
}
