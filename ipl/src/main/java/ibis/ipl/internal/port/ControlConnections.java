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

/**
 * Links for control requests to other instances, separate from messages; opened on demand, closed
 * when idle.
 */
final class ControlConnections {

  private static final System.Logger LOG =
      System.getLogger(ControlConnections.class.getPackageName());

  /** The time limit for an answer, as a thread of this instance is blocked meanwhile. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final long IDLE_MILLIS = 2_000;
  private static final long NEVER = Long.MIN_VALUE;

  private final PortTable ports;
  private final Map<IbisIdentifier, Line> lines = new ConcurrentHashMap<>();
  private volatile long end = NEVER; // by the clock of System.nanoTime

  ControlConnections(PortTable ports) {
    this.ports = ports;
  }

  /**
   * Sends a request to an instance and waits until it is done or has failed.
   *
   * @return whether the instance has confirmed the request
   */
  boolean ask(InstanceIdentifier peer, PortProtocol.Control request) {
    Line line = lines.computeIfAbsent(peer, _ -> new Line(peer));
    return ports.onPlatformThread(() -> line.ask(request));
  }

  /** Sets one deadline for all further requests together. */
  void endSoon() {
    end = System.nanoTime() + PATIENCE.toNanos();
  }

  private Duration patience() {
    long last = end;
    return last == NEVER ? PATIENCE : Duration.ofNanos(last - System.nanoTime());
  }

  /** Closes the control link to an instance. */
  void forget(IbisIdentifier peer) {
    Line line = lines.remove(peer);
    if (line != null) {
      line.cut();
    }
  }

  void close() {
    lines.keySet().forEach(this::forget);
  }

  private final class Line {

    private final InstanceIdentifier peer;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Link link;
    private int uses;

    Line(InstanceIdentifier peer) {
      this.peer = peer;
    }

    boolean ask(PortProtocol.Control request) {
      lock.lock();
      try {
        uses++;
        boolean wasOpen = link != null;
        boolean done = tryAsk(request) || wasOpen && tryAsk(request);
        closeWhenIdle(uses);
        return done;
      } finally {
        lock.unlock();
      }
    }

    private boolean tryAsk(PortProtocol.Control request) {
      Future<?> limit = null;
      Duration patience = patience();
      if (!patience.isPositive()) {
        return false;
      }
      try {
        if (link == null) {
          link = ports.links().connect(peer.address(), PortProtocol.CONTROL, patience);
        }
        limit = ports.later(this::cut, patience.toMillis());
        request.write(link);
        PortProtocol.Control _ = PortProtocol.Control.read(link);
        return true;
      } catch (IOException | RejectedExecutionException e) {
        LOG.log(Level.DEBUG, "{0} did not do {1}: {2}", peer, request, e);
        cut();
        link = null;
        return false;
      } finally {
        if (limit != null) {
          boolean _ = limit.cancel(false);
        }
      }
    }

    private void closeWhenIdle(int use) {
      if (link == null) {
        return;
      }
      try {
        ports.later(() -> closeIfIdle(use), IDLE_MILLIS);
      } catch (RejectedExecutionException _) {
        cut(); // the instance ends
      }
    }

    private void closeIfIdle(int use) {
      if (lock.tryLock()) {
        try {
          if (uses == use) {
            cut();
            link = null;
          }
        } finally {
          lock.unlock();
        }
      }
    }

    private void cut() {
      Link open = link;
      if (open != null) {
        open.close();
      }
    }
  }
}
