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

/** The peers of a port that have not proved the secret yet: bounded in number, none for long. */
public final class PendingHandshakes {

  /*
   * Deadlines close sockets from outside. A read timeout would do the same with less code, but a
   * timed read, and any read on a virtual thread, leaves a socket non-blocking for good, which costs
   * each later read that has to wait two more system calls (NioSocketImpl, JDK 25).
   */

  private final HandshakeLimits limits;
  private final Deque<Peer> oldestFirst = new ArrayDeque<>();

  public PendingHandshakes(HandshakeLimits limits) {
    this.limits = limits;
  }

  /**
   * Admits a newly accepted connection; waits for a place if all are taken, and has the oldest
   * dropped if it has had its turn.
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
          // At least a millisecond: a wait of none would be one for ever.
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
    private boolean proved; // touched only by the peer's thread

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

    private void drop(RefusalCause why) {
      dropped = why;
      IoFailures.closeQuietly(connection);
    }

    /** Frees the place of a peer that is a stranger no more; its deadline remains. */
    public boolean prove() {
      synchronized (oldestFirst) {
        boolean kept = oldestFirst.remove(this);
        proved |= kept;
        oldestFirst.notifyAll();
        return kept;
      }
    }

    /** Frees the place and ends the deadline; returns whether the peer was not dropped before. */
    public boolean finish() {
      boolean inTime = deadline.complete(null);
      boolean _ = prove();
      return inTime && proved;
    }

    /** Returns why this port dropped the peer, or what the handshake itself found. */
    public RefusalCause cause(RefusedException found) {
      RefusalCause why = dropped;
      return why != null ? why : found.refusal;
    }
  }
}
