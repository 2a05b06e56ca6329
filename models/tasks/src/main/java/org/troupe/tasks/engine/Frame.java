package org.troupe.tasks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An activation that forks jobs and waits for them: of a job, of a scope, or of a method that a
 * model has rewritten. Touched only by the thread on which it was active first, a worker's; its
 * first fork makes it a part of the job that the worker executes.
 *
 * <p>A model extends it where the activation is no job, makes one object per activation at its
 * first fork, and calls {@link #joinForks} before the activation ends.
 */
public abstract class Frame {

  /*
   * Design: frames without bookkeeping
   *
   * A fork and a sync that no thief disturbs cost one push and one pop. The three fields below have no value of their own:
   *
   * link: the frame that forked this one, until someone needs more than that; then a FrameState, which
   *   has the parent. Null: neither forked nor active as a frame. Set by the frame's thread when it is forked, replaced
   *   once by compare-and-set.
   * status: of an active frame, how many of its jobs were forked and not joined; negative when it has ended.
   *   The frame's thread alone writes it while the frame is active; the parent's thread writes how the job ended.
   * word: of an active frame, in its upper half its number among the forks of its parent, in its lower half how many it
   *   has forked itself. A job with a number as its result has the result there when it has ended.
   *
   * A frame that was neither forked nor submitted, because its method was called directly, is adopted at its first
   * fork by the innermost job that the worker executes. It takes a number of that job, in program order, so that names
   * by path are the same in each execution.
   *
   * Joins. The children that a frame finds at the young end of its deque are its own; it pops and executes them.
   * Other workers have taken the jobs that it does not find there. They put ended children into the list of the frame's state, and
   * its thread joins them, in await. So 'status' has one writer, and a result is read behind the edge that the list
   * makes.
   *
   * Jobs above those of the frame in its deque are of other frames: of one that an exception has ended, or that was
   * left without a join, or of a scope that is used within another one. 'await' executes such jobs, so that those below come to
   * light. In a program that joins what it forks there are none, since thieves take the oldest: if a job of a
   * frame was taken, all below it were.
   *
   * Cancellation can reach a running job only from another thread: a parent on the same thread waits for it and runs
   * nothing. So a worker checks only the jobs that it has taken ('bases'), when the flag CANCEL was raised: a base is
   * cancelled if its number is below 'cancelledBelow' of its parent, or if the base below which its parent runs is. It is also
   * cancelled if it hangs under a frame that an exception has ended ('abandonedBelow').
   *
   * Exceptions and a full stack. An exception that ends a frame leaves its jobs behind; 'abandon' cancels them and waits
   * for those that others execute. That needs some stack, which a StackOverflowError has just used up. So whatever must not
   * fail half-way first looks whether there is enough (Worker.hasStack), and otherwise leaves all to the frames below, by
   * Worker.unhandled: these are reached by the same exception, and have more stack. A worker takes no job of others where
   * the stack does not suffice for its end. Where it does not suffice, the next frames pass the error on without looking, first
   * 64 and then twice as many each time: an overflow of a stack of 64 MiB takes the JVM up to half a second. Plain stores that follow a call are safe: a call overflows before it begins.
   */

  static final int DONE = -1;
  static final int FAILED = -2;
  static final int CANCELLED = -3;

  /** In the lower half of the word: the frame was called directly. */
  private static final long CALLED = 0x8000_0000L;

  private static final VarHandle LINK;

  static {
    try {
      LINK = MethodHandles.lookup().findVarHandle(Frame.class, "link", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  transient @Nullable Object link;
  transient int status;
  transient long word;

  /** Creates a frame without forks; costs nothing else until the first fork. */
  protected Frame() {}

  /**
   * Forks a job of this frame. From now on another worker may take it.
   *
   * @return the job
   * @throws IllegalStateException if the thread is no worker, or the job was forked before
   */
  protected final <S extends Spawn> S forkJob(S job) {
    var worker = Worker.current();
    if (job.link != null) {
      throw new IllegalStateException(
          job.getClass().getName() + " was forked before; fork a new object each time");
    }
    if (link == null) {
      adopt(worker);
    }
    long number = word;
    job.word = number << 32;
    word = number + 1;
    job.link = this;
    if (worker.forksSpecially && worker.prepare(job)) {
      status++;
      return job;
    }
    var deque = worker.deque;
    deque.push(job);
    status++;
    worker.forks++;
    if (deque.sharesNothing()) {
      deque.shareOldest();
    }
    if (worker.attention() != 0) {
      worker.attend(this);
    }
    return job;
  }

  /**
   * Forks a job of this frame, which only workers of nodes with a label execute.
   *
   * @return the job
   * @throws IllegalArgumentException if no node has the label
   * @throws IllegalStateException as {@link #forkJob(Spawn)} does
   */
  protected final <S extends Spawn> S forkJob(S job, String label) {
    var worker = Worker.current();
    worker.engine.requireLabel(label);
    if (job.link != null) {
      throw new IllegalStateException(
          job.getClass().getName() + " was forked before; fork a new object each time");
    }
    Worker.requireStack(); // a job that is counted must get into a queue
    if (link == null) {
      adopt(worker);
    }
    long number = word;
    job.word = number << 32;
    word = number + 1;
    job.link = this;
    job.state().label = label; // also if its result is to come from elsewhere: it may come back
    if (worker.forksSpecially && worker.prepare(job)) {
      status++;
      return job;
    }
    status++;
    worker.forks++;
    worker.engine.give(job);
    if (worker.attention() != 0) {
      worker.attend(this);
    }
    return job;
  }

  /**
   * Waits until all jobs that this frame has forked have ended, and meanwhile executes jobs: its
   * own, then others. For each of its jobs that was not cancelled, {@link Spawn#ended} runs on this
   * thread, one at a time, as they end; it may fork further jobs of this frame, for which this
   * waits too. With nothing outstanding it is a {@linkplain Engine#checkpoint checkpoint}.
   *
   * <p>Throws the first failure, or the exception that {@link #failure} made of it, with the later
   * ones suppressed, when all jobs have ended.
   */
  protected final void joinForks() {
    var worker = Worker.current();
    while (status > 0) {
      var deque = worker.deque;
      var job = deque.youngestPrivate();
      if (job != null && job.link == this) {
        deque.removeYoungest();
        status--;
        worker.current = job;
        // Here rather than in a method of its own, as each method costs stack per level of the
        // tree.
        try {
          job.execute();
          if (job.status != 0) {
            job.joinForks();
          }
          job.status = DONE;
          job.ended(null);
        } catch (Throwable failure) {
          worker.unhandled++; // until the next call has done its work
          if (worker.unhandled < worker.handlesAt && failure instanceof StackOverflowError) {
            throw (StackOverflowError) failure;
          }
          executedWithFailure(worker, job, failure);
        }
      } else if (job != null && job.parent() == this) {
        Worker.requireStack();
        deque.removeYoungest();
        worker.executeTaken(job, state());
      } else if (job != null || !deque.reclaim()) {
        await(worker);
      }
      if (worker.attention() != 0) {
        worker.attend(this);
      }
    }
    if (worker.attention() != 0) {
      worker.attend(this);
    }
    if (link instanceof FrameState state && state.firstFailure != null) {
      var failure = state.firstFailure;
      state.firstFailure = null;
      throw Frame.<RuntimeException>unchecked(failure);
    }
  }

  /**
   * Cancels all jobs that this frame has forked so far and that have not ended, and all that these
   * have forked, on all nodes. Returns at once. Jobs that have not begun are removed; running ones
   * end at their next fork, sync or checkpoint by an {@code Error}. Their results are dropped and
   * {@link Spawn#ended} does not run for them. Jobs forked later are not concerned.
   */
  protected final void cancelForks() {
    var worker = Worker.current();
    var deque = worker.deque;
    while (status > 0) {
      var job = deque.youngest();
      if (job == null || job.parent() != this) {
        break;
      }
      deque.removeYoungest();
      status--;
      job.status = CANCELLED;
      worker.cancelled++;
    }
    if (status > 0 && deque.youngest() != null) { // jobs of other frames may hide those of this one
      Worker.requireStack();
      deque.removeIf(job -> job.parent() == this && drop(worker, job));
    }
    if (status > 0) {
      state().cancelledBelow = forked();
      worker.engine.cancelled(worker);
    }
  }

  /** Records that a job was removed from its deque. The thread of its frame. */
  private static boolean drop(Worker worker, Spawn job) {
    var frame = job.parent();
    if (frame != null && frame.status > 0) {
      frame.status--;
    }
    job.status = CANCELLED;
    worker.cancelled++;
    return true;
  }

  /** Returns the number of jobs that this frame has forked and that have not been joined. */
  protected final int outstanding() {
    return Math.max(0, status);
  }

  /**
   * Returns what {@link #joinForks} throws for a failure of this frame. The other jobs of the frame
   * are cancelled when the first failure becomes known.
   *
   * @param job the job that failed
   * @param failure what {@link Spawn#ended} threw
   */
  protected Throwable failure(Spawn job, Throwable failure) {
    return failure;
  }

  /** Returns the frame that forked this one, or {@code null}. */
  final @Nullable Frame parent() {
    var now = LINK.getAcquire(this);
    return now instanceof FrameState state ? state.parent : (Frame) now;
  }

  /** Returns the state of this frame, if it has one. */
  final @Nullable FrameState stateIfAny() {
    return LINK.getAcquire(this) instanceof FrameState state ? state : null;
  }

  /** Returns the state of this frame; creates it. */
  final FrameState state() {
    while (true) {
      var now = LINK.getAcquire(this);
      if (now instanceof FrameState state) {
        return state;
      }
      var made = new FrameState((Frame) now);
      if (LINK.compareAndSet(this, now, made)) {
        return made;
      }
    }
  }

  /** Returns the number of this active frame among the forks of its parent. */
  final int index() {
    return (int) (word >>> 32) & Integer.MAX_VALUE;
  }

  /** Returns how many frames this active frame has forked or adopted. */
  private int forked() {
    return (int) word & Integer.MAX_VALUE;
  }

  /** Returns whether this is a frame, or a part of it. */
  final boolean isWithin(Frame ancestor) {
    for (Frame at = this; at != null; at = at.parent()) {
      if (at == ancestor) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether this is a job that a worker executes, not a frame that was called directly. */
  private boolean isExecuted() {
    return this instanceof Spawn && status >= 0 && (word & CALLED) == 0;
  }

  private void adopt(Worker worker) {
    Frame around = worker.current;
    while (around != null && !around.isExecuted()) {
      around = around.parent();
    }
    if (around == null) {
      throw new IllegalStateException(
          "the worker executes no task; fork only from within a task that runs");
    }
    word = around.word << 32 | CALLED;
    around.word++;
    link = around;
  }

  /** Ends a job of this frame that this thread has executed. */
  private void executedWithFailure(Worker worker, Spawn job, Throwable failure) {
    boolean isFirst = worker.unhandled == 1; // else frames above may still have jobs
    if (job.status > 0
        || !isFirst
        || failure instanceof StackOverflowError && failure != worker.handled) {
      job.abandon(worker, failure, !isFirst);
      worker.handled = failure;
    }
    worker.unhandled = 0;
    worker.handlesAt = 0;
    if (failure instanceof Cancellation) {
      job.status = CANCELLED;
      abandon(worker, failure, false);
      throw Cancellation.INSTANCE;
    }
    if (job.status == DONE) {
      failed(worker, job, failure);
      return;
    }
    ended(worker, job, failure);
  }

  /** Records how a job of this frame has ended, on the frame's thread. */
  private void ended(Worker worker, Spawn job, @Nullable Throwable failure) {
    if (failure == null) {
      job.status = DONE;
    } else {
      job.status = FAILED;
      job.state().failure = failure;
      worker.addFork(failure, job, this);
    }
    try {
      job.ended(failure);
    } catch (Cancellation cancellation) {
      abandon(worker, cancellation, false);
      throw cancellation;
    } catch (Throwable thrown) {
      failed(worker, job, thrown);
    }
  }

  private void failed(Worker worker, Spawn job, Throwable thrown) {
    if (thrown instanceof Cancellation) {
      abandon(worker, thrown, false);
      throw Cancellation.INSTANCE;
    }
    var state = state();
    if (state.firstFailure == null) {
      state.firstFailure = failure(job, thrown);
      cancelForks();
    } else if (state.firstFailure != thrown) {
      state.firstFailure.addSuppressed(thrown);
    }
  }

  /**
   * Cancels the jobs of this frame, which an exception ends, and waits until they have ended,
   * without executing others. Throws the exception if the stack does not suffice for that; a frame
   * below then does it.
   *
   * @param all whether to cancel the jobs of the frames above this one as well
   */
  final void abandon(Worker worker, Throwable failure, boolean all) {
    if (!Worker.hasStack()) {
      worker.unhandled = Math.max(1, worker.unhandled);
      worker.handlesAt = 64 + 2 * worker.unhandled;
      throw Frame.<RuntimeException>unchecked(failure);
    }
    abandonNow(worker, all);
  }

  /** Does what {@link #abandon} says; to be called where the stack suffices. */
  final void abandonNow(Worker worker, boolean all) {
    if (status <= 0 && !all) {
      return;
    }
    var deque = worker.deque;
    while (status > 0 || all) {
      var job = deque.youngest();
      if (job == null || !job.isWithin(this)) {
        break;
      }
      deque.removeYoungest();
      drop(worker, job);
    }
    if (status > 0 && deque.youngest() != null) { // as in cancelForks
      deque.removeIf(job -> job.isWithin(this) && drop(worker, job));
    }
    var state = state();
    state.cancelledBelow = forked();
    state.abandonedBelow = forked();
    worker.engine.cancelled(worker);
    var outer = state.waiter;
    state.waiter = worker;
    for (int round = 0; status > 0; ) {
      if (state.takeEnded() != null) {
        status--;
      } else {
        round = worker.pauseFor(state, round);
      }
    }
    state.waiter = outer;
  }

  /** Joins jobs that others execute, and executes other jobs, until this frame can go on. */
  private void await(Worker worker) {
    var state = state();
    var outer = state.waiter;
    boolean hasStack = false;
    state.waiter = worker;
    try {
      for (int round = 0; status > 0; ) {
        var ended = state.takeEnded();
        if (ended != null) {
          join(worker, state, ended);
          return;
        }
        if (!hasStack) {
          Worker.requireStack();
          hasStack = true;
        }
        if (worker.attention() != 0) {
          worker.attend(this);
        }
        if (Worker.isTimeForOwn(round)) {
          var own = worker.deque.youngest();
          if (own != null && own.parent() == this) {
            return;
          }
          if (own != null && worker.mayRunOwn(own, this, state)) {
            worker.deque.removeYoungest();
            worker.executeTaken(own, state);
            return;
          }
        }
        var other = worker.find(this, state);
        if (other != null) {
          worker.executeTaken(other, state);
          round = 0;
        } else {
          round = worker.idle(state, round);
        }
      }
    } finally {
      state.waiter = outer;
      worker.endSearch();
    }
  }

  private void join(Worker worker, FrameState state, Spawn job) {
    status--;
    var jobState = job.state();
    if (jobState.index < state.cancelledBelow || jobState.failure instanceof Cancellation) {
      job.status = CANCELLED;
      return;
    }
    var failure = jobState.failure;
    var outcome = jobState.outcome;
    if (failure == null && outcome != null) {
      jobState.outcome = null;
      try {
        outcome.storeIn(job);
      } catch (Throwable unreadable) {
        failure = unreadable;
      }
    }
    if (failure != null) {
      worker.traced = null; // another thread has made the trace, or has passed it on
    }
    ended(worker, job, failure);
  }

  @SuppressWarnings("unchecked") // that is the purpose
  static <T extends Throwable> T unchecked(Throwable failure) throws T {
    throw (T) failure;
  }
}
