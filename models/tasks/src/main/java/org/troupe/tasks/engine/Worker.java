package org.troupe.tasks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A thread that executes jobs. */
final class Worker extends Thread {

  /*
   * Design: idle workers and flags
   *
   * 'attention' holds flags that other threads raise and the worker reads, opaque, at each fork and sync:
   * HUNGRY (share jobs and wake a sleeper), CANCEL (look whether your base was cancelled), SAFE_POINT (run what
   * waits for a safe point), LEAVING (share all jobs, and wait for thieves).
   *
   * A worker that finds nothing yields some rounds, then joins the sleepers, raises HUNGRY at all others, looks once
   * more, and parks. A busy worker answers HUNGRY once: it shares the older half of its private jobs, lowers the flag,
   * and wakes one sleeper. That one raises the flag again where it has found a job while others still sleep, so
   * an idle pool costs a busy worker one flag per wake-up and never a system call per fork. A flag stays up while there is nothing
   * to share. A job that was shared before the sleeper had raised its flag, but after it had looked, is found
   * at the end of the first pause: pauses begin with 50 us and double up to 100 ms, each after another look.
   */

  static final int HUNGRY = 1;
  static final int CANCEL = 2;
  static final int SAFE_POINT = 4;
  static final int LEAVING = 8;

  /**
   * An estimate of the bytes of stack per activation, with which the depth for leap-frogging is
   * computed.
   */
  private static final int BYTES_PER_ACTIVATION = 384;

  /** Levels of {@link #probe} for some 32 KiB of stack, and twice that while it is interpreted. */
  private static final int PROBE_LEVELS = 364;

  private static final int ROUNDS_AWAKE = 24;
  private static final long FIRST_PAUSE = 50_000;
  private static final int LONGEST_PAUSE_SHIFT = 11;

  private static final VarHandle ATTENTION;

  static {
    try {
      ATTENTION = MethodHandles.lookup().findVarHandle(Worker.class, "attention", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Engine engine;
  final SplitDeque deque = new SplitDeque();
  private final @Nullable UnaryOperator<Spawn> copier;

  /** Whether {@link #prepare} has to see each fork. */
  boolean forksSpecially;

  /** The job that was last begun on this thread; it, or a frame that it hangs under, runs now. */
  @Nullable Spawn current;

  /** The innermost job on the stack that was taken. */
  private @Nullable Spawn base;

  /**
   * How many frames an exception has passed on this thread that may still have jobs, so that the
   * next frame below must cancel them.
   */
  int unhandled;

  /** From which number of these on a frame looks whether the stack suffices to do that. */
  int handlesAt;

  /** The last error for which a frame has done that, so that it need not be done again. */
  @Nullable Throwable handled;

  /** The last failure to which the line of a fork was added on this thread. */
  @Nullable Throwable traced;

  /** Whether it makes a call that waits, in which another worker takes its place. */
  boolean isBlocked;

  /** Whether it leaves the work to others. Guarded by the lock of the engine's places. */
  boolean isResting;

  /** Whether it looks for a job, also in other nodes, so that one which comes need not wait. */
  private volatile boolean searching;

  private int attention;
  private int seed;

  // Statistics; written by this thread only.
  long forks;
  long stolen;
  long attempts;
  long cancelled;
  long idleNanos;

  Worker(Engine engine, int number) {
    super(null, null, engine.name() + "-" + number, engine.settings().stackBytes(), false);
    this.engine = engine;
    copier = engine.copier();
    forksSpecially = copier != null;
    seed = number * 0x9e3779b9 | 1;
    setDaemon(true);
  }

  /** Returns the worker whose thread the current one is. */
  static Worker current() {
    if (Thread.currentThread() instanceof Worker worker) {
      return worker;
    }
    throw new IllegalStateException(
        "thread '"
            + Thread.currentThread().getName()
            + "' executes no task; fork and sync only within a task, which Tasks.run begins");
  }

  @Override
  public void run() {
    for (int round = 0; !engine.isClosed(); ) {
      if (engine.places().isCrowded()) {
        endSearch();
        if (!engine.places().rest(this)) {
          break;
        }
      }
      var job = engine.waiting().roots().poll();
      if (job == null) {
        job = find(null, null);
      }
      if (job != null) {
        executeTaken(job, null);
        round = 0;
      } else {
        round = idle(null, round);
      }
    }
    endSearch();
    engine.workers().ended(this);
  }

  /** Returns whether this worker looks for a job that may come from another node. */
  boolean isSearching() {
    return searching;
  }

  /** Ends the search for a job, as one was found or is not needed. */
  void endSearch() {
    if (searching) {
      searching = false;
      engine.elsewhere().searchEnded();
    }
  }

  /**
   * Returns whether so much of the stack is left that no step of the engine at the end of a job or
   * frame overflows it.
   */
  static boolean hasStack() {
    return hasStack(1);
  }

  /** Returns whether a number of times that much of the stack is left. */
  static boolean hasStack(int times) {
    try {
      return probe(times * PROBE_LEVELS, 1, 2, 3, 4, 5, 6, 7, 8) != 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** Throws a {@code StackOverflowError} unless {@link #hasStack}. */
  static void requireStack() {
    if (!hasStack()) {
      throw new StackOverflowError();
    }
  }

  /** Uses at least 90 bytes of stack per level, compiled with one level inlined. */
  private static long probe(
      int levels, long a, long b, long c, long d, long e, long f, long g, long h) {
    return levels == 0
        ? 1
        : probe(levels - 1, b, c, d, e, f, g, h, a) + (a ^ b ^ c ^ d ^ e ^ f ^ g ^ h) | 1;
  }

  /**
   * Returns whether the result of a new fork comes from elsewhere, so that it is not executed here.
   */
  boolean prepare(Spawn job) {
    if (copier != null) {
      job.copyFirst(copier);
    }
    return engine.hasRepeats() && engine.elsewhere().claim(new JobDeparture(engine, job));
  }

  int attention() {
    return (int) ATTENTION.getOpaque(this);
  }

  void raise(int flag) {
    if ((attention() & flag) == 0) {
      ATTENTION.getAndBitwiseOr(this, flag);
    }
  }

  private void lower(int flag) {
    ATTENTION.getAndBitwiseAnd(this, ~flag);
  }

  /** Answers the flags of this worker, at a safe point of the frame. */
  void attend(@Nullable Frame frame) {
    int flags = attention();
    if ((flags & SAFE_POINT) != 0) {
      lower(SAFE_POINT);
      engine.actions().run();
    }
    if ((flags & HUNGRY) != 0) {
      feed();
    }
    if ((flags & LEAVING) != 0) {
      awaitThieves();
    }
    if ((flags & CANCEL) != 0) {
      lower(CANCEL);
      if (base != null && isCancelled(base)) {
        if (frame != null) {
          frame.abandon(this, Cancellation.INSTANCE, false);
        }
        throw Cancellation.INSTANCE;
      }
    }
  }

  private void awaitThieves() {
    while (deque.shareHalf() && engine.waitsForThieves()) {
      if (deque.size() > deque.sharedSize()) {
        continue;
      }
      engine.elsewhere().fed();
      LockSupport.parkNanos(this, FIRST_PAUSE);
      Thread.interrupted(); // a task may have interrupted its worker
    }
  }

  private void feed() {
    if (deque.shareHalf()) {
      lower(HUNGRY);
      engine.sleeping().wake();
      engine.elsewhere().fed();
    }
  }

  boolean isHungry() {
    return (attention() & HUNGRY) != 0 || !engine.sleeping().isEmpty();
  }

  /** Returns whether a taken job was cancelled, or one that it is a part of. */
  static boolean isCancelled(Spawn job) {
    for (Frame at = job; at != null; ) {
      var state = at.stateIfAny();
      var base = state != null && state.isBase ? state : null;
      if (base != null && base.cancelled) {
        return true;
      }
      var parent = at.parent();
      var around = parent == null ? null : parent.stateIfAny();
      if (around != null) {
        int index = base != null ? base.index : at.index();
        if (index < around.abandonedBelow || base != null && index < around.cancelledBelow) {
          return true;
        }
      }
      at = parent;
    }
    return false;
  }

  /**
   * Executes a job that was taken from a deque.
   *
   * @param waiting the state of the frame that waits on this thread meanwhile, or {@code null}
   */
  void executeTaken(Spawn job, @Nullable FrameState waiting) {
    endSearch();
    var outerCurrent = current;
    var outerBase = base;
    boolean outerSpecial = forksSpecially;
    int mark = deque.mark();
    int epoch = engine.cancelEpoch();
    var state = job.state();
    state.index = job.index();
    state.executor = this;
    Spawn body = job;
    var bodyState = state;
    if (state.copy != null) {
      body = state.copy;
      body.link = bodyState = new FrameState(state.parent);
      bodyState.index = state.index;
      body.word = job.word;
      var copy = body;
      state.outcome = original -> original.setOutcome(copy.outcome());
      state.copy = null;
    }
    bodyState.isBase = true;
    bodyState.depth = waiting == null ? 1 : waiting.depth + 8;
    current = body;
    base = body;
    forksSpecially = copier != null || engine.hasRepeats() && Engine.isRepeated(body);
    try {
      if (isCancelled(body)) {
        throw Cancellation.INSTANCE;
      }
      if (bodyState.fromElsewhere) {
        body.arrived();
      }
      body.execute();
      if (body.status > 0) {
        body.joinForks();
      }
      executeLeft(mark, body, bodyState);
    } catch (Throwable failure) {
      if (body.status > 0 || unhandled > 0) {
        body.abandonNow(this, unhandled > 0);
      }
      unhandled = 0;
      handlesAt = 0;
      handled = null;
      traced = null;
      dropLeft(mark, body);
      state.failure = explained(failure);
      if (failure instanceof Cancellation) {
        cancelled++;
      }
    }
    current = outerCurrent;
    base = outerBase;
    forksSpecially = outerSpecial;
    if (outerBase != null && epoch != engine.cancelEpoch()) {
      raise(CANCEL);
    }
    engine.finish(job, state);
  }

  /**
   * Executes what frames within a job have forked and not joined: a scope that was not closed, or a
   * job that was called directly and has forked without a sync. Its results are not read any more.
   */
  private void executeLeft(int mark, Spawn body, FrameState waiting) {
    while (deque.isAbove(mark)) {
      var left = deque.youngest();
      if (left == null || !left.isWithin(body)) {
        return;
      }
      deque.removeYoungest();
      executeTaken(left, waiting);
    }
  }

  /** Removes such jobs, of a job that has failed or was cancelled. */
  private void dropLeft(int mark, Spawn body) {
    while (deque.isAbove(mark)) {
      var left = deque.youngest();
      if (left == null || !left.isWithin(body)) {
        return;
      }
      deque.removeYoungest();
      cancelled++;
    }
  }

  /**
   * Adds the line that has forked a failed job to the trace of the failure, unless it has that of a
   * job above: the frames on this stack, which a failure passes, are in its trace already. An
   * overflow of the stack passes too many of them.
   */
  void addFork(Throwable failure, Spawn job, Frame forkedBy) {
    if (failure != traced && !(failure instanceof StackOverflowError)) {
      traced = failure;
      ForkTrace.add(failure, job, forkedBy, getName());
    }
  }

  /**
   * Returns a failure with an explanation where the JVM gives none. To be called near the bottom of
   * the stack: the explanation needs some itself.
   */
  private Throwable explained(Throwable failure) {
    if (failure instanceof StackOverflowError && failure.getMessage() == null) {
      int depth = 0;
      for (Frame frame = current; frame != null; frame = frame.parent()) {
        depth++;
      }
      var explained = new StackOverflowError(overflow(depth));
      explained.setStackTrace(failure.getStackTrace());
      return explained;
    }
    return failure;
  }

  private String overflow(int depth) {
    return depth
        + " nested tasks have filled the stack of "
        + (engine.settings().stackBytes() >> 20)
        + " MiB; raise -Dtroupe.tasks.stack, in bytes, or let the tasks nest less deeply";
  }

  /**
   * Looks for a job that others have forked.
   *
   * @param frame the frame that waits, or {@code null}
   */
  @Nullable Spawn find(@Nullable Frame frame, @Nullable FrameState waiting) {
    if (engine.isLeaving()) {
      return frame == null ? null : engine.waiting().poll(job -> mayRunAbove(job, frame, false));
    }
    attempts++;
    boolean onlyDescendants = frame != null && waiting != null && isDeep(frame, waiting);
    searching = !onlyDescendants;
    boolean isChoosy = frame != null && (onlyDescendants || engine.hasRepeats());
    Predicate<Spawn> suits =
        isChoosy ? job -> mayRunAbove(job, frame, onlyDescendants) : job -> true;
    var given = engine.waiting().poll(suits);
    if (given != null) {
      return given;
    }
    var workers = engine.workers().all();
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    int first = (seed >>> 1) % workers.length;
    for (int i = 0; i < workers.length; i++) {
      int at = first + i;
      var victim = workers[at < workers.length ? at : at - workers.length];
      if (victim == this) {
        continue;
      }
      if (isChoosy) {
        var oldest = victim.deque.oldestShared();
        if (oldest == null || !suits.test(oldest)) {
          continue;
        }
      }
      var job = victim.deque.steal();
      if (job != null) {
        stolen++;
        if (!engine.sleeping().isEmpty()) {
          victim.raise(HUNGRY);
        }
        if (isChoosy && !suits.test(job)) { // another one than was looked at
          engine.give(job);
          continue;
        }
        return job;
      }
      victim.raise(HUNGRY);
    }
    return onlyDescendants ? null : engine.elsewhere().ask(frame == null);
  }

  /**
   * Returns whether a job may run on top of a frame that waits. A repeated job may wait for an
   * orphan, which is older than it and may lie below on this or another stack; so it runs at the
   * bottom of a stack, or on top of a frame that waits for it. All other jobs wait for younger ones
   * only, so no wait closes a cycle.
   */
  private boolean mayRunAbove(Spawn job, @Nullable Frame frame, boolean onlyDescendants) {
    return frame == null || (!onlyDescendants && !Engine.isRepeated(job)) || job.isWithin(frame);
  }

  /**
   * Returns whether more than half of this worker's stack is probably used, so that only
   * descendants of the waiting frame may run on top of it.
   */
  private boolean isDeep(Frame frame, FrameState waiting) {
    if (waiting.depth == 0) {
      int steps = 0;
      int below = 0;
      for (var next = frame.parent(); next != null; next = next.parent()) {
        steps++;
        var state = next.stateIfAny();
        if (state != null && state.depth > 0) {
          below = state.depth;
          break;
        }
      }
      waiting.depth = below + steps + 1;
    }
    return waiting.depth > engine.settings().stackBytes() / 2 / BYTES_PER_ACTIVATION;
  }

  /** Returns whether a frame that waits looks at its worker's own deque in this round. */
  static boolean isTimeForOwn(int round) {
    return round == 0 || round >= ROUNDS_AWAKE; // else thieves that were fed find nothing
  }

  /**
   * Returns whether to execute a job of another frame, from this worker's deque, on top of a frame
   * that waits: if it may run there, or if it hides jobs of the frame.
   */
  boolean mayRunOwn(Spawn job, Frame frame, FrameState waiting) {
    return mayRunAbove(job, frame, isDeep(frame, waiting))
        || deque.anyMatch(each -> each.parent() == frame);
  }

  /** Spends a round without work. Returns the number of the next round. */
  int idle(@Nullable FrameState waiting, int round) {
    if (round < ROUNDS_AWAKE) {
      if (round > 0) {
        Thread.yield();
      }
      return round + 1;
    }
    long begun = System.nanoTime();
    var sleepers = waiting == null ? engine.sleeping().idle() : engine.sleeping().joining();
    sleepers.add(this);
    engine.workers().raise(HUNGRY, this);
    // It has found none of the labelled jobs that it may execute.
    boolean lends = waiting != null && engine.waiting().labelled().hasOwn();
    if (lends) {
      engine.places().beginBlocking();
    }
    if ((lends || !engine.hasSharedJob(waiting == null))
        && (waiting == null || !waiting.hasEnded())
        && (attention() & (SAFE_POINT | CANCEL)) == 0
        && !(waiting == null && engine.places().isCrowded())
        && !engine.isClosed()) {
      int shift = Math.min(round - ROUNDS_AWAKE, LONGEST_PAUSE_SHIFT);
      LockSupport.parkNanos(this, FIRST_PAUSE << shift);
      Thread.interrupted(); // a task may have interrupted its worker, which would end all further
      // pauses
    }
    if (lends) {
      engine.places().endBlocking();
    }
    sleepers.remove(this);
    if (waiting == null && (attention() & SAFE_POINT) != 0) {
      attend(null);
    }
    idleNanos += System.nanoTime() - begun;
    return round + 1;
  }

  /** Waits for a job of a frame to end, without executing others. Returns the next round. */
  int pauseFor(FrameState waiting, int round) {
    int flags = attention();
    if ((flags & SAFE_POINT) != 0) {
      lower(SAFE_POINT);
      engine.actions().run();
    }
    if ((flags & HUNGRY) != 0) {
      feed();
    }
    if (round < ROUNDS_AWAKE) {
      Thread.yield();
    } else if (!waiting.hasEnded()) {
      LockSupport.parkNanos(
          this, FIRST_PAUSE << Math.min(round - ROUNDS_AWAKE, LONGEST_PAUSE_SHIFT));
      Thread.interrupted(); // as above
    }
    return round + 1;
  }

  EngineTotals totals() {
    return new EngineTotals(0, forks, attempts, stolen, cancelled, idleNanos);
  }
}
