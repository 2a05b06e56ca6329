package org.troupe.tasks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A running set of workers in this JVM. May be shared between threads. */
public final class Engine implements AutoCloseable {

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
   * @param workers the number of threads, at least 1
   * @param stackBytes the size of each thread's stack
   */
  public record Settings(int workers, long stackBytes) {

    private static final long DEFAULT_STACK = 64L << 20;

    /** Checks the numbers. */
    public Settings {
      if (workers < 1) {
        throw new IllegalArgumentException(
            "troupe.tasks.workers is " + workers + "; give at least 1");
      }
      if (stackBytes < 1 << 18) {
        throw new IllegalArgumentException(
            "troupe.tasks.stack is " + stackBytes + " bytes; give at least 262144");
      }
    }

    /**
     * Returns the settings of the properties {@code troupe.tasks.workers} (default: the processors
     * of this JVM) and {@code troupe.tasks.stack} (bytes; default: 64 MiB).
     */
    public static Settings ofProperties() {
      return new Settings(
          (int) number("troupe.tasks.workers", Runtime.getRuntime().availableProcessors()),
          number("troupe.tasks.stack", DEFAULT_STACK));
    }

    private static long number(String property, long otherwise) {
      var text = System.getProperty(property);
      if (text == null) {
        return otherwise;
      }
      try {
        return Math.clamp(Long.parseLong(text.strip()), Integer.MIN_VALUE, Integer.MAX_VALUE);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "-D" + property + "=" + text + " is no number; give a whole number", e);
      }
    }

    /** Returns these settings with another number of workers. */
    public Settings withWorkers(int number) {
      return new Settings(number, stackBytes);
    }
  }

  private final Settings settings;
  private final @Nullable UnaryOperator<Spawn> copier;
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Spawn> roots = new ConcurrentLinkedQueue<>();
  private final Set<Spawn> running = ConcurrentHashMap.newKeySet();
  private final Queue<Spawn> given = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedDeque<Worker> sleepers = new ConcurrentLinkedDeque<>();
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final ReentrantLock acting = new ReentrantLock();
  private volatile Worker[] workers;
  private volatile @Nullable JobSource elsewhere;
  private volatile boolean closed;
  private volatile int cancelEpoch;
  private int started;
  private Totals gone = new Totals(0, 0, 0, 0, 0, 0);

  private Engine(Settings settings, @Nullable UnaryOperator<Spawn> copier) {
    this.settings = settings;
    this.copier = copier;
    var first = new Worker[settings.workers()];
    for (int i = 0; i < first.length; i++) {
      first[i] = new Worker(this, ++started);
    }
    workers = first;
  }

  /** Starts the workers. */
  public static Engine start(Settings settings) {
    return start(settings, null);
  }

  /**
   * Starts workers that execute a copy of each job.
   *
   * @param copier makes the copies, or {@code null} for none
   */
  public static Engine start(Settings settings, @Nullable UnaryOperator<Spawn> copier) {
    var engine = new Engine(settings, copier);
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
    var future = new CompletableFuture<S>();
    if (root.link != null) {
      throw new IllegalStateException(
          root.getClass().getName() + " was submitted or forked before; submit a new object");
    }
    var state = new FrameState(null);
    root.link = state;
    state.whenEnded = ended -> rootEnded(root, state, future);
    running.add(root);
    roots.add(root);
    if (closed && roots.remove(root)) {
      running.remove(root);
      throw new IllegalStateException("the tasks are closed");
    }
    wakeSleeper();
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

  /** Adds a job whose frame already counts it, for any worker. */
  public void give(Spawn job) {
    given.add(job);
    wakeSleeper();
  }

  /** Ends the current job here if it was cancelled, and does what waits for a safe point. */
  public static void checkpoint() {
    if (Thread.currentThread() instanceof Worker worker && worker.attention() != 0) {
      worker.attend(null);
    }
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
          action.run();
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
    if (!(Thread.currentThread() instanceof Worker worker)) {
      return call.call();
    }
    var substitute = worker.engine.startSubstitute();
    try {
      return call.call();
    } finally {
      substitute.retired = true;
      LockSupport.unpark(substitute);
    }
  }

  private Worker startSubstitute() {
    lock.lock();
    try {
      var added = new Worker(this, ++started);
      var all = java.util.Arrays.copyOf(workers, workers.length + 1);
      all[workers.length] = added;
      workers = all;
      added.start();
      return added;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What the workers have done so far.
   *
   * @param workers how many there are
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
    lock.lock();
    try {
      var sum = gone;
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
    cancelEpochGrows();
    for (Spawn root; (root = roots.poll()) != null; ) {
      var state = root.state();
      state.failure = Cancellation.INSTANCE;
      java.util.Objects.requireNonNull(state.whenEnded, "a root has it").accept(root);
    }
    for (var worker : workers) {
      LockSupport.unpark(worker);
    }
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
    return roots.isEmpty() ? null : roots.poll();
  }

  @Nullable Spawn pollGiven() {
    return given.isEmpty() ? null : given.poll();
  }

  @Nullable Spawn askElsewhere() {
    var source = elsewhere;
    return source == null ? null : source.ask();
  }

  ConcurrentLinkedDeque<Worker> sleepers() {
    return sleepers;
  }

  boolean hasSleepers() {
    return !sleepers.isEmpty();
  }

  void wakeSleeper() {
    var sleeper = sleepers.pollFirst();
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }

  boolean hasSharedJob(boolean orRoot) {
    if (!given.isEmpty() || orRoot && !roots.isEmpty()) {
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

  void cancelled(Frame frame) {
    cancelEpochGrows();
    var source = elsewhere;
    if (source != null) {
      source.cancelled(frame);
    }
  }

  private void cancelEpochGrows() {
    CANCEL_EPOCH.getAndAdd(this, 1);
    for (var worker : workers) {
      worker.raise(Worker.CANCEL);
    }
  }

  void ended(Worker worker) {
    lock.lock();
    try {
      var left = java.util.Arrays.stream(workers).filter(w -> w != worker).toArray(Worker[]::new);
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
