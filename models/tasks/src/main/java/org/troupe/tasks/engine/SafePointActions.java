package org.troupe.tasks.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/** Actions that wait for a safe point of a worker. Any thread adds; workers run them. */
final class SafePointActions {

  private final FailureGuard guard;
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final ReentrantLock running = new ReentrantLock();

  SafePointActions(FailureGuard guard) {
    this.guard = guard;
  }

  void add(Runnable action) {
    actions.add(action);
  }

  /** Runs all in the order in which they were added, unless another worker does. */
  void run() {
    while (!actions.isEmpty() && running.tryLock()) {
      try {
        for (var action = actions.poll(); action != null; action = actions.poll()) {
          guard.call("an action of a model at a safe point was not completed", action);
        }
      } finally {
        running.unlock();
      }
    }
  }
}
