package org.troupe.tasks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state that few frames need: those of which a job was taken by another worker, that have
 * failed, or that were taken themselves. It replaces the link of the frame to its parent.
 */
final class FrameState {

  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(FrameState.class, "ended", Spawn.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The frame that forked this one; {@code null} for a root. */
  final @Nullable Frame parent;

  // As a job that a worker has taken. Written by that worker before the job joins the list of its
  // parent.

  /** The number of this job among the forks of its parent. */
  int index;

  /** Whether a worker executes it at the bottom of a segment of its stack. */
  boolean isBase;

  /** The worker that executes it. */
  volatile @Nullable Worker executor;

  /** How it failed. */
  @Nullable Throwable failure;

  /** The result of a copy of the job, to be stored in the job by the thread of its parent. */
  JobDeparture.@Nullable Outcome outcome;

  /** The copy that is executed instead of the job, if there is one. */
  @Nullable Spawn copy;

  /** Receives the ended job if it has no parent in this JVM. */
  @Nullable Consumer<Spawn> whenEnded;

  /** Whether it was cancelled for itself, not through its parent. */
  volatile boolean cancelled;

  /** Whether it came from another node. */
  boolean fromElsewhere;

  /** Whether it is executed once more, after its node was lost. */
  volatile boolean repeated;

  /** Why nodes that had taken it were lost. Only the thread that has the departure. */
  @Nullable List<String> losses;

  /** The label of the nodes that may execute it; {@code null}: any may. Set when it is forked. */
  @Nullable String label;

  /** Its name, if that was needed. */
  volatile @Nullable JobName name;

  /** The next job in the list of its parent. */
  @Nullable Spawn next;

  // As a frame.

  /** The jobs of this frame that have ended on other threads, newest first; any thread adds. */
  private volatile @Nullable Spawn ended;

  /** The jobs taken from that list that are not in order yet. The frame's thread only. */
  private @Nullable Spawn unordered;

  /** The jobs taken from that list, oldest first. The frame's thread only. */
  private @Nullable Spawn arrived;

  /** The jobs of this frame with smaller numbers are cancelled. Written by the frame's thread. */
  volatile int cancelledBelow;

  /**
   * The jobs with smaller numbers are cancelled, and so are those of the frames that were called
   * directly and have smaller numbers: an exception has ended them. Written by the frame's thread.
   */
  volatile int abandonedBelow;

  /** The worker that waits for jobs of this frame. */
  volatile @Nullable Worker waiter;

  /** The failure that the sync of this frame throws. The frame's thread only. */
  @Nullable Throwable firstFailure;

  /** The estimated number of activations below it on its stack; 0 if it was not estimated. */
  int depth;

  FrameState(@Nullable Frame parent) {
    this.parent = parent;
  }

  /** Adds an ended job, and wakes the worker that waits for it. Any thread. */
  void add(Spawn job, FrameState jobState) {
    Spawn first;
    do {
      first = ended;
      jobState.next = first;
    } while (!ENDED.compareAndSet(this, first, job));
    var woken = waiter;
    if (woken != null && woken != Thread.currentThread()) {
      LockSupport.unpark(woken);
    }
  }

  /** Returns whether a job has ended and was not taken. The frame's thread only. */
  boolean hasEnded() {
    return arrived != null || unordered != null || ended != null;
  }

  /** Removes and returns a job that has ended; {@code null} if there is none. */
  @Nullable Spawn takeEnded() {
    if (arrived == null) {
      // No step loses a job if the next call overflows the stack.
      if (unordered == null) {
        unordered = (Spawn) ENDED.getAndSet(this, null);
      }
      while (unordered != null) {
        var job = unordered;
        var state = job.state();
        unordered = state.next;
        state.next = arrived;
        arrived = job;
      }
    }
    var job = arrived;
    if (job != null) {
      var state = job.state();
      arrived = state.next;
      state.next = null;
    }
    return job;
  }
}
