package org.troupe.tasks.engine;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job that a frame has forked, and the frame of the jobs that it forks itself. Its fields are its
 * arguments and its result.
 *
 * <p>A job that a worker of this JVM executes is this object. A node that takes it gets a copy,
 * encoded with all fields but those of the engine; the result comes back by {@link #outcome} there
 * and {@link #setOutcome} here.
 */
public abstract class Spawn extends Frame {

  /** Creates a job that is not forked. */
  protected Spawn() {}

  /**
   * Does the work and stores the result in this object. Jobs that it has forked as a frame and not
   * waited for are waited for when it returns.
   */
  protected abstract void execute() throws Throwable;

  /**
   * Returns the result, to be sent to the node that forked the job; called after {@link #execute}.
   */
  protected abstract @Nullable Object outcome();

  /** Stores the result that another node has computed; called on the thread of the frame. */
  protected abstract void setOutcome(@Nullable Object result);

  /**
   * Called on the thread of the frame that forked this job, in its {@link Frame#joinForks}, when
   * the job has ended and was not cancelled. May fork further jobs of the frame, join and cancel
   * them, and throw, which counts as a failure of this job. Without failure it does nothing unless
   * overridden.
   *
   * @param failure what {@link #execute} threw, or {@code null}
   */
  protected void ended(@Nullable Throwable failure) throws Throwable {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Called on a node that has taken this job from another node, on the worker's thread before
   * {@link #execute}; may wait. An exception is the failure of the job.
   */
  protected void arrived() throws Throwable {}

  /**
   * Returns the lines of which one has forked this job, as far as they are known. Called on the
   * thread of the frame that forked it, in its {@link Frame#joinForks}, when the job has failed;
   * they become a part of the trace of the failure. There are none unless this is overridden.
   */
  protected List<StackTraceElement> forkLines(Frame forkedBy) {
    return List.of();
  }

  /** Returns whether this job was taken from another node, or is a part of one that was. */
  protected final boolean isFromElsewhere() {
    for (Frame frame = this; frame != null; frame = frame.parent()) {
      var state = frame.stateIfAny();
      if (state != null && state.fromElsewhere) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the job has ended with a result, as its frame knows. */
  protected final boolean isDone() {
    return status == DONE;
  }

  /**
   * Checks that the job has ended with a result, as its frame knows.
   *
   * @throws IllegalStateException if it has not; the message says why
   */
  protected final void requireDone() {
    if (status != DONE) {
      throw new IllegalStateException(
          switch (status) {
            case FAILED -> "the task has failed";
            case CANCELLED -> "the task was cancelled";
            default -> "the result is there after sync(); the task has not been waited for";
          },
          status == FAILED ? state().failure : null);
    }
  }

  /** Returns how the job failed, as its frame knows; {@code null} if it did not. */
  protected final @Nullable Throwable failureIfAny() {
    return status == FAILED ? state().failure : null;
  }

  /** Returns whether the job was cancelled, as its frame knows. */
  protected final boolean wasCancelled() {
    return status == CANCELLED;
  }

  /** Lets a copy be executed instead of this job. */
  final void copyFirst(UnaryOperator<Spawn> copier) {
    state().copy = copier.apply(this);
  }
}
