package ibis.satin.impl;

import org.jspecify.annotations.Nullable;

/**
 * A spawned call. Generated classes hold the receiver, the arguments and the result; what belongs
 * to the spawning activation does not travel.
 */
public abstract class SatinJob {

  /** The number of the spawn in its method. */
  public transient int site;

  /** The array or the object that gets the result, if there is one. */
  public transient @Nullable Object target;

  /** The index of the array element that gets the result. */
  public transient int index;

  /** The job that the same activation has spawned next. */
  transient @Nullable SatinJob next;

  transient boolean done;

  /** For generated classes. */
  protected SatinJob() {}

  /** Calls the method. */
  protected abstract void execute() throws Throwable;

  /** Returns what the method has returned. */
  protected abstract @Nullable Object result();

  /** Stores a result that was computed elsewhere. */
  protected abstract void setResult(@Nullable Object result);

  /** Calls the guard of the method; without one it always holds. */
  protected boolean guard() {
    return true;
  }

  /** Returns class and name of the method, for messages. */
  protected abstract String method();
}
