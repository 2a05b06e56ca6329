package org.troupe.activeobjects.internal.coordination;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.hosting.NodeContact;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.NodeDescription;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.PeerTable;
import org.troupe.activeobjects.internal.service.MembershipView;
import org.troupe.activeobjects.internal.service.NodeServiceClient;
import org.troupe.futures.FutureRuntime;

/** A member's side of its relation to the coordinator: it joins, leaves, and reports suspicions. */
public final class CoordinatorClient {

  /*
   * Design: a silent coordinator
   *
   * A coordinator that is silent while its machine keeps the connection may have been stopped, as by Ctrl-Z. The node
   * waits much longer for it than for other nodes, unless the coordinator takes part in a new connection, which a
   * stopped process does not.
   *
   * Threads: the node joins once; after that any thread may call each method.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final Duration FAREWELL = Duration.ofSeconds(1);

  private final NodeObjects node;
  private final PeerTable peers;
  private final SilenceLimits limits;
  private volatile @Nullable Peer coordinator; // null at the coordinator, and before the join

  public CoordinatorClient(NodeObjects node, PeerTable peers, SilenceLimits limits) {
    this.node = node;
    this.peers = peers;
    this.limits = limits;
  }

  /**
   * Asks a coordinator to add this node to its grid.
   *
   * @param coordinatorContact the contact of the coordinator
   * @param self this node
   */
  public MembershipView.Admission join(
      String coordinatorContact, Membership membership, NodeDescription self, Duration timeout)
      throws IOException {
    var contact = NodeContact.parse(coordinatorContact);
    var peer = peers.peer(contact.id(), membership, contact.address());
    coordinator = peer;
    try {
      return service(peer).join(self).get(FutureRuntime.nanos(timeout), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NodeLostException lost) {
        throw new IOException(
            "cannot join the grid at " + contact.address() + ": " + lost.getMessage(), e);
      }
      var cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException("the coordinator refused this node: " + cause.getMessage(), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "the coordinator at " + contact.address() + " did not answer within " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while joining", e);
    }
  }

  /** Returns the peer that coordinates the grid, which this node has joined or tries to join. */
  public @Nullable Peer peer() {
    return coordinator;
  }

  /** Returns the service of the coordinator; {@code null} if there is no such peer. */
  public @Nullable NodeServiceClient service() {
    var known = coordinator;
    return known == null ? null : service(known);
  }

  private NodeServiceClient service(Peer peer) {
    return new NodeServiceClient(node, peer);
  }

  public boolean isCoordinator(NodeId id) {
    var known = coordinator;
    return known != null && known.id().equals(id);
  }

  /** Asks the coordinator to let this node leave in an orderly way. */
  public CompletableFuture<Void> askToLeave(String reason) {
    var service = service();
    return service == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException(
                "this node has joined no grid, so it cannot leave one; close its membership"))
        : service.askToLeave(node.id(), reason);
  }

  /** Announces the end of this node, which would otherwise be declared dead some time later. */
  public void sayFarewell() {
    var known = coordinator;
    if (known == null || known.isLost()) {
      return;
    }
    try {
      service(known).leave(node.id()).get(FAREWELL.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "the coordinator did not acknowledge that this node leaves", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether a peer that cannot be reached may be the coordinator, stopped for a time: its
   * machine accepts connections that its process does not answer.
   */
  public boolean mayBeStopped(NodeId peer, long silentNanos, Exception why) {
    return isCoordinator(peer) && isTimeout(why) && silentNanos < limits.coordinatorPatienceNanos();
  }

  private static boolean isTimeout(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
