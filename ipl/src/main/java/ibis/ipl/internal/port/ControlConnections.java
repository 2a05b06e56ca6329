package ibis.ipl.internal.port;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.internal.base.InstanceIdentifier;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/**
 * Control requests to other instances, over links that carry no messages. A link is opened on
 * demand and closed when idle. Thread-safe.
 */
final class ControlConnections {

  private static final System.Logger LOG =
      System.getLogger(ControlConnections.class.getPackageName());

  /** The time limit for a reply, as a thread of this instance is blocked meanwhile. */
  private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(5);

  private static final long IDLE_MILLIS = 2_000;
  private static final long NEVER = Long.MIN_VALUE;

  private final PortThreads threads;
  private final Port links;
  private final Map<IbisIdentifier, ControlConnection> connections = new ConcurrentHashMap<>();
  private final Map<IbisIdentifier, String> departed = new ConcurrentHashMap<>();
  private volatile long end = NEVER; // by the clock of System.nanoTime

  ControlConnections(PortThreads threads, Port links) {
    this.threads = threads;
    this.links = links;
  }

  /**
   * Asks a receiver's instance to remove a connection; returns after the confirmation or its
   * failure.
   *
   * @param number the number that the receiver's instance gave to the connection
   */
  void disconnect(ReceivePortName receiver, long number) {
    if (whyGone(receiver.ibisIdentifier()) == null) {
      boolean done =
          request(
              InstanceIdentifier.of(receiver.ibisIdentifier()),
              new PortProtocol.Control(PortProtocol.Matter.DISCONNECT, number));
      if (!done && end == NEVER) {
        LOG.log(
            Level.INFO,
            "{0} did not confirm that the connection to it is closed; it closes its end when it"
                + " has read the rest, unless it has died",
            receiver);
      }
    }
  }

  /**
   * Asks a sender's instance to wake the reader of a connection; returns at once.
   *
   * @param number the number that the sender's instance gave to the connection
   */
  void nudge(SendPortName sender, long number) {
    threads.execute(
        () -> {
          boolean _ =
              request(
                  InstanceIdentifier.of(sender.ibisIdentifier()),
                  new PortProtocol.Control(PortProtocol.Matter.NUDGE, number));
        });
  }

  /**
   * Sends the reason for the end of a connection to its sender's instance; returns at once.
   *
   * @param number the number that the sender's instance gave to the connection
   * @param afterwards runs after the request is confirmed or has failed
   */
  void reportBroken(SendPortName sender, long number, Throwable cause, Runnable afterwards) {
    if (end != NEVER) { // the senders learn that this instance has ended
      afterwards.run();
      return;
    }
    String message = cause.getMessage();
    String reason = message != null ? message : cause.toString();
    threads.execute(
        () -> {
          boolean _ =
              request(
                  InstanceIdentifier.of(sender.ibisIdentifier()),
                  new PortProtocol.Control(PortProtocol.Matter.BROKEN, number, reason));
          afterwards.run();
        });
  }

  /**
   * Sends a request to an instance and waits until it is confirmed or has failed.
   *
   * @return whether the instance has confirmed the request
   */
  private boolean request(InstanceIdentifier peer, PortProtocol.Control request) {
    ControlConnection connection =
        connections.computeIfAbsent(peer, _ -> new ControlConnection(peer));
    return threads.onPlatformThread(() -> connection.request(request));
  }

  /** Sets one deadline for all further requests together. */
  void endSoon() {
    end = System.nanoTime() + REPLY_TIMEOUT.toNanos();
  }

  private Duration replyTimeout() {
    long last = end;
    return last == NEVER ? REPLY_TIMEOUT : Duration.ofNanos(last - System.nanoTime());
  }

  /** Closes the control link to an instance that has left or died, and records the reason. */
  void peerGone(IbisIdentifier peer, String reason) {
    departed.put(peer, reason);
    close(peer);
  }

  /** Returns why an instance is gone; {@code null} if it is not known to have left or died. */
  @Nullable String whyGone(IbisIdentifier peer) {
    return departed.get(peer);
  }

  private void close(IbisIdentifier peer) {
    ControlConnection connection = connections.remove(peer);
    if (connection != null) {
      connection.closeLink();
    }
  }

  void close() {
    connections.keySet().forEach(this::close);
  }

  /** The connection to one instance; its lock serializes the requests. */
  private final class ControlConnection {

    private final InstanceIdentifier peer;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Link link;
    private int uses; // guarded by the lock

    ControlConnection(InstanceIdentifier peer) {
      this.peer = peer;
    }

    boolean request(PortProtocol.Control request) {
      lock.lock();
      try {
        uses++;
        boolean wasOpen = link != null;
        boolean done = tryRequest(request) || wasOpen && tryRequest(request);
        scheduleClose(uses);
        return done;
      } finally {
        lock.unlock();
      }
    }

    private boolean tryRequest(PortProtocol.Control request) {
      Future<?> limit = null;
      Duration timeout = replyTimeout();
      if (!timeout.isPositive()) {
        return false;
      }
      try {
        Link open = link;
        if (open == null) {
          open = links.connect(peer.address(), PortProtocol.CONTROL, timeout);
          link = open;
        }
        limit = threads.schedule(this::closeLink, timeout.toMillis());
        request.write(open);
        PortProtocol.Control _ = PortProtocol.Control.read(open);
        return true;
      } catch (IOException | RejectedExecutionException e) {
        LOG.log(Level.DEBUG, "{0} did not confirm {1}: {2}", peer, request, e);
        closeLink();
        link = null;
        return false;
      } finally {
        if (limit != null) {
          boolean _ = limit.cancel(false);
        }
      }
    }

    private void scheduleClose(int use) {
      if (link == null) {
        return;
      }
      try {
        threads.schedule(() -> closeIfIdle(use), IDLE_MILLIS);
      } catch (RejectedExecutionException _) {
        closeLink(); // the instance ends
      }
    }

    private void closeIfIdle(int use) {
      if (lock.tryLock()) {
        try {
          if (uses == use) {
            closeLink();
            link = null;
          }
        } finally {
          lock.unlock();
        }
      }
    }

    private void closeLink() {
      Link open = link;
      if (open != null) {
        open.close();
      }
    }
  }
}
