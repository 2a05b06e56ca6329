package org.troupe.transport.ibis;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.links.Link;

/**
 * The links over which an endpoint receives: bounded in number, in all and for each peer, and
 * closed when a peer stops in the midst of a frame. May be shared between threads.
 */
final class IncomingLinks implements Runnable {

  /*
   * Each link that a peer has opened costs a platform thread. Links know nothing of who opened them but the address, which
   * many peers may share, so a link counts for the sender of its first frame, which has to come soon.
   *
   * A link that is closed here is no loss to a healthy peer: it connects again and sends what has not arrived.
   */
  private static final System.Logger LOG = System.getLogger(IncomingLinks.class.getPackageName());

  private final Bounds bounds;
  private final Set<Incoming> open = ConcurrentHashMap.newKeySet();
  private final Map<Object, Integer> ofSender = new ConcurrentHashMap<>();
  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicBoolean isFull = new AtomicBoolean();

  /**
   * How many links there may be, and how long one may stall.
   *
   * @param links that peers have opened
   * @param linksOfOne those of one peer
   * @param stall how long nothing may come of a frame that has begun, or of the first one
   */
  record Bounds(int links, int linksOfOne, Duration stall) {

    private static final int LEAST_LINKS = 8192;
    private static final int HEAP_BYTES_PER_LINK = 128 * 1024;

    /** Those for a JVM with so much memory: a peer that has just reconnected may use twice all. */
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

  /** Admits a link that a peer has opened; says whether there is a place for it, else closes it. */
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

  /** Looks after a link that a peer has opened, and that was admitted, until it ends. */
  Incoming fromPeer(Link link, FrameInput input) {
    input.isStillSending();
    return added(new Incoming(link, input, true));
  }

  /** Looks after a link that this side has opened, for replies, until it ends. */
  Incoming toPeer(Link link, FrameInput input) {
    return added(new Incoming(link, input, false));
  }

  private Incoming added(Incoming incoming) {
    open.add(incoming);
    return incoming;
  }

  /** Closes what has stalled, again and again, until its thread is interrupted. */
  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(bounds.stall.dividedBy(4));
        closeStalled();
      }
    } catch (InterruptedException _) {
      // The endpoint is closed.
    }
  }

  private void closeStalled() {
    for (var each : open) {
      long stalled = each.input.stalledNanos();
      if (stalled > bounds.stall.toNanos()) {
        LOG.log(
            Level.WARNING,
            "nothing has come over {0} for {1} s, though the peer owes {2}; it is closed",
            each.link,
            Duration.ofNanos(stalled).toSeconds(),
            each.sender == null ? "its first frame" : "the rest of a frame");
        each.link.close();
      }
    }
  }

  /** One link. */
  final class Incoming implements AutoCloseable {

    private final Link link;
    private final FrameInput input;
    private final boolean isAccepted;
    private volatile Object sender; // of the first frame, or this object if that is not known

    private Incoming(Link link, FrameInput input, boolean isAccepted) {
      this.link = link;
      this.input = input;
      this.isAccepted = isAccepted;
    }

    /** Says whether it is not known yet whose link it is. */
    boolean isNew() {
      return sender == null;
    }

    /**
     * Counts the link for a peer, which sent the first frame.
     *
     * @param itsSender {@code null} if that is not known
     * @throws BadFrameException if the peer has too many
     */
    void isOf(Object itsSender) throws BadFrameException {
      sender = itsSender == null ? this : itsSender;
      if (ofSender.merge(sender, 1, Integer::sum) > bounds.linksOfOne) {
        throw new BadFrameException(
            "its sender has %d links to this JVM already".formatted(bounds.linksOfOne));
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
