package org.troupe.activeobjects.internal.object;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The order of multicasts on one node: the lock that makes each one step, and who waits for one.
 */
public final class CausalOrder {

  /*
   * The lock makes the numbering of a multicast one step for all nodes, and its arrival one step for all objects of
   * this node. It is taken after the lock of an inbox, and before those of outboxes and bodies.
   */
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

  /** Begins a step. */
  public void lock() {
    lock.lock();
  }

  /** Ends a step. */
  public void unlock() {
    lock.unlock();
  }

  /** Runs, as one step, what puts requests into queues of this node. */
  public void inOneStep(Runnable puts) {
    lock.lock();
    try {
      puts.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that an inbox waits for a multicast of another node.
   *
   * @param retry looks again; run after each multicast taken, until it is removed
   */
  public void addWaiting(Runnable retry) {
    waiting.add(retry);
  }

  /** An inbox waits no longer. */
  public void removeWaiting(Runnable retry) {
    waiting.remove(retry);
  }

  /** Says whether an inbox waits. */
  public boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** A multicast was taken, or a node is lost. Called without locks. */
  public void advanced() {
    if (!waiting.isEmpty()) {
      waiting.forEach(Runnable::run);
    }
  }
}
