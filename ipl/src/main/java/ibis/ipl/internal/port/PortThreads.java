package ibis.ipl.internal.port;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The daemon threads on which the ports of one instance read links and run upcalls. */
final class PortThreads {

  private static final long IDLE_SECONDS = 2;

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor timer;

  /** Creates a pool whose threads use the context class loader of the calling thread. */
  PortThreads(String namePrefix) {
    ThreadFactory daemons = daemons(namePrefix);
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons);
    timer = new ScheduledThreadPoolExecutor(1, daemons);
    timer.setRemoveOnCancelPolicy(true);
    timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory daemons(String namePrefix) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ThreadFactory threads =
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name(namePrefix, 0)
            .factory();
    return work -> {
      Thread thread = threads.newThread(work);
      thread.setContextClassLoader(loader);
      return thread;
    };
  }

  /** Runs a task that may block, on a platform thread. */
  void execute(Runnable task) {
    threads.execute(task);
  }

  /** Schedules a task that does not block. */
  ScheduledFuture<?> schedule(Runnable task, long delayMillis) {
    return timer.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
  }

  /** A task that throws one type of exception. */
  interface Task<T, E extends Exception> {
    T run() throws E;
  }

  /**
   * Runs a task that reads links: on the calling thread, or on a platform thread if the calling
   * thread is virtual.
   */
  <T, E extends Exception> T onPlatformThread(Task<T, E> task) throws E {
    if (!Thread.currentThread().isVirtual()) {
      return task.run();
    }
    var outcome = new FutureTask<>((Callable<T>) task::run);
    execute(outcome);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return outcome.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause(), "the exception of the task");
      switch (cause) {
        case RuntimeException unchecked -> throw unchecked;
        case Error error -> throw error;
        default -> {
          @SuppressWarnings("unchecked") // the task throws no other checked exception
          E failure = (E) cause;
          throw failure;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Cancels the scheduled tasks; idle threads end by themselves. */
  void end() {
    timer.shutdownNow();
  }
}
