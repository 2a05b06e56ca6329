package org.troupe.activeobjects.internal.service;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Tasks that wait for other nodes, each on a thread of its own. */
public final class ThreadedTask {

  private ThreadedTask() {}

  /**
   * Starts a task; returns its outcome. A stage of a future would be a request of the object that
   * calls, which may wait for the outcome.
   */
  public static <T extends @Nullable Object> CompletableFuture<T> start(Callable<T> task) {
    var outcome = new CompletableFuture<T>();
    Thread.startVirtualThread(
        () -> {
          try {
            outcome.complete(task.call());
          } catch (ExecutionException failure) {
            outcome.completeExceptionally(failure.getCause());
          } catch (Throwable failure) { // also an Error: others wait for the outcome
            outcome.completeExceptionally(failure);
          }
        });
    return outcome;
  }
}
