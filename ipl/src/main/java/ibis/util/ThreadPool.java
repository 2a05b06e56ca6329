package ibis.util;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs tasks without queueing, on pooled daemon threads. */
public final class ThreadPool {

  private static final ExecutorService POOL =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("ibis-pool-", 0).factory());

  private ThreadPool() {}

  /** Runs a task on a thread of the pool. */
  public static void createNew(Runnable task) {
    createNew(task, "task");
  }

  /** Runs a task on a thread of the pool, which has this name meanwhile. */
  public static void createNew(Runnable task, String name) {
    POOL.execute(
        () -> {
          Thread thread = Thread.currentThread();
          String before = thread.getName();
          thread.setName(name);
          try {
            task.run();
          } finally {
            thread.setName(before);
          }
        });
  }
}
