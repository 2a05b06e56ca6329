package org.troupe.transport.ibis;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;

/**
 * The links over which an endpoint receives. Bounds their number, in total and for each peer, and
 * closes a link whose peer stops within a frame. May be shared between threads.
 */
final class IncomingLinks implements Runnable {

  /*
   * Each link that a peer has opened costs a platform thread. A link knows its opener only by address,
   * which many peers may share, so it counts for the sender of its first frame. That frame must
   * therefore arrive within the time limit for stalls.
   *
   * Closing a link here costs a healthy peer nothing: it reconnects and retransmits its unacknowledged
   * frames.
   */
  private static final System.Logger LOG = System.getLogger(IncomingLinks.class.getPackageName());

  private final Bounds bounds;
  private final Set<Incoming> open = ConcurrentHashMap.newKeySet();
  private final Map<Object, Integer> ofSender = new ConcurrentHashMap<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicBoolean isFull = new AtomicBoolean();

  /**
   * The limits on links.
   *
   * @param links the links that peers may open in total
   * @param linksOfOne the links that one peer may open
   * @param stall the longest pause within a frame or before the first one
   */
  record Bounds(int links, int linksOfOne, Duration stall) {

    private static final int LEAST_LINKS = 8192;
    private static final int HEAP_BYTES_PER_LINK = 128 * 1024;

    /**
     * Returns the limits for a heap size. A peer that has just reconnected may hold twice its links
     * for a while.
     */
    static Bounds ofHeap(long bytes) {
      return new Bounds(
          Math.clamp(bytes / HEAP_BYTES_PER_LINK, LEAST_LINKS, Integer.MAX_VALUE),
          2 * (2 * CallLanes.MOST + 1),
          Duration.ofMinutes(1));
    }
  }

  IncomingLinks(Bounds bounds) {
    this.bounds = bounds;
  }

  /** Admits a link that a peer has opened; closes it and returns false if the limit is reached. */
  boolean admits(Link link) {
    if (accepted.incrementAndGet() <= bounds.links) {
      isFull.set(false);
      return true;
    }
    accepted.decrementAndGet();
    link.close();
    LOG.log(
        isFull.getAndSet(true) ? Level.DEBUG : Level.WARNING,
        "peers have {0} links to this JVM, and no more are accepted; {1} is closed",
        bounds.links,
        link);
    return false;
  }

  /** Watches an admitted link from a peer until it ends. */
  Incoming fromPeer(Link link, FrameInput input) {
    input.isStillSending();
    return added(new Incoming(link, input, true));
  }

  /** Watches a link that this side has opened and that carries replies, until it ends. */
  Incoming toPeer(Link link, FrameInput input) {
    return added(new Incoming(link, input, false));
  }

  private Incoming added(Incoming incoming) {
    open.add(incoming);
    return incoming;
  }

  /** Closes stalled links periodically until the thread is interrupted. */
  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(bounds.stall.dividedBy(4));
        closeStalled();
      }
    } catch (InterruptedException _) {
      // The endpoint interrupts this thread when it is closed.
    }
  }

  private void closeStalled() {
    for (var each : open) {
      long stalled = each.input.stalledNanos();
      if (stalled > bounds.stall.toNanos()) {
        LOG.log(
            Level.WARNING,
            "{0} has received nothing for {1} s while {2} is outstanding; it is closed",
            each.link,
            Duration.ofNanos(stalled).toSeconds(),
            each.sender == null ? "its first frame" : "the rest of a frame");
        each.link.close();
      }
    }
  }

  /** A watched link. */
  final class Incoming implements AutoCloseable {

    private final Link link;
    private final FrameInput input;
    private final boolean isAccepted;
    private volatile @Nullable Object
        sender; // of the first frame; this object if the frame names none

    private Incoming(Link link, FrameInput input, boolean isAccepted) {
      this.link = link;
      this.input = input;
      this.isAccepted = isAccepted;
    }

    /** Returns whether no frame has named the sender yet. */
    boolean isNew() {
      return sender == null;
    }

    /**
     * Counts the link for the peer that sent the first frame.
     *
     * @param itsSender the peer; {@code null} if the frame names none
     * @throws BadFrameException if the peer has too many links
     */
    void isOf(@Nullable Object itsSender) throws BadFrameException {
      sender = itsSender == null ? this : itsSender;
      if (ofSender.merge(sender, 1, Integer::sum) > bounds.linksOfOne) {
        throw new BadFrameException(
            "the sender already has %d links to this JVM".formatted(bounds.linksOfOne));
      }
    }

    @Override
    public void close() {
      open.remove(this);
      if (sender != null) {
        ofSender.computeIfPresent(sender, (_, count) -> count == 1 ? null : count - 1);
      }
      if (isAccepted) {
        accepted.decrementAndGet();
      }
    }
  }
}
