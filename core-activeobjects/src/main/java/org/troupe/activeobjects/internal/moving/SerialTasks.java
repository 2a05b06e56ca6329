package org.troupe.activeobjects.internal.moving;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks one after the other, in the order in which they were added, on virtual threads. */
final class SerialTasks implements Executor {

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger left = new AtomicInteger();

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
        next.run();
      }
    } while (left.decrementAndGet() > 0);
  }
}
