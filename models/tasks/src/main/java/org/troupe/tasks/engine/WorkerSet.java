package org.troupe.tasks.engine;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The threads of an engine, of which more are started and some end. Thread-safe. */
final class WorkerSet {

  private final Engine engine;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Worker[] all; // written under the lock
  // guarded by lock
  private int started;
  private EngineTotals gone = EngineTotals.NONE;

  /** Creates workers that are not started yet. */
  WorkerSet(Engine engine, int number) {
    this.engine = engine;
    var first = new Worker[number];
    for (int i = 0; i < first.length; i++) {
      first[i] = new Worker(engine, ++started);
    }
    all = first;
  }

  /** Starts those that were created first. */
  void start() {
    for (var worker : all) {
      worker.start();
    }
  }

  /** Starts one more. */
  void startOne() {
    lock.lock();
    try {
      var added = new Worker(engine, ++started);
      var more = Arrays.copyOf(all, all.length + 1);
      more[all.length] = added;
      all = more;
      added.start();
    } finally {
      lock.unlock();
    }
  }

  /** Removes a worker that ends, unless it is the last, in whose deque others may look. */
  void ended(Worker worker) {
    lock.lock();
    try {
      var left = Arrays.stream(all).filter(each -> each != worker).toArray(Worker[]::new);
      if (left.length > 0) {
        all = left;
        gone = gone.plus(worker.totals());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the workers; not to be changed. */
  Worker[] all() {
    return all;
  }

  /** Raises a flag at all workers but one. */
  void raise(int flag, @Nullable Worker but) {
    for (var worker : all) {
      if (worker != but) {
        worker.raise(flag);
      }
    }
  }

  void unparkAll() {
    for (var worker : all) {
      LockSupport.unpark(worker);
    }
  }

  /** Returns the number of jobs in deques that others may take; an estimate. */
  int sharedJobs() {
    int sum = 0;
    for (var worker : all) {
      sum += worker.deque.sharedSize();
    }
    return sum;
  }

  boolean anySearches() {
    for (var worker : all) {
      if (worker.isSearching()) {
        return true;
      }
    }
    return false;
  }

  /** Returns what all have done, also those that have ended. */
  EngineTotals totals() {
    lock.lock();
    try {
      var sum = gone;
      for (var worker : all) {
        sum = sum.plus(worker.totals());
      }
      return sum;
    } finally {
      lock.unlock();
    }
  }
}
