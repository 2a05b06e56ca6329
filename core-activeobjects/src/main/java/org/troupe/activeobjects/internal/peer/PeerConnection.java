package org.troupe.activeobjects.internal.peer;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.FailureGroup;
import org.troupe.activeobjects.hosting.NodeEvent;
import org.troupe.activeobjects.internal.observe.ServiceObserver;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;

/**
 * The connection to another node, which is re-established whenever it breaks, and the frames that
 * wait for it.
 */
final class PeerConnection {

  /*
   * Design: sending threads and the pump
   *
   * To wake a thread takes 7 to 30 us, longer than a small frame needs to the other node and back. The thread
   * that has a single frame therefore offers it to the connection itself, and a few times also the frames that
   * others add meanwhile. All else is left to the pump, a thread that connects, sends batches and reconnects:
   * frames that are queued while a connection is being established, frames that the other node is too slow to
   * take, and one-way calls in quick succession, for which throughput matters more than the latency of the
   * first.
   *
   * States. Without a connection, frames are queued and the pump connects. With a connection, it is either
   * free or reserved ('sending') by exactly one thread, which may send or offer; an exchange needs no
   * reservation. A connection that breaks is discarded by the thread that notices it first, and the pump sends
   * all unacknowledged frames over the next one. After the node is lost nothing is sent.
   *
   * Locks. State is guarded by the lock of the outbox; sends and offers are made without it, protected by the
   * reservation.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int LARGEST_BATCH = 256;

  /** Frames within this interval come from a loop; a round trip takes longer. */
  private static final long QUICK_NANOS = 3_000;

  /** After this number of frames in quick succession the pump is worth its wake-up. */
  private static final int MANY = 8;

  /** The number of queued frames between two reads of the clock. */
  private static final int MOST_UNCLOCKED = 7;

  /** How often a thread offers the frames of others. */
  private static final int MOST_OFFERS = 4;

  private static final long REPORT_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final GridNode peer;
  private final String nodeName;
  private final Membership access;
  private final ReceiveStatus received;
  private final ServiceObserver observer;
  private final SendWindow window;
  private final ReentrantLock lock; // the lock of the outbox

  // Guarded by the lock, except for reads of volatile fields
  private final Condition pumpIsNeeded;
  private final ArrayDeque<Frame> unordered = new ArrayDeque<>();
  private final ArrayDeque<UnackedFrame> toSend = new ArrayDeque<>();
  private long lastFrameNanos;
  private int inQuickSuccession;
  private int unclocked;
  private boolean sending; // a thread has reserved the connection
  private boolean sentSinceLook;
  private boolean hasRest; // of an offer, kept by the connection
  private boolean greeted;
  private volatile @Nullable Thread pump;
  private volatile boolean broken;
  private volatile @Nullable Connection connection;
  private volatile long connectedNanos; // when it was established
  private volatile long resets; // connections that were replaced; written under the lock
  private String lastBreak = "";
  private volatile boolean canOffer; // of the current connection

  /**
   * Creates the state without a connection.
   *
   * @param peer the other node
   * @param nodeName the name of this node
   * @param observer records connections that broke
   * @param window the frames to be sent again over a new connection
   * @param lock the lock of the outbox, which guards the queue and the reservation
   */
  PeerConnection(
      GridNode peer,
      String nodeName,
      ReceiveStatus received,
      ServiceObserver observer,
      SendWindow window,
      ReentrantLock lock) {
    this.peer = peer;
    this.nodeName = nodeName;
    this.access = peer.access();
    this.received = received;
    this.observer = observer;
    this.window = window;
    this.lock = lock;
    this.pumpIsNeeded = lock.newCondition();
  }

  // Under the lock

  /**
   * Reserves the connection if this thread can send the frame at once; else queues the frame and
   * returns {@code null}.
   */
  @Nullable Connection wayFor(UnackedFrame sent) {
    var way = wayForOne(sent.oneWayCall() != null);
    if (way == null) {
      queue(sent);
    }
    return way;
  }

  /**
   * Reserves the connection for a frame that needs no order; else queues the frame and returns
   * {@code null}.
   */
  @Nullable Connection wayFor(Frame frame) {
    var way = wayForOne(false);
    if (way == null) {
      unordered.add(frame);
      wakePump();
    }
    return way;
  }

  /** Reserves the connection for this thread; returns {@code null} if other frames precede. */
  @Nullable Connection reserve() {
    if (!canOffer || isBusy() || hasWaiting()) {
      return null;
    }
    sending = true;
    sentSinceLook = true;
    return connection;
  }

  /** Queues a frame for the pump. */
  void queue(UnackedFrame sent) {
    toSend.add(sent);
    wakePump();
  }

  /**
   * Records that a message was sent in an exchange, which the other node receives as a sign of
   * life, too.
   */
  void sentOtherwise() {
    sentSinceLook = true;
  }

  /** Discards a reserved connection that has transmitted a part of a frame only. */
  void interrupted(Connection way) {
    sending = false;
    failed(way, new IOException("an error in the middle of a frame"));
  }

  /**
   * Sends all unacknowledged frames again; the other node recognises duplicates by their numbers.
   */
  void sendAgain() {
    window.forgetArrived();
    toSend.clear();
    window.sendAgain(toSend);
    wakePump();
  }

  /** Connects, so that the other node receives a sign of life. */
  void begin() {
    wakePump();
  }

  /**
   * Handles the greeting of the other node, which may have missed frames after those it has taken.
   */
  void greeted(boolean missed) {
    if (greeted || missed) {
      sendAgain(); // a second greeting: a connection broke, and answers may have been in transit
    } else {
      wakePump(); // a link has two directions: without its own the other node would receive no
      // heartbeat
    }
    greeted = true;
  }

  /** Returns whether anything was sent since the last call of this method. */
  boolean hasSentSinceLook() {
    var hasSent = sentSinceLook;
    sentSinceLook = false;
    return hasSent;
  }

  /** Drops all queued frames of a lost node, and ends the pump. */
  void lose() {
    toSend.clear();
    unordered.clear();
    pumpIsNeeded.signalAll();
    if (pump != null) {
      pump.interrupt();
    }
  }

  /**
   * Reserves the connection for an offer by this thread; returns {@code null} if the frame must
   * wait.
   */
  private @Nullable Connection wayForOne(boolean isOneWay) {
    if (!canOffer) {
      return null;
    }
    var mustWait = isBusy() || hasWaiting();
    if (mustWait && unclocked < MOST_UNCLOCKED) {
      unclocked++;
      return null;
    }
    var now = access.nanoTime();
    var isQuick = now - lastFrameNanos < (1 + unclocked) * QUICK_NANOS;
    inQuickSuccession = isQuick ? inQuickSuccession + 1 + unclocked : 0;
    lastFrameNanos = now;
    unclocked = 0;
    if (mustWait || inQuickSuccession >= (isOneWay ? 1 : MANY)) {
      return null;
    }
    sending = true;
    sentSinceLook = true;
    return connection;
  }

  private boolean isBusy() {
    return sending || broken || connection == null;
  }

  private boolean hasWaiting() {
    return hasRest || !toSend.isEmpty() || !unordered.isEmpty();
  }

  private void wakePump() {
    if (pump == null) {
      received.expectSigns(); // silence was not measured before
      pump = Thread.ofPlatform().daemon().name("troupe-to-" + peer.id().name()).start(this::pump);
    }
    if (!sending) { // otherwise the sending thread checks afterwards
      pumpIsNeeded.signal();
    }
  }

  // Without the lock

  /** Offers frames to the reserved connection, and then those that were queued meanwhile. */
  void offer(Connection way, List<Frame> first) {
    var frames = first;
    for (var offers = 1; frames != null; offers++) {
      frames = offered(way, frames, offers < MOST_OFFERS);
    }
  }

  /** Offers frames; returns those that this thread has to offer next, or {@code null}. */
  private @Nullable List<Frame> offered(Connection way, List<Frame> frames, boolean mayGoOn) {
    var isGone = false;
    Exception failure = null;
    try {
      isGone = way.offer(frames);
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    lock.lock();
    try {
      sending = false;
      if (failure != null) {
        failed(way, failure);
      } else if (!isGone && way == connection) {
        hasRest = true;
      }
      if (mayGoOn && !hasRest && hasWaiting() && way == connection && !isBusy()) {
        sending = true;
        return batch();
      }
      if (hasWaiting() || broken) { // no signal is sent while a thread has the reservation
        wakePump();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Allows other threads to send a borrowed frame, and to use the connection that was reserved for
   * it.
   *
   * @param way the reserved connection, or {@code null}
   * @return whether it remains reserved, for an offer, because the frame has not been sent
   */
  boolean returnBorrowed(
      UnackedFrame sent,
      @Nullable Connection way,
      boolean isGone,
      @Nullable Exception failure,
      boolean mayOffer) {
    lock.lock();
    try {
      sent.markBorrowed(false);
      if (failure != null) {
        failed(way, failure);
      }
      var works = way != null && way == connection && !broken;
      if (works && !isGone && mayOffer && window.lost() == null) {
        return true;
      }
      if (way != null) {
        sending = false;
      }
      if (window.lost() == null) {
        if (!(works && isGone)) {
          toSend.add(sent);
        }
        if (hasWaiting() || broken) { // no signal is sent while a thread has the reservation
          wakePump();
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  // The pump

  private void pump() {
    try {
      while (window.lost() == null) {
        var way = connected();
        if (way != null) {
          send(way);
        }
      }
    } catch (InterruptedException e) {
      // Only the end of the node interrupts its pumps.
    } finally {
      close();
    }
  }

  private void send(Connection way) throws InterruptedException {
    var frames = nextBatch();
    if (frames == null) {
      return;
    }
    Exception failure = null;
    try {
      way.send(frames);
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
    lock.lock();
    try {
      sending = false;
      if (failure == null) {
        sentSinceLook = true;
      } else {
        failed(way, failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for work and reserves the connection; returns {@code null} if the connection has broken.
   */
  private @Nullable List<Frame> nextBatch() throws InterruptedException {
    lock.lock();
    try {
      while (!broken && window.lost() == null && (sending || !hasWaiting())) {
        pumpIsNeeded.await();
      }
      if (broken || window.lost() != null) {
        return null;
      }
      sending = true;
      hasRest = false; // it is sent first
      return batch();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the frames to send next. Called under the lock. */
  private List<Frame> batch() {
    var size = Math.min(LARGEST_BATCH, unordered.size() + toSend.size());
    var batch = new ArrayList<Frame>(size);
    while (batch.size() < size) {
      batch.add(unordered.isEmpty() ? toSend.poll().frame() : unordered.poll());
    }
    return batch;
  }

  void close() {
    var way = connection;
    if (way != null) {
      way.close();
    }
  }

  /**
   * Handles the end of a connection by the other node, which is noticed earlier than by the next
   * heartbeat.
   */
  private void ended(@Nullable Connection way) {
    lock.lock();
    try {
      failed(way, new IOException("the other node has closed it"));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Discards a connection that broke while it was used; the pump will establish another. Called
   * under the lock.
   */
  private void failed(@Nullable Connection way, Exception cause) {
    if (window.lost() != null) {
      return;
    }
    LOG.log(Level.DEBUG, () -> "the connection to node '" + peer.id() + "' broke: " + cause);
    if (connection == way) { // otherwise everything has been sent again over its successor
      broken = true;
      lastBreak = String.valueOf(cause.getMessage());
      canOffer = false;
      wakePump();
    }
  }

  /** Returns a connection that is believed to work; {@code null} if the node is lost. */
  private @Nullable Connection connected() throws InterruptedException {
    var way = connection;
    if (way != null && !broken) {
      return way;
    }
    if (way != null) {
      way.close();
    }
    var report = System.nanoTime() + REPORT_AFTER_NANOS;
    while (window.lost() == null) {
      Connection fresh = null;
      try {
        fresh = access.connect(peer.address());
        fresh.send(List.of(hello()));
        connected(fresh);
        var made = fresh;
        made.onEnd(() -> ended(made));
        return fresh;
      } catch (IOException | RuntimeException e) {
        if (fresh != null) {
          fresh.close();
        }
        if (System.nanoTime() > report) {
          report = System.nanoTime() + REPORT_AFTER_NANOS;
          access.unreachable(peer.id(), received.silentNanos(), e);
        }
        TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES_NANOS);
      }
    }
    return null;
  }

  private Frame hello() {
    lock.lock();
    try {
      return window.unordered(
          new Message.Hello(
              nodeName,
              access.address(),
              peer.id().incarnation(),
              received.lastTaken(),
              access.hasIgnored(peer.id())));
    } finally {
      lock.unlock();
    }
  }

  private void connected(Connection fresh) {
    lock.lock();
    try {
      if (connection != null) {
        resets++;
        var what = "the connection to node '" + peer.id().name() + "'";
        observer.failures().add(FailureGroup.Kind.RESET, what, lastBreak);
        observer.events().add(NodeEvent.Kind.RESET, what + ": " + lastBreak);
      }
      connection = fresh;
      connectedNanos = access.nanoTime();
      canOffer = fresh.canOffer();
      broken = false;
      hasRest = false;
      sendAgain();
    } finally {
      lock.unlock();
    }
  }

  // Reports to others

  /** Returns how often a connection broke and was replaced. */
  long resets() {
    return resets;
  }

  /** Returns the connection, for exchanges; {@code null} if there is none yet. */
  @Nullable Connection connection() {
    return connection;
  }

  /**
   * Returns when the connection was established, in which the process of the other node took part.
   */
  long connectedNanos() {
    return connectedNanos;
  }

  boolean hasBegun() {
    return pump != null;
  }
}
