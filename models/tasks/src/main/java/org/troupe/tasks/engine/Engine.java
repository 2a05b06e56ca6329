package org.troupe.tasks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A running set of workers in this JVM. May be shared between threads. */
public final class Engine implements AutoCloseable {

  /*
   * Design: the parts of an engine
   *
   * WorkerSet has the threads, WorkerPlaces says how many of them work, SleepingWorkers which sleep. WaitingJobs has the jobs
   * that lie in no deque, DepartingJobs takes jobs out for other nodes, Elsewhere reaches these. This class executes roots,
   * cancels, and counts what is repeated.
   */

  private static final VarHandle CANCEL_EPOCH;

  static {
    try {
      CANCEL_EPOCH = MethodHandles.lookup().findVarHandle(Engine.class, "cancelEpoch", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String name;
  private final EngineSettings settings;
  private final @Nullable UnaryOperator<Spawn> copier;
  private final FailureGuard guard = new FailureGuard();
  private final Elsewhere elsewhere = new Elsewhere(guard);
  private final SafePointActions actions = new SafePointActions(guard);
  private final SleepingWorkers sleeping = new SleepingWorkers();
  private final WaitingJobs waiting = new WaitingJobs(this, sleeping, elsewhere);
  private final WorkerSet workers;
  private final WorkerPlaces places;
  private final DepartingJobs departing;
  private final Set<Spawn> running = ConcurrentHashMap.newKeySet();

  /** How many jobs are repeated and have not ended, so that taken jobs have to be looked at. */
  private final AtomicInteger repeats = new AtomicInteger();

  /**
   * Until when the workers leave their jobs to others, in terms of the system's clock; 0: they do
   * not.
   */
  private volatile long leavesUntil;

  private volatile int cancelEpoch;
  private volatile boolean closed;

  private Engine(String name, EngineSettings settings, @Nullable UnaryOperator<Spawn> copier) {
    this.name = name;
    this.settings = settings;
    this.copier = copier;
    workers = new WorkerSet(this, settings.workers());
    places = new WorkerPlaces(settings.workers(), workers::startOne);
    departing = new DepartingJobs(this, workers, waiting);
  }

  /** Starts the workers of a program without nodes. */
  public static Engine start(EngineSettings settings) {
    return start("tasks", settings, null);
  }

  /**
   * Starts the workers.
   *
   * @param name the beginning of the names of their threads
   * @param copier makes a copy of each job, which is executed instead of it; {@code null} for none
   */
  public static Engine start(
      String name, EngineSettings settings, @Nullable UnaryOperator<Spawn> copier) {
    var engine = new Engine(name, settings, copier);
    engine.workers.start();
    return engine;
  }

  /** Sets where jobs come from if this JVM has none. */
  public void connect(JobSource source) {
    elsewhere.connect(source);
  }

  /**
   * Executes a root job on a worker; the future completes when it has ended, on the worker's
   * thread.
   *
   * @throws IllegalStateException if the engine is closed
   */
  public <S extends Spawn> CompletableFuture<S> submit(S root) {
    var future = submit(root, waiting.roots());
    sleeping.wakeForRoot();
    return future;
  }

  /** Executes a root job as {@link #submit} does, on any node that has a worker without work. */
  public <S extends Spawn> CompletableFuture<S> submitAnywhere(S root) {
    var future = submit(root, waiting.given());
    sleeping.wake();
    return future;
  }

  private <S extends Spawn> CompletableFuture<S> submit(S root, JobQueue queue) {
    var future = new CompletableFuture<S>();
    if (root.link != null) {
      throw new IllegalStateException(
          root.getClass().getName() + " was submitted or forked before; submit a new object");
    }
    var state = new FrameState(null);
    root.link = state;
    state.name = JobName.ofRoot();
    state.whenEnded = ended -> rootEnded(root, state, future);
    running.add(root);
    queue.add(root);
    if (closed) {
      if (queue.remove(root)) {
        running.remove(root);
        throw new IllegalStateException("the tasks are closed");
      }
      cancel(root); // a worker or a node has taken it just now
    }
    return future;
  }

  private <S extends Spawn> void rootEnded(S root, FrameState state, CompletableFuture<S> future) {
    running.remove(root);
    var failure = state.failure;
    if (failure == null) {
      root.status = Frame.DONE;
      future.complete(root);
    } else if (failure instanceof Cancellation) {
      root.status = Frame.CANCELLED;
      future.completeExceptionally(new CancellationException("the tasks were closed"));
    } else {
      root.status = Frame.FAILED;
      future.completeExceptionally(failure);
    }
  }

  // Jobs of other nodes, and jobs for them.

  /**
   * Takes in a job of another node, which {@link JobSource#ask} or {@link #give} then hands to a
   * worker.
   *
   * @param name its name there
   * @param isRepeated whether it was begun before, on a node that was lost
   * @param whenEnded gets the job when it has ended; {@link #failureOf} tells how
   */
  public void arrive(Spawn job, JobName name, boolean isRepeated, Consumer<Spawn> whenEnded) {
    var state = new FrameState(null);
    job.link = state;
    job.word = 0;
    state.name = name;
    if (isRepeated) {
      repeats(state);
    }
    state.fromElsewhere = true;
    state.whenEnded = whenEnded;
  }

  /** Returns how a job that has arrived has failed; {@code null} if it has not. */
  public static @Nullable Throwable failureOf(Spawn ended) {
    return ended.state().failure;
  }

  /** Returns the result of a job that has arrived and has not failed. */
  public static @Nullable Object outcomeOf(Spawn ended) {
    return ended.outcome();
  }

  /** Stores the result of a copy of a job in the job. */
  public static void setOutcome(Spawn job, @Nullable Object outcome) {
    job.setOutcome(outcome);
  }

  /** Returns whether a failure is that of a cancelled job. */
  public static boolean isCancellation(Throwable failure) {
    return failure instanceof Cancellation;
  }

  /** Cancels a job that has arrived, and all that it has forked. */
  public void cancel(Spawn arrived) {
    arrived.state().cancelled = true;
    cancelled(null);
  }

  /**
   * Takes the oldest shared job of this engine out, for another node. If it is one of many of a
   * flat frame, further ones of the frame go with it.
   *
   * @param most the largest number of jobs
   * @return the jobs; empty if none is shared
   */
  public List<JobDeparture> depart(int most) {
    return depart(most, label -> false);
  }

  /**
   * Takes a job out that has a label of another node, or else jobs without a label, as {@link
   * #depart(int)} does.
   *
   * @param labels whether the other node has a label
   */
  public List<JobDeparture> depart(int most, Predicate<String> labels) {
    return departing.take(most, labels);
  }

  /** Returns the number of jobs that could depart; an estimate. */
  public int shared() {
    return waiting.given().size() + workers.sharedJobs();
  }

  /** Adds a job whose frame already counts it, for any worker that may execute it. */
  public void give(Spawn job) {
    waiting.add(job);
  }

  /**
   * Adds a job that has arrived, for any worker of a node with a label.
   *
   * @param label a {@linkplain #hasLabel label of this node}
   */
  public void give(Spawn job, String label) {
    job.state().label = label;
    waiting.add(job);
  }

  // Labels

  /**
   * Sets which labels there are. Waiting jobs fail whose label no node has any more.
   *
   * @param own the labels of this node
   * @param all those of all nodes
   */
  public void setLabels(Set<String> own, Set<String> all) {
    waiting.labelled().set(own, all);
    waiting.failWithoutLabel();
    if (waiting.labelled().hasOwn()) {
      sleeping.wake();
    }
  }

  /** Returns the labels of jobs that wait for a node with the label. */
  public Set<String> waitingLabels() {
    return waiting.labelled().ofWaiting();
  }

  /** Returns whether this node has a label, as far as it knows. */
  public boolean hasLabel(String label) {
    return waiting.labelled().isOwn(label);
  }

  void requireLabel(String label) {
    if (!waiting.labelled().exists(label)) {
      throw new IllegalArgumentException(waiting.labelled().missing(label));
    }
  }

  // Workers

  /** Asks the workers to share more jobs, as others are hungry. */
  public void askToShare() {
    workers.raise(Worker.HUNGRY, null);
  }

  /** Lets a sleeping worker look for jobs. */
  public void wake() {
    sleeping.wake();
  }

  /** Returns how many workers sleep; an estimate. */
  public int idleWorkers() {
    return sleeping.number();
  }

  /** Returns whether a worker sleeps that could execute a job of another node. */
  public boolean hasIdleWorker() {
    return sleeping.anySearches();
  }

  /** Returns whether a worker, asleep or awake, looks for a job of another node. */
  public boolean hasSearchingWorker() {
    return workers.anySearches();
  }

  /** Starts further workers. */
  public void addWorkers(int number) {
    places.add(number);
  }

  /**
   * Lets the workers take no more jobs, and leave to others what they have forked and not begun.
   *
   * @param nanos how long they wait for others to take it
   */
  public void leave(long nanos) {
    leavesUntil = System.nanoTime() + nanos | 1; // never 0
    workers.raise(Worker.LEAVING, null);
  }

  boolean isLeaving() {
    return leavesUntil != 0;
  }

  /** Returns whether workers still wait for others to take their jobs. */
  boolean waitsForThieves() {
    long until = leavesUntil;
    return until != 0 && until - System.nanoTime() > 0 && !closed;
  }

  /** Returns what the workers have done so far, without locking them. */
  public EngineTotals totals() {
    return workers.totals().withWorkers(places.number());
  }

  /**
   * Runs an action on a worker at its next safe point: a fork, a sync, the end of a job, a
   * checkpoint, or at once if it is idle. If the engine has one worker, no user code of a job runs
   * meanwhile. Actions run in the order given, one at a time.
   */
  public void atSafePoint(Runnable action) {
    actions.add(action);
    workers.raise(Worker.SAFE_POINT, null);
    workers.unparkAll();
  }

  // For the thread of a worker.

  /** Ends the current job here if it was cancelled, and does what waits for a safe point. */
  public static void checkpoint() {
    if (Thread.currentThread() instanceof Worker worker && worker.attention() != 0) {
      worker.attend(null);
    }
  }

  /**
   * Returns whether so much of the stack of the current thread is left, some 128 KiB, that code of
   * the JDK may be used there for the first time: an overflow would leave its classes unusable.
   */
  public static boolean hasAmpleStack() {
    return Worker.hasStack(4);
  }

  /** Returns whether workers look for work; {@code false} if the thread is no worker. */
  public static boolean isHungry() {
    return Thread.currentThread() instanceof Worker worker && worker.isHungry();
  }

  /** Returns the engine whose worker the current thread is, or {@code null}. */
  public static @Nullable Engine current() {
    return Thread.currentThread() instanceof Worker worker ? worker.engine : null;
  }

  /**
   * Makes a call that waits, while another thread works in place of the current worker. Makes it
   * directly if the thread is no worker.
   */
  public static <V> V blocking(Callable<V> call) throws Exception {
    if (!(Thread.currentThread() instanceof Worker worker) || worker.isBlocked) {
      return call.call();
    }
    worker.isBlocked = true;
    worker.engine.places.beginBlocking();
    try {
      return call.call();
    } finally {
      worker.engine.places.endBlocking();
      worker.isBlocked = false;
    }
  }

  // Repeated jobs, and the ends of jobs.

  boolean hasRepeats() {
    return repeats.get() > 0;
  }

  /** Marks a job as one that was begun before, on a node that was lost. */
  void repeats(FrameState state) {
    if (!state.repeated) {
      state.repeated = true;
      repeats.incrementAndGet();
    }
  }

  static boolean isRepeated(Spawn job) {
    for (Frame at = job; at != null; at = at.parent()) {
      var state = at.stateIfAny();
      if (state != null && state.repeated) {
        return true;
      }
    }
    return false;
  }

  /** Ends a job that was taken: its frame joins it, or the waiting node gets it. */
  void finish(Spawn job, FrameState state) {
    if (state.repeated) {
      repeats.decrementAndGet();
    }
    var whenEnded = state.whenEnded;
    if (state.parent != null) {
      state.parent.state().add(job, state);
    } else if (whenEnded != null) {
      guard.call("the end of a task was not reported", () -> whenEnded.accept(job));
    }
  }

  // Cancelling and closing

  int cancelEpoch() {
    return cancelEpoch;
  }

  /**
   * Lets workers and nodes look for cancelled jobs.
   *
   * @param by the worker that has cancelled forks of a frame of its own, which does not concern the
   *     job that it executes; or {@code null}
   */
  void cancelled(@Nullable Worker by) {
    cancelEpochGrows(by);
    waiting.cancelMarked();
    elsewhere.cancelled();
  }

  private void cancelEpochGrows(@Nullable Worker by) {
    CANCEL_EPOCH.getAndAdd(this, 1);
    workers.raise(Worker.CANCEL, by);
  }

  /**
   * Cancels what runs and ends the workers when they find no further job. Futures of roots that
   * have not ended complete with a {@link CancellationException}.
   */
  @Override
  public void close() {
    closed = true;
    guard.close();
    for (var root : running) {
      root.state().cancelled = true;
    }
    cancelEpochGrows(null);
    waiting.cancelAll();
    elsewhere.cancelled();
    workers.unparkAll();
  }

  boolean isClosed() {
    return closed;
  }

  // The parts

  String name() {
    return name;
  }

  EngineSettings settings() {
    return settings;
  }

  @Nullable UnaryOperator<Spawn> copier() {
    return copier;
  }

  WorkerSet workers() {
    return workers;
  }

  WorkerPlaces places() {
    return places;
  }

  SleepingWorkers sleeping() {
    return sleeping;
  }

  WaitingJobs waiting() {
    return waiting;
  }

  Elsewhere elsewhere() {
    return elsewhere;
  }

  SafePointActions actions() {
    return actions;
  }

  /**
   * Returns whether there is a job that a worker which is about to sleep could find.
   *
   * @param orRoot whether the worker may take a root
   */
  boolean hasSharedJob(boolean orRoot) {
    return elsewhere.hasArrived()
        || !waiting.given().isEmpty()
        || orRoot && !waiting.roots().isEmpty()
        || waiting.labelled().hasOwn()
        || workers.sharedJobs() > 0;
  }
}
