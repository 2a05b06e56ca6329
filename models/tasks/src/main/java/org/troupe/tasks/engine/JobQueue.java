package org.troupe.tasks.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Jobs that lie in no deque, oldest first. Any thread adds, takes and removes. */
final class JobQueue {

  // Jobs are compared by identity, as the classes of users may define equality.

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Spawn> jobs = new ArrayDeque<>(); // guarded by lock
  private volatile int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  void add(Spawn job) {
    lock.lock();
    try {
      jobs.addLast(job);
      size = jobs.size();
    } finally {
      lock.unlock();
    }
  }

  @Nullable Spawn poll() {
    return poll(job -> true);
  }

  /** Removes and returns the oldest job that suits; {@code null} if there is none. */
  @Nullable Spawn poll(Predicate<Spawn> suits) {
    if (size == 0) {
      return null;
    }
    lock.lock();
    try {
      for (var each = jobs.iterator(); each.hasNext(); ) {
        var job = each.next();
        if (suits.test(job)) {
          each.remove();
          size = jobs.size();
          return job;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Removes and returns all jobs that suit. */
  List<Spawn> removeAll(Predicate<Spawn> suits) {
    if (size == 0) {
      return List.of();
    }
    var removed = new ArrayList<Spawn>();
    lock.lock();
    try {
      jobs.removeIf(job -> suits.test(job) && removed.add(job));
      size = jobs.size();
    } finally {
      lock.unlock();
    }
    return removed;
  }

  /** Removes a job. Returns whether it was there. */
  boolean remove(Spawn job) {
    return poll(each -> each == job) != null;
  }
}
