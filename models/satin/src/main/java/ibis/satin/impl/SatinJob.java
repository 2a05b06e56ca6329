package ibis.satin.impl;

import ibis.satin.SharedObject;
import ibis.satin.replica.SharedReplicas;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Engine;
import org.troupe.tasks.engine.Spawn;

/**
 * A spawned call. Generated classes hold the receiver, the arguments and the result; the parts that
 * belong to the spawning activation do not travel.
 */
@SuppressWarnings("exports") // of the engine's room generated classes name nothing
public abstract class SatinJob extends Spawn {

  private static final SharedObject[] NONE = {};

  /** Whether the job that the thread executes was spawned by another node. */
  private static final ThreadLocal<Boolean> TAKEN = ThreadLocal.withInitial(() -> false);

  /** Whether any job here ever was. Written before such a job is executed, by the same thread. */
  private static boolean anyTaken;

  private static final long PAUSE_NANOS = 5_000_000;

  /** The number of the spawn in its method. */
  public transient int site;

  /** The array or the object that gets the result, if there is one. */
  public transient @Nullable Object target;

  /** The index of the array element that gets the result. */
  public transient int index;

  transient @Nullable Activation activation;

  /** The job that the same activation has spawned next. */
  transient @Nullable SatinJob next;

  /** Whether a thread that is no worker has executed it, with a result. */
  private transient boolean executedHere;

  /** Whether another node has spawned it. */
  private transient boolean taken;

  /** For generated classes. */
  protected SatinJob() {}

  /** Calls the method, and keeps what it returns. */
  protected abstract void call() throws Throwable;

  /** Calls the guard of the method; without one it always holds. */
  protected boolean guard() {
    return true;
  }

  /** Returns the parameters that are shared objects; some may be {@code null}. */
  protected @Nullable SharedObject[] sharedParameters() {
    return NONE;
  }

  /** Returns class and name of the method, for messages. */
  protected abstract String method();

  /** Shares the parameters, before another node can take this job; also if there is none. */
  final void share() {
    for (SharedObject each : sharedParameters()) {
      if (each != null) {
        SharedReplicas.here().share(each, false);
      }
    }
  }

  /** Waits until the guard holds on the node that has taken this job. */
  @Override
  protected final void arrived() {
    taken = true;
    anyTaken = true;
    SharedReplicas.here().executeBy(Objects.requireNonNull(Engine.current(), "a worker's"));
    if (guard()) {
      return;
    }
    if (sharedParameters().length == 0) {
      throw new IllegalStateException(
          "the guard of '%s' does not hold, and the method has no shared object whose update could change that; give it one as a parameter"
              .formatted(method()));
    }
    long deadline = System.nanoTime() + SharedReplicas.waitMillis() * 1_000_000;
    do {
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the guard of '%s' has not held for %d ms (-Dsatin.so.waitTime), though all writes of its shared objects have come"
                .formatted(method(), SharedReplicas.waitMillis()));
      }
      LockSupport.parkNanos(PAUSE_NANOS); // ended by a write
      Engine.checkpoint(); // where writes are applied
    } while (!guard());
  }

  @Override
  protected final void execute() throws Throwable {
    if (!anyTaken) {
      call();
      return;
    }
    boolean outer = TAKEN.get();
    TAKEN.set(taken);
    try {
      call();
    } finally {
      TAKEN.set(outer);
    }
  }

  @Override
  protected final void ended(@Nullable Throwable failure) throws Throwable {
    if (failure != null && activation != null) {
      activation.failed(this, JobFailure.unwrap(failure));
    }
  }

  /** Executes this job on a thread that is no worker. */
  final void executeHere() throws Throwable {
    Throwable failure = null;
    try {
      execute();
      executedHere = true;
    } catch (Throwable thrown) {
      failure = thrown;
    }
    ended(failure);
  }

  /** Returns whether the job that the current thread executes was spawned by this node. */
  static boolean isLocal() {
    return !TAKEN.get();
  }

  final boolean hasResult() {
    return executedHere || isDone();
  }
}
