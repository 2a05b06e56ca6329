package org.troupe.serialization.internal.resources;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.CodecFailure;

/**
 * Platform threads with a large stack, few of them in a JVM: for hooks that nest deeply, and for
 * code of a program that must not hold up a carrier of virtual threads.
 */
public final class SpareThreads {

  /** A part of a walk. */
  public interface Walk<T> {
    @Nullable T run() throws Throwable;
  }

  private static final System.Logger LOG = System.getLogger("org.troupe.serialization");

  /**
   * The stack size; a level takes a few hundred bytes in compiled code, over 2 KiB in interpreted
   * hooks.
   */
  static final int LEVELS = 5_000;

  private static final long STACK_BYTES = 4096L * LEVELS;

  /** The number of walks that have spare threads at a time; others wait. */
  private static final int WALKS = Math.max(8, 2 * Runtime.getRuntime().availableProcessors());

  /** The number of threads of one walk, each waiting for the next. */
  private static final int THREADS = 20;

  private static final long WAIT_SECONDS = 60;
  private static final long REPORT_SECONDS = 10;
  private static final long IDLE_SECONDS = 10;

  private static final Semaphore FREE = new Semaphore(WALKS);
  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          0,
          WALKS * THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          SpareThreads::thread);

  /** The number of spare threads of the current walk down to the current thread. */
  private static final ThreadLocal<Integer> BELOW = ThreadLocal.withInitial(() -> 0);

  private SpareThreads() {}

  /** Returns whether code of a program must not run on the current thread, as on a carrier. */
  public static boolean areNeeded() {
    return Thread.currentThread().isVirtual();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(null, task, "troupe-hooks", STACK_BYTES);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  /**
   * Runs a part of a walk on a spare thread and waits for it.
   *
   * @param carrier wraps the task in the context of the waiting thread
   * @param what names the task, for a log record if it runs long
   */
  public static <T> @Nullable T run(Walk<T> walk, UnaryOperator<Runnable> carrier, String what)
      throws Throwable {
    int below = BELOW.get();
    if (below == THREADS) {
      throw new CodecFailure(
          "its hooks call each other more than %d objects deep; send it in parts"
              .formatted(THREADS * LEVELS));
    }
    if (below == 0 && !acquire()) {
      throw new CodecFailure(
          "for %d s all %d threads for hooks and keys of programs have been taken by others, which stand in the log; %s was not read"
              .formatted(WAIT_SECONDS, WALKS, what));
    }
    try {
      return call(walk, carrier, below + 1, what);
    } finally {
      if (below == 0) {
        FREE.release();
      }
    }
  }

  private static boolean acquire() {
    if (FREE.tryAcquire()) {
      return true;
    }
    boolean interrupted = false;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    try {
      while (true) {
        try {
          return FREE.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static <T> @Nullable T call(
      Walk<T> walk, UnaryOperator<Runnable> carrier, int below, String what) throws Throwable {
    var outcome =
        new Object() {
          @Nullable T value;
          @Nullable Throwable thrown;
          @Nullable Thread thread;
        };
    CountDownLatch done = new CountDownLatch(1);
    Runnable body =
        carrier.apply(
            () -> {
              try {
                outcome.value = walk.run();
              } catch (Throwable t) { // handed to the waiting thread, which rethrows it
                outcome.thrown = t;
              }
            });
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      POOL.execute(
          () -> {
            Thread thread = Thread.currentThread();
            outcome.thread = thread;
            thread.setContextClassLoader(loader);
            BELOW.set(below);
            try {
              body.run();
            } catch (Throwable t) { // of the carrier
              outcome.thrown = t;
            } finally {
              BELOW.remove();
              thread.setContextClassLoader(null);
              done.countDown();
            }
          });
    } catch (OutOfMemoryError e) { // no thread, rather than no heap
      throw new CodecFailure("there is no memory for another thread; send it in parts", e);
    }
    awaitUninterruptibly(done, () -> report(outcome.thread, what));
    if (outcome.thrown != null) {
      throw outcome.thrown;
    }
    return outcome.value;
  }

  private static void awaitUninterruptibly(CountDownLatch done, Runnable report) {
    boolean interrupted = false;
    boolean reported = false;
    while (true) {
      try {
        if (reported) {
          done.await();
          break;
        }
        if (done.await(REPORT_SECONDS, TimeUnit.SECONDS)) {
          break;
        }
        reported = true;
        report.run();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void report(@Nullable Thread thread, String what) {
    StackTraceElement[] frames = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
    LOG.log(
        Level.WARNING,
        "{0} has been running for {1} s while a message is encoded or decoded, now at {2}; "
            + "the message waits for it, other messages do not",
        what,
        REPORT_SECONDS,
        frames.length == 0 ? "an unknown place" : frames[0]);
  }
}
