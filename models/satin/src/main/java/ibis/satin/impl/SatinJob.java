package ibis.satin.impl;

import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Spawn;

/**
 * A spawned call. Generated classes hold the receiver, the arguments and the result; what belongs
 * to the spawning activation does not travel.
 */
@SuppressWarnings("exports") // of the engine's room generated classes name nothing
public abstract class SatinJob extends Spawn {

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

  /** For generated classes. */
  protected SatinJob() {}

  /** Calls the guard of the method; without one it always holds. */
  protected boolean guard() {
    return true;
  }

  /** Returns class and name of the method, for messages. */
  protected abstract String method();

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

  final boolean hasResult() {
    return executedHere || isDone();
  }
}
