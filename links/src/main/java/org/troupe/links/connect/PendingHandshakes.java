package org.troupe.links.connect;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.links.IoFailures;
import org.troupe.links.handshake.HandshakeLimits;
import org.troupe.links.handshake.RefusalCause;
import org.troupe.links.handshake.RefusedException;

/** The unauthenticated peers of a port, bounded in number and time. */
public final class PendingHandshakes {

  /*
   * Deadlines close sockets from another thread. A read timeout would need less code, but a timed
   * read, like any read on a virtual thread, leaves the socket in non-blocking mode, which costs each
   * later read that blocks two more system calls (NioSocketImpl, JDK 25).
   */

  private final HandshakeLimits limits;
  private final Deque<Peer> oldestFirst = new ArrayDeque<>();

  public PendingHandshakes(HandshakeLimits limits) {
    this.limits = limits;
  }

  /**
   * Adds an accepted connection. If the limit is reached, waits until a handshake has ended, or
   * until the oldest has had its minimum time and is evicted.
   */
  public Peer admit(Closeable connection) throws InterruptedException {
    var peer = new Peer(connection);
    synchronized (oldestFirst) {
      while (oldestFirst.size() >= limits.unfinished()) {
        Peer oldest = oldestFirst.peek();
        long left = limits.turn().toNanos() - (System.nanoTime() - oldest.since);
        if (left <= 0) {
          oldestFirst.remove();
          oldest.drop(RefusalCause.CROWDED_OUT);
        } else {
          // At least 1 ms, as wait(0) has no time limit.
          oldestFirst.wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        }
      }
      oldestFirst.add(peer);
    }
    peer.startDeadline();
    return peer;
  }

  /** A connection whose handshake is not finished. */
  public final class Peer {

    private final Closeable connection;
    private final long since = System.nanoTime();
    private final CompletableFuture<Void> deadline = new CompletableFuture<>();
    private volatile @Nullable RefusalCause dropped;
    private boolean isAuthenticated; // touched only by the peer's thread

    private Peer(Closeable connection) {
      this.connection = connection;
    }

    private void startDeadline() {
      deadline
          .orTimeout(limits.handshake().toNanos(), TimeUnit.NANOSECONDS)
          .whenComplete(
              (_, late) -> {
                if (late != null) {
                  drop(RefusalCause.TOO_SLOW);
                }
              });
    }

    private void drop(RefusalCause cause) {
      dropped = cause;
      IoFailures.closeQuietly(connection);
    }

    /**
     * Marks the peer as authenticated, so that it no longer counts towards the limit; its deadline
     * remains.
     *
     * @return false if the peer was dropped before
     */
    public boolean authenticated() {
      synchronized (oldestFirst) {
        boolean kept = oldestFirst.remove(this);
        isAuthenticated |= kept;
        oldestFirst.notifyAll();
        return kept;
      }
    }

    /** Ends the deadline and the handshake; returns whether the peer was not dropped before. */
    public boolean finish() {
      boolean inTime = deadline.complete(null);
      boolean _ = authenticated();
      return inTime && isAuthenticated;
    }

    /** Returns the cause for which the peer was dropped, or else that of the failed handshake. */
    public RefusalCause cause(RefusedException found) {
      RefusalCause reason = dropped;
      return reason != null ? reason : found.refusal;
    }
  }
}
