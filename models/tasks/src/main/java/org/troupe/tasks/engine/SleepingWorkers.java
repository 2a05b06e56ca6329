package org.troupe.tasks.engine;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/** The workers of an engine that sleep, or are about to. Thread-safe. */
final class SleepingWorkers {

  /** At the bottom of their stacks; they may take roots. */
  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

  /** In joins. */
  private final ConcurrentLinkedDeque<Worker> joining = new ConcurrentLinkedDeque<>();

  ConcurrentLinkedDeque<Worker> idle() {
    return idle;
  }

  ConcurrentLinkedDeque<Worker> joining() {
    return joining;
  }

  boolean isEmpty() {
    return idle.isEmpty() && joining.isEmpty();
  }

  /** Returns how many sleep; an estimate. */
  int number() {
    return idle.size() + joining.size();
  }

  /** Returns whether one of them looks for a job that may come from another node. */
  boolean anySearches() {
    return idle.stream().anyMatch(Worker::isSearching)
        || joining.stream().anyMatch(Worker::isSearching);
  }

  /** Wakes one, if there is one. */
  void wake() {
    if (!wakeOneOf(idle)) {
      wakeOneOf(joining);
    }
  }

  /** Wakes one that may take a root, if there is one. */
  void wakeForRoot() {
    wakeOneOf(idle);
  }

  private static boolean wakeOneOf(ConcurrentLinkedDeque<Worker> workers) {
    var sleeper = workers.pollFirst();
    LockSupport.unpark(sleeper);
    return sleeper != null;
  }
}
