package org.troupe.activeobjects.internal.object;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The causal order of multicasts on one node: the lock that makes each of them atomic, and the
 * inboxes that wait for earlier ones.
 */
public final class CausalOrder {

  /*
   * Lock order
   *
   * The lock makes the numbering of a multicast atomic with respect to all nodes, and its arrival atomic with
   * respect to all objects of this node. It is acquired after the lock of an inbox, and before the locks of
   * outboxes and bodies.
   */
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

  /** Begins an atomic step. */
  public void lock() {
    lock.lock();
  }

  /** Ends an atomic step. */
  public void unlock() {
    lock.unlock();
  }

  /** Runs an action that adds requests to queues of this node as one atomic step. */
  public void inOneStep(Runnable puts) {
    lock.lock();
    try {
      puts.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Registers an inbox that waits for a multicast of another node.
   *
   * @param retry lets the inbox check again; runs after each multicast taken, until it is removed
   */
  public void addWaiting(Runnable retry) {
    waiting.add(retry);
  }

  /** Removes an inbox that waits no longer. */
  public void removeWaiting(Runnable retry) {
    waiting.remove(retry);
  }

  /** Returns whether any inbox waits. */
  public boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /**
   * Lets waiting inboxes check again, after a multicast was taken or a node was lost. Called
   * without locks.
   */
  public void advanced() {
    if (!waiting.isEmpty()) {
      waiting.forEach(Runnable::run);
    }
  }
}
