package org.troupe.tasks;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.tasks.engine.Frame;
import org.troupe.tasks.engine.NumberSpawn;
import org.troupe.tasks.engine.Spawn;

/**
 * A task whose result is a floating-point number, for which it needs no further object.
 *
 * <p>A job may fork others in {@link #compute}, which it then waits for by {@link #sync}. It may
 * also call {@code compute} of a new job directly. No interface, annotation or {@code Serializable}
 * is needed for the values that it holds. Touched only by the worker that executes it, and by the
 * one that forked it after the latter has waited for it.
 */
@SuppressWarnings("exports") // the engine is for models; users need not name its types
public abstract class DoubleJob extends NumberSpawn {

  /** Creates a job that is not forked. */
  protected DoubleJob() {}

  /** Does the work. A checked exception is to be wrapped. */
  protected abstract double compute();

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
  public final double result() {
    return Double.longBitsToDouble(doneNumber());
  }

  @Override
  protected final void execute() {
    end(Double.doubleToRawLongBits(compute()));
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
}
