package org.troupe.activeobjects.internal.peer;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;

/** The connection to another node, made again whenever it breaks, and the frames that wait. */
final class PeerConnection {

  /*
   * To wake a thread takes 7 to 30 us, more than a small frame needs to the other node and back. So a lone frame is
   * offered to the connection by the very thread that has it; and if others come meanwhile, that thread offers them
   * too, a few times. What has to wait goes with the pump, a thread that connects, sends batches, and reconnects: what
   * comes while a connection is being made, what the other node is too slow to take, and one-way calls in quick
   * succession, whose number counts more than the first one's time.
   *
   * 'sending' keeps sends and offers of one connection apart. They are made outside of the lock.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int LARGEST_BATCH = 256;

  /** Frames that follow each other so soon come from a loop; a round trip takes longer. */
  private static final long QUICK_NANOS = 3_000;

  /** After so many frames in quick succession the pump is worth its wake-up. */
  private static final int MANY = 8;

  /** Of the frames that have to wait anyhow, so many pass without a look at the clock. */
  private static final int MOST_UNCLOCKED = 7;

  /** How often a thread offers on behalf of others. */
  private static final int MOST_OFFERS = 4;

  private static final long REPORT_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Peer peer;
  private final Membership access;
  private final Inbox inbox;
  private final SendWindow window;
  private final ReentrantLock lock; // of the outbox

  // All under the lock, but for reading what is volatile
  private final Condition pumpIsNeeded;
  private final ArrayDeque<Frame> unordered = new ArrayDeque<>();
  private final ArrayDeque<UnackedFrame> toSend = new ArrayDeque<>();
  private long lastFrameNanos;
  private int inQuickSuccession;
  private int unclocked;
  private boolean sending; // somebody uses the connection
  private boolean sentSinceLook;
  private boolean hasRest; // of an offer, in the connection
  private boolean greeted;
  private volatile Thread pump;
  private volatile boolean broken;
  private volatile Connection connection;
  private volatile long connectedNanos; // when that was made
  private volatile boolean canOffer; // that connection

  /**
   * Connects to nothing yet.
   *
   * @param window what is to be sent again over a new connection
   * @param lock of the outbox, for what waits and for who uses the connection
   */
  PeerConnection(Peer peer, Inbox inbox, SendWindow window, ReentrantLock lock) {
    this.peer = peer;
    this.access = peer.access();
    this.inbox = inbox;
    this.window = window;
    this.lock = lock;
    this.pumpIsNeeded = lock.newCondition();
  }

  // Under the lock

  /** The connection, if the frame can go at once by this thread; else it is queued. */
  Connection wayFor(UnackedFrame sent) {
    var way = wayForOne(sent.oneWayCall() != null);
    if (way == null) {
      queue(sent);
    }
    return way;
  }

  /** The same for a frame that needs no order. */
  Connection wayFor(Frame frame) {
    var way = wayForOne(false);
    if (way == null) {
      unordered.add(frame);
      wakePump();
    }
    return way;
  }

  /** The connection, reserved for this thread; {@code null} if others are to go first. */
  Connection reserve() {
    if (!canOffer || isBusy() || hasWaiting()) {
      return null;
    }
    sending = true;
    sentSinceLook = true;
    return connection;
  }

  /** Leaves a frame to the pump. */
  void queue(UnackedFrame sent) {
    toSend.add(sent);
    wakePump();
  }

  /** Something goes another way, by which the other node hears from us as well. */
  void sentOtherwise() {
    sentSinceLook = true;
  }

  /** The connection that was reserved has got part of a frame, and will get no more of it. */
  void interrupted(Connection way) {
    sending = false;
    failed(way, new IOException("an error in the midst of a frame"));
  }

  /**
   * Sends everything again that is not known to have arrived; what has is recognised by its number.
   */
  void sendAgain() {
    window.forgetArrived();
    toSend.clear();
    window.sendAgain(toSend);
    wakePump();
  }

  /** Connects, so that the other node hears from us. */
  void begin() {
    wakePump();
  }

  /** The other node has connected, and perhaps missed what came after what it has got. */
  void greeted(boolean missed) {
    if (greeted || missed) {
      sendAgain(); // if again, something broke; answers may have been in flight
    } else {
      wakePump(); // a link has two ways: without the other one it would hear no heartbeat
    }
    greeted = true;
  }

  /** Says whether anything was sent since this was last asked. */
  boolean hasSentSinceLook() {
    var hasSent = sentSinceLook;
    sentSinceLook = false;
    return hasSent;
  }

  /** The node is lost: nothing waits any more, and the pump ends. */
  void lose() {
    toSend.clear();
    unordered.clear();
    pumpIsNeeded.signalAll();
    if (pump != null) {
      pump.interrupt();
    }
  }

  /** The connection, reserved for an offer by this thread; {@code null} if the frame must wait. */
  private Connection wayForOne(boolean isOneWay) {
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
      inbox.expectSigns(); // it owed none before
      pump = Thread.ofPlatform().daemon().name("troupe-to-" + peer.id().name()).start(this::pump);
    }
    if (!sending) { // else whoever sends looks afterwards
      pumpIsNeeded.signal();
    }
  }

  // Without the lock

  /** Offers frames to the connection that is reserved for them, and what has come meanwhile. */
  void offer(Connection way, List<Frame> first) {
    var frames = first;
    for (var offers = 1; frames != null; offers++) {
      frames = offered(way, frames, offers < MOST_OFFERS);
    }
  }

  /** Offers; returns what this thread has to offer next, or {@code null}. */
  private List<Frame> offered(Connection way, List<Frame> frames, boolean mayGoOn) {
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
      if (hasWaiting() || broken) { // nobody could signal either while this thread was sending
        wakePump();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on others may send what was lent, and use the connection that was reserved for it.
   *
   * @param way that connection, or {@code null}
   * @return whether it remains reserved, for an offer, because the frame has not gone
   */
  boolean returnBorrowed(
      UnackedFrame sent, Connection way, boolean isGone, Exception failure, boolean mayOffer) {
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
        if (hasWaiting() || broken) { // nobody could signal either while this thread was sending
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

  /** Waits for work, and reserves the connection; {@code null} if that no longer works. */
  private List<Frame> nextBatch() throws InterruptedException {
    lock.lock();
    try {
      while (!broken && window.lost() == null && (sending || !hasWaiting())) {
        pumpIsNeeded.await();
      }
      if (broken || window.lost() != null) {
        return null;
      }
      sending = true;
      hasRest = false; // it goes first
      return batch();
    } finally {
      lock.unlock();
    }
  }

  /** What goes next, under the lock. */
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

  /** The other node has ended a connection; sooner known than by the next heartbeat. */
  private void ended(Connection way) {
    lock.lock();
    try {
      failed(way, new IOException("the other node has ended it"));
    } finally {
      lock.unlock();
    }
  }

  /** The connection broke under somebody; the pump will make another. Under the lock. */
  private void failed(Connection way, Exception cause) {
    if (window.lost() != null) {
      return;
    }
    LOG.log(Level.DEBUG, () -> "the connection to node '" + peer.id() + "' broke: " + cause);
    if (connection == way) { // else everything has been sent again over its successor
      broken = true;
      canOffer = false;
      wakePump();
    }
  }

  /** Returns a connection that works, as far as is known; {@code null} if the node is lost. */
  private Connection connected() throws InterruptedException {
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
          access.unreachable(peer.id(), peer.silentNanos(), e);
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
              peer.node().name(),
              access.address(),
              inbox.lastTaken(),
              access.hasIgnored(peer.id())));
    } finally {
      lock.unlock();
    }
  }

  private void connected(Connection fresh) {
    lock.lock();
    try {
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

  // What others see

  /** The connection, for exchanges; {@code null} if there is none yet. */
  Connection connection() {
    return connection;
  }

  /** When the connection was made, for which the process of the other node had to do its part. */
  long connectedNanos() {
    return connectedNanos;
  }

  boolean hasBegun() {
    return pump != null;
  }
}
