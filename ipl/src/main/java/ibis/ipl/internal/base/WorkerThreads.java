package ibis.ipl.internal.base;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Daemon threads that come when there is work and go when there is none for a minute. */
public final class WorkerThreads {

  /** Runs what waits for the network: platform threads, as links want them. */
  public static final Executor POOL =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("ibis-registry-", 0).factory());

  private WorkerThreads() {}

  /** Runs a task on the pool after a while; nothing happens if the result is cancelled before. */
  public static CompletableFuture<Void> after(long millis, Runnable task) {
    return CompletableFuture.runAsync(
        task, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, POOL));
  }
}
