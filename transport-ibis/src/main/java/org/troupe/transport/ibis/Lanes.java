package org.troupe.transport.ibis;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.Port;

/** The call lanes to one peer: opened on demand, kept while they are used. */
final class Lanes {

  /*
   * A caller takes the lane that was used last, so that those not needed any more grow old. One that broke, or whose
   * caller was interrupted, may hold half a frame and is dropped. The sweeper is a virtual thread, which costs nothing
   * while it sleeps, and is there only while there are lanes.
   */

  static final int MOST = 64;
  private static final Duration LONGEST_IDLE = Duration.ofSeconds(5);

  /** For a host that hangs: the call then takes the way of all frames. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Port port;
  private final Address peer;

  // All under this
  private final ArrayDeque<Lane> idle = new ArrayDeque<>();
  private final Set<Lane> open = new HashSet<>();
  private int opening;
  private Thread sweeper;
  private boolean closed;

  Lanes(Port port, Address peer) {
    this.port = port;
    this.peer = peer;
  }

  Frame exchange(Frame frame) throws IOException {
    Lane lane = take();
    boolean sound = false;
    try {
      Frame reply = lane.exchange(frame);
      sound = true;
      return reply;
    } finally {
      if (sound) {
        giveBack(lane);
      } else {
        drop(lane);
      }
    }
  }

  private Lane take() throws IOException {
    synchronized (this) {
      throwIfClosed();
      Lane lane = idle.pollFirst();
      if (lane != null) {
        return lane;
      }
      if (open.size() + opening >= MOST) {
        throw new IOException("all " + MOST + " call lanes to " + peer + " are in use");
      }
      opening++;
    }
    Link link = null;
    try {
      link = port.connect(peer, LinkEndpoint.LANE, PATIENCE);
      return opened(new Lane(link));
    } catch (IOException | RuntimeException e) {
      if (link != null) {
        link.close();
      }
      throw e;
    } finally {
      synchronized (this) {
        opening--;
      }
    }
  }

  private synchronized Lane opened(Lane lane) throws IOException {
    throwIfClosed();
    open.add(lane);
    if (sweeper == null) {
      sweeper = Thread.ofVirtual().name("troupe-lanes").start(this::sweep);
    }
    return lane;
  }

  private void throwIfClosed() throws IOException {
    if (closed) {
      throw new IOException("the connection to " + peer + " is closed");
    }
  }

  private synchronized void giveBack(Lane lane) {
    if (!closed) {
      lane.idle(System.nanoTime());
      idle.addFirst(lane);
    }
  }

  private void drop(Lane lane) {
    synchronized (this) {
      open.remove(lane);
    }
    lane.close();
  }

  private void sweep() {
    try {
      while (closeIdle()) {
        Thread.sleep(LONGEST_IDLE);
      }
    } catch (InterruptedException _) {
      // The connection is closed.
    }
  }

  /** Closes what nobody has used for long; says whether there are others. */
  private boolean closeIdle() {
    List<Lane> old = new ArrayList<>();
    boolean others;
    synchronized (this) {
      long now = System.nanoTime();
      while (!idle.isEmpty() && idle.peekLast().idleNanos(now) >= LONGEST_IDLE.toNanos()) {
        Lane lane = idle.pollLast();
        open.remove(lane);
        old.add(lane);
      }
      others = !open.isEmpty();
      if (!others) {
        sweeper = null;
      }
    }
    old.forEach(Lane::close);
    return others;
  }

  /** Closes all lanes; whoever waits on one gets an exception. */
  void close() {
    List<Lane> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open);
      open.clear();
      idle.clear();
      if (sweeper != null) {
        sweeper.interrupt();
      }
    }
    all.forEach(Lane::close);
  }
}
