package ibis.ipl.internal.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A cached pool of daemon threads for the registry. */
public final class WorkerThreads {

  /** Runs tasks that block on links, which need platform threads. */
  public static final Executor POOL =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("ibis-registry-", 0).factory());

  private WorkerThreads() {}

  /** Runs a task on the pool after a delay, unless the result is cancelled before. */
  public static CompletableFuture<Void> after(long millis, Runnable task) {
    return CompletableFuture.runAsync(
        task, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, POOL));
  }
}
