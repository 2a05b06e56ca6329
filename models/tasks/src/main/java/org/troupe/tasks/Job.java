package org.troupe.tasks;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Frame;
import org.troupe.tasks.engine.Spawn;

/**
 * A task whose result is an object: one object whose fields are its arguments.
 *
 * <p>A job may fork others in {@link #compute}, which it then waits for by {@link #sync}. It may
 * also call {@code compute} of a new job directly. No interface, annotation or {@code Serializable}
 * is needed for the values that it holds. Touched only by the worker that executes it, and by the
 * one that forked it after the latter has waited for it.
 *
 * @param <V> the type of the result
 */
@SuppressWarnings("exports") // the engine is for models; users need not name its types
public abstract class Job<V extends @Nullable Object> extends Spawn {

  private transient @Nullable V value;

  /** Creates a job that is not forked. */
  protected Job() {}

  /** Does the work. A checked exception is to be wrapped. */
  protected abstract V compute();

  /**
   * Forks a job, which from now on may be executed by any worker.
   *
   * @return the job
   * @throws IllegalStateException if this thread executes no task, or the job was forked before
   */
  protected final <J extends Spawn> J fork(J job) {
    return forkJob(job);
  }

  /**
   * Waits for all jobs that this one has forked, and executes jobs meanwhile. Throws the first
   * failure, with the later ones suppressed, when all have ended; it cancels the other jobs.
   */
  protected final void sync() {
    joinForks();
  }

  /**
   * Cancels all jobs that this one has forked so far. Returns at once. Jobs that have not begun are
   * removed; running ones end at their next fork, sync or {@link Tasks#checkpoint}.
   */
  protected final void cancel() {
    cancelForks();
  }

  /**
   * Returns the result.
   *
   * @throws IllegalStateException before the job that forked this one has waited for it
   */
  public final V result() {
    requireDone();
    return value();
  }

  @Override
  protected final void execute() {
    value = compute();
  }

  @Override
  protected final @Nullable Object outcome() {
    return value;
  }

  @Override
  @SuppressWarnings("unchecked") // the result of a copy of this job
  protected final void setOutcome(@Nullable Object result) {
    value = (V) result;
  }

  @Override
  protected final void ended(@Nullable Throwable failure) throws Throwable {
    super.ended(failure);
  }

  @Override
  protected final List<StackTraceElement> forkLines(Frame forkedBy) {
    return ForkSites.ofJob(this, forkedBy.getClass());
  }

  @Override
  protected final void arrived() {}

  @Override
  protected final Throwable failure(Spawn job, Throwable failure) {
    return TaskFailedException.unchecked(failure);
  }

  @SuppressWarnings("NullAway") // null only if V admits it
  private V value() {
    return value;
  }
}
