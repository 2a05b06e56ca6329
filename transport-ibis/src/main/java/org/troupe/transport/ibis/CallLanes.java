package org.troupe.transport.ibis;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;
import org.troupe.links.Link;
import org.troupe.links.port.Port;

/** A pool of call lanes of one kind to one peer; opens lanes on demand and closes idle ones. */
final class CallLanes<L extends CallLane> {

  /*
   * Order of use. A caller takes the lane that was released last, so lanes in excess of the demand grow
   * old and are closed. A lane that broke, or whose caller was interrupted, may hold half a frame and is
   * dropped.
   *
   * Threads. The sweeper is a virtual thread and exists only while there are lanes. Each lane is opened
   * by a thread of its own, so that an interrupt wakes a caller who waits for the opening; that thread
   * may tend the lane afterwards.
   *
   * Why lanes live for 30 s. Lanes idle for 5 s used to be closed. Over TLS the next call then paid for
   * a handshake, and the code compiled for the old lane was lost (./troupe bench tls, 85f4c1b,
   * 2026-11-21).
   */

  static final int MOST = 64;

  /**
   * The interval of the sweep; a lane unused since the previous sweep is closed. It exceeds the
   * pauses of a program that works in phases: over TLS a new lane costs a handshake and newly
   * compiled code, and calls in its first second took five times as long.
   */
  private static final Duration BETWEEN_SWEEPS = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Port port;
  private final Address peer;
  private final BiFunction<Link, CallLanes<L>, L> kind;

  // All under this
  private final ArrayDeque<L> idle = new ArrayDeque<>();
  private final Set<L> open = new HashSet<>();
  private final Set<CompletableFuture<L>> opening = new HashSet<>();
  private @Nullable Thread sweeper; // null while there are no lanes
  private boolean closed;

  /**
   * Creates an empty pool.
   *
   * @param kind creates a lane on a link
   */
  CallLanes(Port port, Address peer, BiFunction<Link, CallLanes<L>, L> kind) {
    this.port = port;
    this.peer = peer;
    this.kind = kind;
  }

  /**
   * Takes an idle lane or opens one. The caller must pass it to {@link #giveBack} or {@link #drop}.
   */
  L take() throws IOException {
    CompletableFuture<L> made;
    synchronized (this) {
      throwIfClosed();
      L lane = idle.pollFirst();
      if (lane != null) {
        return lane;
      }
      made = new CompletableFuture<>();
      if (open.size() + opening.size() >= MOST) {
        throw new IOException("all " + MOST + " call lanes to " + peer.name() + " are in use");
      }
      opening.add(made);
    }
    LinkEndpoint.start("lane-to-peer", () -> open(made));
    try {
      return made.get();
    } catch (ExecutionException e) {
      var cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException(cause.getMessage(), cause);
    } catch (InterruptedException _) {
      if (!made.cancel(false) && made.state() == Future.State.SUCCESS) {
        giveBack(made.resultNow()); // the opening has won the race against the interrupt
      }
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while opening a call lane to " + peer.name());
    }
  }

  private void open(CompletableFuture<L> made) {
    try {
      L lane = kind.apply(port.connect(peer, LinkEndpoint.LANE, PATIENCE), this);
      if (opened(lane, made)) {
        lane.tend();
      } else {
        lane.close();
      }
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        opening.remove(made);
      }
      made.completeExceptionally(e);
    }
  }

  /**
   * Hands a new lane to the caller that requested it, or to the pool; returns false if the pool is
   * closed.
   */
  private synchronized boolean opened(L lane, CompletableFuture<L> made) {
    opening.remove(made);
    if (closed) {
      return false;
    }
    open.add(lane);
    if (sweeper == null) {
      sweeper = Thread.ofVirtual().name("troupe-lanes").start(this::sweep);
    }
    if (!made.complete(lane)) {
      giveBack(lane);
    }
    return true;
  }

  private void throwIfClosed() throws IOException {
    if (closed) {
      throw closed();
    }
  }

  private IOException closed() {
    return new IOException("the connection to " + peer.name() + " is closed");
  }

  synchronized void giveBack(L lane) {
    if (!closed) {
      lane.used();
      idle.addFirst(lane);
    }
  }

  void drop(L lane) {
    synchronized (this) {
      open.remove(lane);
      idle.remove(lane);
    }
    lane.close();
  }

  private void sweep() {
    try {
      while (closeIdle()) {
        Thread.sleep(BETWEEN_SWEEPS);
      }
    } catch (InterruptedException _) {
      // close() interrupts the sweeper.
    }
  }

  /** Closes the lanes unused since the previous sweep; returns whether lanes remain. */
  private boolean closeIdle() {
    List<L> old = new ArrayList<>();
    boolean others;
    synchronized (this) {
      for (L lane : idle) {
        if (!lane.wasUsed()) {
          old.add(lane);
        }
      }
      idle.removeAll(old);
      open.removeAll(old);
      others = !open.isEmpty();
      if (!others) {
        sweeper = null;
      }
    }
    old.forEach(CallLane::close);
    return others;
  }

  /** Closes all lanes; calls in progress and pending openings fail with an exception. */
  void close() {
    List<L> all;
    List<CompletableFuture<L>> awaited;
    synchronized (this) {
      closed = true;
      all = List.copyOf(open);
      awaited = List.copyOf(opening);
      open.clear();
      idle.clear();
      if (sweeper != null) {
        sweeper.interrupt();
      }
    }
    all.forEach(CallLane::close);
    awaited.forEach(each -> each.completeExceptionally(closed()));
  }
}
