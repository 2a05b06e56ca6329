package org.troupe.activeobjects.internal.moving;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one after the other, in the order in which they were added, on virtual threads. A task
 * that fails does not keep later ones from being run.
 */
final class SerialTasks implements Executor {

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger left = new AtomicInteger();
  private final Consumer<Throwable> failures;

  /**
   * Creates the runner.
   *
   * @param failures receives what tasks throw
   */
  SerialTasks(Consumer<Throwable> failures) {
    this.failures = failures;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (left.getAndIncrement() == 0) {
      Thread.startVirtualThread(this::runAll);
    }
  }

  private void runAll() {
    do {
      var next = tasks.poll();
      if (next != null) {
        attempt(next);
      }
    } while (left.decrementAndGet() > 0);
  }

  /** Runs a part of a task; the parts after one that fails are run, too. */
  void attempt(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // an error of the middleware, or lack of memory
      try {
        failures.accept(failure);
      } catch (Throwable again) {
        // The report lacks memory, too; later tasks are run.
      }
    }
  }
}
