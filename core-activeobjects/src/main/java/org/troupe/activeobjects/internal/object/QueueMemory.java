package org.troupe.activeobjects.internal.object;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The share of the heap that requests may take in the queues of one node. May be shared between
 * threads.
 */
public final class QueueMemory {

  /*
   * A request is counted in its queue, where an atomic operation for each would cost as much as a small local call: a queue
   * adds up the bytes of its requests one by one, and whenever the sum passes a multiple of the chunk, it is told here. That
   * request gives the chunks back when it is taken (CallRequest.taken), so both sides agree without talking. Less than
   * a chunk per queue goes uncounted.
   *
   * When the share is full, each node that goes on sending is told, and holds back its users' calls to objects that
   * are behind: to those that have less than a chunk in their queues it sends, one call for each word that this is so.
   * When a quarter of the share is free again, all are told.
   *
   * An object that may serve nothing of what is queued (a service loop that waits for a certain request, requests held
   * at a barrier) is not behind, however much is queued: the request that it needs must not be held back.
   */
  static final int CHUNK_BITS = 16;

  private static final int SHARE_OF_HEAP = 4;

  private final NodeObjects node;
  private final AtomicLong bytes = new AtomicLong();
  private volatile long most = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
  private volatile boolean isFull; // written under this

  // Under this
  private final Set<RemoteNode> told = new HashSet<>(); // that the share is full
  private final Map<Body, Set<RemoteNode>> wanting =
      new HashMap<>(); // room, by bodies that are behind

  public QueueMemory(NodeObjects node) {
    this.node = node;
  }

  /** For tests, which fill less than a share of the heap. */
  void limit(long mostBytes) {
    most = mostBytes;
  }

  /** Says whether senders to objects that are behind have to wait. */
  public boolean isFull() {
    return isFull;
  }

  long bytes() {
    return bytes.get();
  }

  /** Chunks have come into the queue of a body. */
  void queued(Body body, int chunks) {
    body.addBacklog(chunks);
    if (bytes.addAndGet((long) chunks << CHUNK_BITS) > most && !isFull) {
      synchronized (this) {
        isFull = true;
      }
      taken(body, 0); // what was taken meanwhile did not look
    }
  }

  /** Chunks have been taken from the queue of a body. */
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
    List<RemoteNode> toTell;
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
    node.rooms().memoryCame(node);
  }

  private void caughtUp(Body body) {
    Set<RemoteNode> toTell;
    synchronized (this) {
      toTell = wanting.remove(body);
    }
    if (toTell != null) {
      toTell.forEach(each -> each.grantCapacity(body.number()));
    }
    node.rooms().memoryCame(body);
  }

  /**
   * A body can serve none of its requests, such as a service loop that waits for a certain one:
   * senders that wait may hold the one that it needs.
   */
  void starves(Body body) {
    if (isFull && body.backlog() > 0) {
      caughtUp(body);
    }
  }

  /** Another node sends a call that is queued: it is told, once, if it should not. */
  public void isSending(RemoteNode peer) {
    synchronized (this) {
      if (!isFull || !told.add(peer)) {
        return;
      }
    }
    peer.sendBacklog(true);
  }

  /** Another node wants to send a call to a body, {@code null} if that is gone. */
  public void wanted(RemoteNode peer, long target, Body body) {
    synchronized (this) {
      if (isFull && body != null && body.isBehind()) {
        wanting.computeIfAbsent(body, any -> new HashSet<>()).add(peer);
        return;
      }
    }
    peer.grantCapacity(target);
  }

  /** Says whether another node is held back from a body that is behind. */
  public synchronized boolean holdsBack(RemoteNode peer, Body body) {
    return isFull && body.isBehind() && wanting.getOrDefault(body, Set.of()).contains(peer);
  }

  public synchronized void forget(RemoteNode peer) {
    told.remove(peer);
    wanting.values().forEach(each -> each.remove(peer));
  }
}
