package org.troupe.tasks.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A running set of workers in this JVM. May be shared between threads. */
public final class Engine implements AutoCloseable {

  private static final Logger LOG = System.getLogger(Engine.class.getName());
  private static final VarHandle CANCEL_EPOCH;

  static {
    try {
      CANCEL_EPOCH = MethodHandles.lookup().findVarHandle(Engine.class, "cancelEpoch", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * How the workers run.
   *
   * @param workers the number of threads; 0 for an engine whose jobs others execute
   * @param stackBytes the size of each thread's stack
   */
  public record Settings(int workers, long stackBytes) {

    private static final int DEFAULT_STACK = 64 << 20;
    private static final int LEAST_STACK = 1 << 18;

    /** Checks the numbers. */
    public Settings {
      if (workers < 0) {
        throw new IllegalArgumentException(workers + " workers; give at least 1");
      }
    }

    /**
     * Returns the settings of the properties {@code troupe.tasks.workers} (default: the processors
     * of this JVM) and {@code troupe.tasks.stack} (bytes; default: 64 MiB).
     */
    public static Settings ofProperties() {
      return new Settings(
          number("troupe.tasks.workers", Runtime.getRuntime().availableProcessors(), 1),
          number("troupe.tasks.stack", DEFAULT_STACK, LEAST_STACK));
    }

    /**
     * Returns the number that a property has.
     *
     * @param otherwise its value if it is not set
     * @param least the least valid number
     */
    public static int number(String property, int otherwise, int least) {
      var text = System.getProperty(property);
      if (text == null) {
        return otherwise;
      }
      try {
        int number = Integer.parseInt(text.strip());
        if (number >= least) {
          return number;
        }
      } catch (NumberFormatException e) {
        // The message below tells it.
      }
      throw new IllegalArgumentException(
          "-D" + property + "=" + text + " is no valid value; give a number from " + least + " on");
    }

    /** Returns these settings with another number of workers. */
    public Settings withWorkers(int number) {
      return new Settings(number, stackBytes);
    }
  }

  private final String name;
  private final Settings settings;
  private final @Nullable UnaryOperator<Spawn> copier;
  private final ReentrantLock lock = new ReentrantLock();
  private final JobQueue roots = new JobQueue();
  private final Set<Spawn> running = ConcurrentHashMap.newKeySet();
  private final JobQueue given = new JobQueue();
  private final LabelledJobs labelled = new LabelledJobs();

  /** Workers that sleep at the bottom of their stacks, and those that sleep in a join. */
  private final ConcurrentLinkedDeque<Worker> sleepers = new ConcurrentLinkedDeque<>();

  private final ConcurrentLinkedDeque<Worker> waiters = new ConcurrentLinkedDeque<>();
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final ReentrantLock acting = new ReentrantLock();
  private volatile Worker[] workers;
  private volatile @Nullable JobSource elsewhere;
  private volatile boolean closed;

  /** How many jobs are repeated and have not ended, so that taken jobs have to be looked at. */
  private final AtomicInteger repeats = new AtomicInteger();

  private final WorkerPlaces places;

  /**
   * Until when the workers leave their jobs to others, in terms of the system's clock; 0: they do
   * not.
   */
  private volatile long leavesUntil;

  private volatile int cancelEpoch;
  private int started;
  private Totals gone = new Totals(0, 0, 0, 0, 0, 0);

  private Engine(String name, Settings settings, @Nullable UnaryOperator<Spawn> copier) {
    this.name = name;
    this.settings = settings;
    this.copier = copier;
    var first = new Worker[settings.workers()];
    for (int i = 0; i < first.length; i++) {
      first[i] = new Worker(this, ++started);
    }
    workers = first;
    places = new WorkerPlaces(first.length, this::startWorker);
  }

  /** Starts the workers of a program without nodes. */
  public static Engine start(Settings settings) {
    return start("tasks", settings, null);
  }

  /**
   * Starts the workers.
   *
   * @param name the beginning of the names of their threads
   * @param copier makes a copy of each job, which is executed instead of it; {@code null} for none
   */
  public static Engine start(
      String name, Settings settings, @Nullable UnaryOperator<Spawn> copier) {
    var engine = new Engine(name, settings, copier);
    for (var worker : engine.workers) {
      worker.start();
    }
    return engine;
  }

  /** Sets where jobs come from if this JVM has none. */
  public void connect(JobSource source) {
    elsewhere = source;
  }

  /**
   * Executes a root job on a worker; the future completes when it has ended, on the worker's
   * thread.
   *
   * @throws IllegalStateException if the engine is closed
   */
  public <S extends Spawn> CompletableFuture<S> submit(S root) {
    return submit(root, roots);
  }

  /** Executes a root job as {@link #submit} does, on any node that has a worker without work. */
  public <S extends Spawn> CompletableFuture<S> submitAnywhere(S root) {
    return submit(root, given);
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
    if (queue == given) {
      wake();
    } else {
      wakeOneOf(sleepers); // a worker in a join takes no root
    }
    return future;
  }

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
  public List<Departure> depart(int most) {
    return depart(most, label -> false);
  }

  /**
   * Takes a job out that has a label of another node, or else jobs without a label, as {@link
   * #depart(int)} does.
   *
   * @param labels whether the other node has a label
   */
  public List<Departure> depart(int most, Predicate<String> labels) {
    var suitable = labelled.poll(labels);
    if (suitable != null) {
      return List.of(new Departure(this, suitable));
    }
    var all = workers;
    int first = all.length == 0 ? 0 : ThreadLocalRandom.current().nextInt(all.length);
    for (int i = 0; i < all.length; i++) {
      var deque = all[(first + i) % all.length].deque;
      var job = deque.steal();
      if (job != null) {
        return withSiblings(job, deque, most);
      }
    }
    var job = given.poll();
    if (job == null && all.length == 0) {
      job = roots.poll();
    }
    return job == null ? List.of() : List.of(new Departure(this, job));
  }

  private List<Departure> withSiblings(Spawn job, SplitDeque deque, int most) {
    var parent = job.parent();
    int flat = parent == null ? 0 : parent.status; // an estimate, as the parent's thread changes it
    if (flat < FLAT || most < 2) {
      return List.of(new Departure(this, job));
    }
    var departures = new ArrayList<Departure>();
    departures.add(new Departure(this, job));
    for (int left = Math.min(most, deque.sharedSize() / 2); left > 1; left--) {
      var next = deque.oldestShared();
      if (next == null || next.parent() != parent) {
        break;
      }
      next = deque.steal();
      if (next == null) {
        break;
      }
      departures.add(new Departure(this, next));
    }
    return departures;
  }

  /**
   * Sets which labels there are. Waiting jobs fail whose label no node has any more.
   *
   * @param own the labels of this node
   * @param all those of all nodes
   */
  public void setLabels(Set<String> own, Set<String> all) {
    labelled.set(own, all);
    for (Spawn job; (job = labelled.poll(label -> !labelled.exists(label))) != null; ) {
      failWithoutLabel(job);
    }
    if (labelled.hasOwn()) {
      wakeSleeper();
    }
  }

  /** Returns the labels of jobs that wait for a node with the label. */
  public Set<String> waitingLabels() {
    return labelled.ofWaiting();
  }

  /** Returns whether there is a job with a label of this node. */
  boolean hasLabelledJob() {
    return labelled.hasOwn();
  }

  /** Returns whether this node has a label, as far as it knows. */
  public boolean hasLabel(String label) {
    return labelled.isOwn(label);
  }

  void requireLabel(String label) {
    if (!labelled.exists(label)) {
      throw new IllegalArgumentException(labelled.missing(label));
    }
  }

  private void failWithoutLabel(Spawn job) {
    var sentence = labelled.missing(LabelledJobs.label(job));
    new Departure(this, job)
        .ended(
            ended -> {
              throw new IllegalStateException(sentence);
            });
  }

  /** Returns the number of jobs that could depart; an estimate. */
  public int shared() {
    int sum = given.size();
    for (var worker : workers) {
      sum += worker.deque.sharedSize();
    }
    return sum;
  }

  /** Asks the workers to share more jobs, as others are hungry. */
  public void askToShare() {
    for (var worker : workers) {
      worker.raise(Worker.HUNGRY);
    }
  }

  /** Lets a sleeping worker look for jobs. */
  public void wake() {
    wakeSleeper();
  }

  /** Returns whether a worker sleeps that could execute a job of another node. */
  public boolean hasIdleWorker() {
    return sleepers.stream().anyMatch(Worker::isSearching)
        || waiters.stream().anyMatch(Worker::isSearching);
  }

  /** Returns whether a worker, asleep or awake, looks for a job of another node. */
  public boolean hasSearchingWorker() {
    for (var worker : workers) {
      if (worker.isSearching()) {
        return true;
      }
    }
    return false;
  }

  void searchEnded() {
    var source = elsewhere;
    if (source != null) {
      guarded("a task with a label may wait for a busy worker", source::searchEnded);
    }
  }

  /**
   * Lets the workers take no more jobs, and leave to others what they have forked and not begun.
   *
   * @param nanos how long they wait for others to take it
   */
  public void leave(long nanos) {
    leavesUntil = System.nanoTime() + nanos | 1; // never 0
    for (var worker : workers) {
      worker.raise(Worker.LEAVING);
    }
  }

  boolean isLeaving() {
    return leavesUntil != 0;
  }

  /** Returns whether workers still wait for others to take their jobs. */
  boolean waitsForThieves() {
    long until = leavesUntil;
    return until != 0 && until - System.nanoTime() > 0 && !closed;
  }

  boolean claim(Departure fork) {
    var source = elsewhere;
    return source != null && source.claim(fork);
  }

  /** Returns how many workers sleep; an estimate. */
  public int idleWorkers() {
    return sleepers.size() + waiters.size();
  }

  /** Starts further workers. */
  public void addWorkers(int number) {
    places.add(number);
  }

  WorkerPlaces places() {
    return places;
  }

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

  /** Ends a job that was taken: its frame joins it, or the waiting node gets it. */
  void finish(Spawn job, FrameState state) {
    if (state.repeated) {
      repeats.decrementAndGet();
    }
    var whenEnded = state.whenEnded;
    if (state.parent != null) {
      state.parent.state().add(job, state);
    } else if (whenEnded != null) {
      guarded("the end of a task was not reported", () -> whenEnded.accept(job));
    }
  }

  /** Lets a worker survive what others throw. */
  private void guarded(String consequence, Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) { // of a node that ends, of user code, or of the JVM
      LOG.log(closed ? Level.DEBUG : Level.WARNING, "After a failure " + consequence, failure);
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

  /** From how many outstanding jobs of a frame on some of them depart together. */
  private static final int FLAT = 64;

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

  /** Adds a job whose frame already counts it, for any worker that may execute it. */
  public void give(Spawn job) {
    var label = job.state().label;
    if (label != null) {
      giveLabelled(job, label);
      return;
    }
    var departure = new Departure(this, job);
    given.add(job);
    if ((closed || departure.isCancelled()) && given.remove(job)) {
      departure.cancelled();
    } else {
      wakeSleeper();
    }
  }

  /**
   * Adds a job that has arrived, for any worker of a node with a label.
   *
   * @param label a {@linkplain #hasLabel label of this node}
   */
  public void give(Spawn job, String label) {
    job.state().label = label;
    giveLabelled(job, label);
  }

  private void giveLabelled(Spawn job, String label) {
    var departure = new Departure(this, job);
    var queue = labelled.queue(label);
    queue.add(job);
    if ((closed || departure.isCancelled()) && queue.remove(job)) {
      departure.cancelled();
    } else if (!labelled.exists(label) && queue.remove(job)) { // no longer, or it came back
      failWithoutLabel(job);
    } else {
      if (labelled.isOwn(label)) {
        wakeSleeper();
      }
      var source = elsewhere;
      if (source != null) {
        guarded("nodes with a label were not told of a task", () -> source.offered(label));
      }
    }
  }

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
   * Runs an action on a worker at its next safe point: a fork, a sync, the end of a job, a
   * checkpoint, or at once if it is idle. If the engine has one worker, no user code of a job runs
   * meanwhile. Actions run in the order given, one at a time.
   */
  public void atSafePoint(Runnable action) {
    actions.add(action);
    for (var worker : workers) {
      worker.raise(Worker.SAFE_POINT);
      LockSupport.unpark(worker);
    }
  }

  void runActions() {
    while (!actions.isEmpty() && acting.tryLock()) {
      try {
        for (var action = actions.poll(); action != null; action = actions.poll()) {
          guarded("an action of a model at a safe point was not completed", action);
        }
      } finally {
        acting.unlock();
      }
    }
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

  private void startWorker() {
    lock.lock();
    try {
      var added = new Worker(this, ++started);
      var all = Arrays.copyOf(workers, workers.length + 1);
      all[workers.length] = added;
      workers = all;
      added.start();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The work of the workers so far.
   *
   * @param workers how many work at a time
   * @param forks how many jobs they have forked
   * @param attempts how often one has looked for jobs of others
   * @param stolen how many they have stolen from each other
   * @param cancelled how many were cancelled before they ended
   * @param idleNanos how long they have slept, in nanoseconds
   */
  public record Totals(
      int workers, long forks, long attempts, long stolen, long cancelled, long idleNanos) {

    private Totals plus(Totals other) {
      return new Totals(
          workers + other.workers,
          forks + other.forks,
          attempts + other.attempts,
          stolen + other.stolen,
          cancelled + other.cancelled,
          idleNanos + other.idleNanos);
    }
  }

  /** Returns what the workers have done so far, without locking them. */
  public Totals totals() {
    var sum = new Totals(places.number(), 0, 0, 0, 0, 0);
    lock.lock();
    try {
      sum = sum.plus(gone);
      for (var worker : workers) {
        sum = sum.plus(worker.totals());
      }
      return sum;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Cancels what runs and ends the workers when they find no further job. Futures of roots that
   * have not ended complete with a {@link CancellationException}.
   */
  @Override
  public void close() {
    closed = true;
    for (var root : running) {
      root.state().cancelled = true;
    }
    cancelEpochGrows(null);
    roots.removeAll(_ -> true).forEach(this::endCancelled);
    removeGiven(_ -> true);
    cancelledElsewhere();
    for (var worker : workers) {
      LockSupport.unpark(worker);
    }
  }

  String name() {
    return name;
  }

  Settings settings() {
    return settings;
  }

  @Nullable UnaryOperator<Spawn> copier() {
    return copier;
  }

  Worker[] workers() {
    return workers;
  }

  boolean isClosed() {
    return closed;
  }

  @Nullable Spawn pollRoot() {
    return roots.poll();
  }

  @Nullable Spawn pollGiven(Predicate<Spawn> suits) {
    var job = labelled.pollOwn(suits);
    return job != null ? job : given.poll(suits);
  }

  @Nullable Spawn askElsewhere(boolean isIdle) {
    var source = elsewhere;
    if (source == null) {
      return null;
    }
    try {
      return source.ask(isIdle);
    } catch (RuntimeException failure) { // this node may be ending
      LOG.log(closed ? Level.DEBUG : Level.WARNING, "Other nodes could not be asked", failure);
      return null;
    }
  }

  ConcurrentLinkedDeque<Worker> sleepers() {
    return sleepers;
  }

  ConcurrentLinkedDeque<Worker> waiters() {
    return waiters;
  }

  boolean hasSleepers() {
    return !sleepers.isEmpty() || !waiters.isEmpty();
  }

  void wakeSleeper() {
    if (!wakeOneOf(sleepers)) {
      wakeOneOf(waiters);
    }
  }

  private static boolean wakeOneOf(ConcurrentLinkedDeque<Worker> sleepers) {
    var sleeper = sleepers.pollFirst();
    LockSupport.unpark(sleeper);
    return sleeper != null;
  }

  boolean hasSharedJob(boolean orRoot) {
    var source = elsewhere;
    if (source != null && source.hasArrived()) {
      return true;
    }
    if (!given.isEmpty() || orRoot && !roots.isEmpty() || labelled.hasOwn()) {
      return true;
    }
    for (var worker : workers) {
      if (worker.deque.sharedSize() > 0) {
        return true;
      }
    }
    return false;
  }

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
    removeGiven(job -> new Departure(this, job).isCancelled());
    cancelledElsewhere();
  }

  /** Ends the jobs without deque that suit, as cancelled ones. */
  private void removeGiven(Predicate<Spawn> suits) {
    given.removeAll(suits).forEach(this::endCancelled);
    for (var queue : labelled.queues()) {
      queue.removeAll(suits).forEach(this::endCancelled);
    }
  }

  private void endCancelled(Spawn job) {
    new Departure(this, job).cancelled();
  }

  private void cancelledElsewhere() {
    var source = elsewhere;
    if (source != null) {
      guarded("cancelled tasks may go on on other nodes", source::cancelled);
    }
  }

  void fed() {
    var source = elsewhere;
    if (source != null) {
      guarded("no task was sent to nodes without work", source::fed);
    }
  }

  private void cancelEpochGrows(@Nullable Worker by) {
    CANCEL_EPOCH.getAndAdd(this, 1);
    for (var worker : workers) {
      if (worker != by) {
        worker.raise(Worker.CANCEL);
      }
    }
  }

  void ended(Worker worker) {
    lock.lock();
    try {
      var left = Arrays.stream(workers).filter(w -> w != worker).toArray(Worker[]::new);
      if (left.length > 0) {
        workers = left;
        var totals = worker.totals();
        gone =
            gone.plus(
                new Totals(
                    0,
                    totals.forks(),
                    totals.attempts(),
                    totals.stolen(),
                    totals.cancelled(),
                    totals.idleNanos()));
      }
    } finally {
      lock.unlock();
    }
  }
}
