package org.troupe.activeobjects.internal.body;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Limits the share of the heap that the queued requests of one node occupy. Thread-safe. */
public final class QueueMemory {

  /*
   * Design: accounting by chunks
   *
   * Counting. An atomic operation for each request would cost as much as a small local call. A queue therefore
   * adds up the bytes of its requests without atomics, and reports here only when the sum passes a multiple of
   * the chunk size. The request that does so carries the chunks, and returns them when it is taken
   * (CallRequest.taken), so both sides agree without communication. Less than a chunk per queue is not
   * counted.
   *
   * Backlog. When the share is full, each node that continues to send is notified. It then holds back its
   * users' calls to objects that are behind; to an object with less than a chunk in its queue it sends one
   * call for each notice to that effect. When a quarter of the share is free again, all of them are notified.
   *
   * Exception. An object that can serve none of its queued requests (a service loop that waits for a certain
   * request, requests held at a barrier) does not count as behind, however much its queue holds: the request
   * that it needs must not be held back.
   */
  static final int CHUNK_BITS = 16;

  private static final int SHARE_OF_HEAP = 4;

  private final Listener listener;
  private final AtomicLong bytes = new AtomicLong();
  private volatile long most = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
  private volatile boolean isFull; // written under the lock of this

  // Guarded by this
  private final Set<CapacityPeer> told = new HashSet<>(); // nodes notified that the share is full
  private final Map<Body, Set<CapacityPeer>> wanting =
      new HashMap<>(); // requests for capacity, by the bodies that are behind

  /** Is notified when calls that this node holds back may go on. */
  public interface Listener {

    /** Reports that the share is no longer full. */
    void memoryFreed();

    /** Reports that a body is no longer behind. */
    void caughtUp(Body body);
  }

  public QueueMemory(Listener listener) {
    this.listener = listener;
  }

  /** Sets a lower limit, for tests. */
  void limit(long mostBytes) {
    most = mostBytes;
  }

  /** Returns whether senders to objects that are behind have to wait. */
  public boolean isFull() {
    return isFull;
  }

  long bytes() {
    return bytes.get();
  }

  /** Adds chunks in the queue of a body. */
  void queued(Body body, int chunks) {
    body.addBacklog(chunks);
    if (bytes.addAndGet((long) chunks << CHUNK_BITS) > most && !isFull) {
      synchronized (this) {
        isFull = true;
      }
      taken(body, 0); // chunks taken meanwhile were not checked
    }
  }

  /** Removes chunks taken from the queue of a body. */
  void taken(Body body, int chunks) {
    var left = bytes.addAndGet(-((long) chunks << CHUNK_BITS));
    var backlog = body.addBacklog(-chunks);
    if (!isFull) {
      return;
    }
    if (isEnough(left)) {
      freed();
    } else if (backlog <= 0) {
      caughtUp(body);
    }
  }

  private boolean isEnough(long left) {
    return left <= most - most / 4;
  }

  private void freed() {
    List<CapacityPeer> toTell;
    synchronized (this) {
      if (!isFull || !isEnough(bytes.get())) {
        return;
      }
      isFull = false;
      toTell = List.copyOf(told);
      told.clear();
      wanting.clear();
    }
    toTell.forEach(each -> each.sendBacklog(false));
    listener.memoryFreed();
  }

  private void caughtUp(Body body) {
    Set<CapacityPeer> toTell;
    synchronized (this) {
      toTell = wanting.remove(body);
    }
    if (toTell != null) {
      toTell.forEach(each -> each.grantCapacity(body.number()));
    }
    listener.caughtUp(body);
  }

  /**
   * Records that a body can serve none of its requests, such as a service loop that waits for a
   * certain one: senders that wait may hold the one that it needs.
   */
  void starves(Body body) {
    if (isFull && body.backlog() > 0) {
      caughtUp(body);
    }
  }

  /** Records a queued call of another node, which is notified once if it should hold back calls. */
  public void isSending(CapacityPeer peer) {
    synchronized (this) {
      if (!isFull || !told.add(peer)) {
        return;
      }
    }
    peer.sendBacklog(true);
  }

  /**
   * Handles the request of another node to send a call to a body, {@code null} if the body has
   * ended.
   */
  public void wanted(CapacityPeer peer, long target, @Nullable Body body) {
    synchronized (this) {
      if (isFull && body != null && body.isBehind()) {
        wanting.computeIfAbsent(body, any -> new HashSet<>()).add(peer);
        return;
      }
    }
    peer.grantCapacity(target);
  }

  /** Returns whether another node holds back calls to a body that is behind. */
  public synchronized boolean holdsBack(CapacityPeer peer, Body body) {
    return isFull && body.isBehind() && wanting.getOrDefault(body, Set.of()).contains(peer);
  }

  public synchronized void forget(CapacityPeer peer) {
    told.remove(peer);
    wanting.values().forEach(each -> each.remove(peer));
  }
}
