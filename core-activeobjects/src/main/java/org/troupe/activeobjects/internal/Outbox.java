package org.troupe.activeobjects.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport.Connection;

/**
 * What goes to another node: numbered, sent as soon as possible, and kept until it has arrived.
 *
 * <p>Nothing here waits for the other node, except for {@link #awaitRoom}.
 */
final class Outbox {

  /*
   * Ordered frames get their number under the lock, and are kept until the other node acknowledges them; it takes them
   * by number, each once. So frames may overtake each other, and after a reset everything unacknowledged is sent again.
   *
   * To wake a thread takes 7 to 30 us, more than a small frame needs to the other node and back. So a lone frame is
   * offered to the connection by the very thread that has it; and if others come meanwhile, that thread offers them
   * too, a few times. What has to wait goes with the pump, a thread that connects, sends batches, and reconnects: what
   * comes while a connection is being made, what the other node is too slow to take, and one-way calls in quick
   * succession, whose number counts more than the first one's time.
   *
   * 'sending' keeps sends and offers of one connection apart. They are made outside of the lock.
   *
   * A slice of a user's array goes straight from there if the connection has room for it. It is copied afterwards, to be
   * kept, unless it has been acknowledged by then: so the copy is made while the other node reads.
   *
   * What has travelled in an exchange, and nowhere else, is nobody's when it is acknowledged: the next exchange takes
   * it, array and all, if its header is as long. That saves a third of what a null call allocates.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int LARGEST_BATCH = 256;

  /** As many as there are exchanges at a time. */
  private static final int MOST_SPARE = 64;

  /** A sending user waits while so much is unacknowledged. */
  static final long MOST_UNACKNOWLEDGED_BYTES = 64L << 20;

  /** When more than this is unacknowledged, acknowledgements are looked at as they come. */
  static final long MUCH_BYTES = 1L << 20;

  /** More may not fit into a link as a whole. */
  private static final long MOST_AT_ONCE_BYTES = 128L << 10;

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
  private static final int[] NO_TYPES = {};

  private final Peer peer;
  private final Access access;
  private final Wire wire;
  private final Inbox inbox;

  // All under the lock, but for reading what is volatile
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition pumpIsNeeded = lock.newCondition();
  private final Condition roomIsThere = lock.newCondition();
  private final ArrayDeque<Sent> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<Frame> unordered = new ArrayDeque<>();
  private final ArrayDeque<Sent> toSend = new ArrayDeque<>();
  private final ArrayDeque<Sent> spare = new ArrayDeque<>(); // headers without a body
  private long lastNumber;
  private final AtomicLong acknowledged = new AtomicLong(); // without the lock
  private long unacknowledgedBytes;
  private long bytes; // of all that has got a number, however often it was sent
  private volatile boolean crowded; // whether that is much
  private long oneWaySent;
  private final AtomicLong oneWayServedThere = new AtomicLong(); // without the lock
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
  private volatile boolean canOffer; // that connection
  private volatile NodeLostException lost;

  /** An ordered frame that the other node may not have yet. */
  static final class Sent {
    private Frame frame; // under the lock, once it can be sent by others
    private long number; // under the lock
    private boolean usesLink; // or may; under the lock
    private volatile boolean exchanged;
    private boolean leavesArrays; // set before it is sent, then under the lock
    private boolean isLent; // its sender sends it, and wants its arrays back; under the lock
    private final CallMethod oneWayCall; // for the failure handler, if it is lost; null for others
    private final Body caller;
    private final int calls; // in this frame

    private Sent(long number, Frame frame, CallMethod oneWayCall, Body caller, int calls) {
      this.number = number;
      this.frame = frame;
      this.oneWayCall = oneWayCall;
      this.caller = caller;
      this.calls = calls;
    }

    Frame frame() {
      return frame;
    }

    /** The exchange that it went with no longer uses it. */
    void exchanged() {
      exchanged = true;
    }

    /** When it has arrived, nobody needs its arrays any more. */
    void leavesArrays() {
      leavesArrays = true;
    }

    private boolean isSpare() {
      return exchanged && !usesLink && frame.body().length == 0 && frame.arrays().isEmpty();
    }

    private Sent again(long itsNumber) {
      number = itsNumber;
      exchanged = false;
      return this;
    }

    Body caller() {
      return caller;
    }

    CallMethod oneWayCall() {
      return oneWayCall;
    }

    int calls() {
      return calls;
    }
  }

  /**
   * The account of the one-way calls to a node that is lost.
   *
   * @param sent how many there were
   * @param served how many are known to have been served
   * @param unknown those that it may not even have got
   */
  record OneWayCalls(long sent, long served, List<Sent> unknown) {}

  Outbox(Peer peer, Wire wire, Inbox inbox) {
    this.peer = peer;
    this.access = peer.access();
    this.wire = wire;
    this.inbox = inbox;
  }

  // Messages

  /**
   * Sends a message.
   *
   * @param callId the call that it is about, or 0
   * @param payload the body of its frame, or {@code null}
   * @param oneWayCall the method, if it is a call without answer that the user has to hear of
   * @param caller the body that made that call, or {@code null}
   * @throws NodeLostException if the node is lost
   */
  void send(long callId, Message message, Payload payload, CallMethod oneWayCall, Body caller) {
    Connection way;
    Frame frame;
    lock.lock();
    try {
      throwIfLost();
      var sent = numbered(callId, message, payload, oneWayCall, caller, 1, false);
      frame = sent.frame;
      way = wayFor(sent);
    } finally {
      lock.unlock();
    }
    if (way != null) {
      offer(way, List.of(frame));
    }
  }

  /**
   * Gives a message of several calls its number, and so its place, without sending it.
   *
   * @throws NodeLostException if the node is lost
   */
  Sent number(
      long callId,
      Message message,
      Payload payload,
      CallMethod oneWayCall,
      Body caller,
      int calls) {
    lock.lock();
    try {
      throwIfLost();
      return numbered(callId, message, payload, oneWayCall, caller, calls, false);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a message with arrays, or slices of such, that are the caller's again when this returns.
   *
   * @param oneWayCall as for {@link #send}
   * @param mayWait whether a platform thread may wait while the other node is slow to take much
   * @throws NodeLostException if the node is lost
   */
  void lend(Message message, Payload payload, CallMethod oneWayCall, Body caller, boolean mayWait) {
    Sent sent;
    Connection way;
    lock.lock();
    try {
      throwIfLost();
      sent = numbered(0, message, payload, oneWayCall, caller, 1, false);
      sent.isLent = true;
      way = canOffer && !isBusy() && !hasWaiting() ? connection : null;
      if (way != null) {
        sending = true;
        sentSinceLook = true;
      }
    } finally {
      lock.unlock();
    }
    try {
      sendLent(sent, way, mayWait && !Thread.currentThread().isVirtual());
    } catch (RuntimeException | Error e) {
      abandon(sent, way);
      throw e;
    }
  }

  /** Sends what was lent, and returns it. */
  private void sendLent(Sent sent, Connection way, boolean mayWait) {
    var awaitsArrival = sent.frame.size() > MUCH_BYTES; // which takes less than a copy
    var waits = mayWait && sent.frame.size() > MOST_AT_ONCE_BYTES;
    var isGone = false;
    Exception failure = null;
    if (way != null) {
      try {
        isGone = waits ? lendWaiting(way, sent.frame) : way.lend(sent.frame, false);
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
    }
    if (!awaitsArrival && acknowledged.get() < sent.number) {
      keep(sent);
    }
    if (isReturned(sent, way, isGone, failure, !awaitsArrival)) {
      offer(way, List.of(sent.frame));
    } else if (awaitsArrival) {
      awaitArrival(sent);
    }
  }

  /** An error, such as for want of memory: who receives the message gets one, too. */
  private void abandon(Sent sent, Connection way) {
    lock.lock();
    try {
      if (!sent.isLent) {
        return; // it was returned before
      }
      sent.isLent = false;
      var error = Frame.tooLarge(sent.frame.header());
      if (unacknowledged.contains(sent)) {
        unacknowledgedBytes += error.size() - sent.frame.size();
      }
      sent.frame = error;
      if (way != null) {
        sending = false;
        failed(way, new IOException("an error in the midst of a frame"));
      }
      if (lost == null) {
        toSend.add(sent);
        wakePump();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends what the pump would send, for which this thread would only wait. */
  private boolean lendWaiting(Connection way, Frame frame) throws IOException {
    var nobody = new Context(null, Scheduling.IN_TURN).enter(); // frames that come are not its own
    try {
      return way.lend(frame, true);
    } finally {
      nobody.leave();
    }
  }

  /**
   * From now on others may send what was lent, and use the connection that was reserved for it.
   *
   * @param way that connection, or {@code null}
   * @return whether it remains reserved, for an offer, because the frame has not gone
   */
  private boolean isReturned(
      Sent sent, Connection way, boolean isGone, Exception failure, boolean mayOffer) {
    lock.lock();
    try {
      sent.isLent = false;
      if (failure != null) {
        failed(way, failure);
      }
      var works = way != null && way == connection && !broken;
      if (works && !isGone && mayOffer && lost == null) {
        return true;
      }
      if (way != null) {
        sending = false;
      }
      if (lost == null) {
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

  /** From now on its arrays are copies; before it is sent by others. */
  private void keep(Sent sent) {
    var kept = sent.frame.withArraysCopied();
    lock.lock();
    try {
      sent.frame = kept;
      sent.leavesArrays = true;
    } finally {
      lock.unlock();
    }
  }

  /** Sends a message that was given its number just now. */
  void sendNumbered(Sent sent) {
    Connection way;
    lock.lock();
    try {
      way = lost == null ? wayFor(sent) : null;
    } finally {
      lock.unlock();
    }
    if (way != null) {
      offer(way, List.of(sent.frame));
    }
  }

  /** The connection, if the frame can go at once by this thread; else it is queued. */
  private Connection wayFor(Sent sent) {
    var way = wayForOne(sent.oneWayCall != null);
    if (way == null) {
      toSend.add(sent);
      wakePump();
    }
    return way;
  }

  /** Sends a message that needs neither order nor a guarantee. */
  void sendUnordered(Message message) {
    Connection way;
    Frame frame;
    lock.lock();
    try {
      if (lost != null) {
        return;
      }
      forgetArrived();
      frame = unorderedFrame(message);
      way = wayForOne(false);
      if (way == null) {
        unordered.add(frame);
        wakePump();
      }
    } finally {
      lock.unlock();
    }
    if (way != null) {
      offer(way, List.of(frame));
    }
  }

  /**
   * Numbers a message that goes another way, for now; until acknowledged it is kept as any.
   *
   * @throws NodeLostException if the node is lost
   */
  Sent number(long callId, Message message, Payload payload) {
    lock.lock();
    try {
      throwIfLost();
      sentSinceLook = true;
      return numbered(callId, message, payload, null, null, 1, payload == null);
    } finally {
      lock.unlock();
    }
  }

  /** Sends a message that has its number already, and that may or may not have gone another way. */
  void send(Sent sent) {
    lock.lock();
    try {
      sent.usesLink = true;
      if (lost == null) {
        toSend.add(sent);
        wakePump();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a message whose exchange has broken. Nobody waits for its arrival any more, so from now
   * on its large arrays are its own.
   */
  void sendAgain(Sent sent) {
    var whole = sent.frame.withArraysCopied();
    lock.lock();
    try {
      sent.frame = whole;
    } finally {
      lock.unlock();
    }
    send(sent);
  }

  private Sent numbered(
      long callId,
      Message message,
      Payload payload,
      CallMethod oneWayCall,
      Body caller,
      int calls,
      boolean mayReuse) {
    forgetArrived();
    var former = mayReuse ? spare.poll() : null;
    var number = lastNumber + 1;
    var header =
        wire.write(
            number,
            inbox.tellTaken(),
            peer.oneWayCallsServed(),
            callId,
            message,
            payload == null ? NO_TYPES : payload.values().typeIds(),
            former == null ? null : former.frame.header());
    var sent =
        former != null && former.frame.header() == header
            ? former.again(number)
            : new Sent(
                number,
                payload == null ? new Frame(header) : payload.frame(header),
                oneWayCall,
                caller,
                calls);
    lastNumber =
        number; // not before the frame is whole: a missing number would stop the other node
    unacknowledged.add(sent);
    var size = sent.frame.size();
    unacknowledgedBytes += size;
    bytes += size;
    lookIfCrowded();
    if (oneWayCall != null) {
      oneWaySent += calls;
    }
    return sent;
  }

  private Frame unorderedFrame(Message message) {
    return new Frame(
        wire.write(0, inbox.tellTaken(), peer.oneWayCallsServed(), 0, message, NO_TYPES, null));
  }

  /** What has been sent, or is to be sent, each message once. */
  Traffic traffic() {
    lock.lock();
    try {
      return new Traffic(lastNumber, bytes);
    } finally {
      lock.unlock();
    }
  }

  /** Says whether so much is on the way that {@link #awaitRoom} may wait. */
  boolean isCrowded() {
    return crowded;
  }

  /** Waits, in the sending user's thread, while too much is on the way. */
  void awaitRoom() {
    if (!crowded) {
      return;
    }
    lock.lock();
    try {
      forgetArrived();
      while (unacknowledgedBytes > MOST_UNACKNOWLEDGED_BYTES && lost == null) {
        roomIsThere.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until it has arrived, or never will; much is looked after at once on both sides. */
  void awaitArrival(Sent sent) {
    peer.node().receiveWhile(() -> acknowledged.get() < sent.number && lost == null);
    lock.lock();
    try {
      while (acknowledged.get() < sent.number && lost == null) {
        roomIsThere.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  // Sending at once

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

  private void offer(Connection way, List<Frame> first) {
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

  // The pump

  private void wakePump() {
    if (pump == null) {
      inbox.expectSigns(); // it owed none before
      pump = Thread.ofPlatform().daemon().name("troupe-to-" + peer.id().name()).start(this::pump);
    }
    if (!sending) { // else whoever sends looks afterwards
      pumpIsNeeded.signal();
    }
  }

  /** Connects, so that the other node hears from us. */
  void begin() {
    lock.lock();
    try {
      if (lost == null) {
        wakePump();
      }
    } finally {
      lock.unlock();
    }
  }

  private void pump() {
    try {
      while (lost == null) {
        var way = connected();
        if (way != null) {
          send(way);
        }
      }
    } catch (InterruptedException e) {
      // Only the end of the node interrupts its pumps.
    } finally {
      closeConnection();
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
      while (!broken && lost == null && (sending || !hasWaiting())) {
        pumpIsNeeded.await();
      }
      if (broken || lost != null) {
        return null;
      }
      sending = true;
      hasRest = false; // it goes first
      return batch();
    } finally {
      lock.unlock();
    }
  }

  private List<Frame> batch() {
    var size = Math.min(LARGEST_BATCH, unordered.size() + toSend.size());
    var batch = new ArrayList<Frame>(size);
    while (batch.size() < size) {
      batch.add(unordered.isEmpty() ? toSend.poll().frame : unordered.poll());
    }
    return batch;
  }

  private void closeConnection() {
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

  /** The connection broke under somebody; the pump will make another. */
  private void failed(Connection way, Exception cause) {
    if (lost != null) {
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
    while (lost == null) {
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
          access.suspect(peer.id(), "it cannot be reached: " + e.getMessage());
        }
        TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES_NANOS);
      }
    }
    return null;
  }

  private Frame hello() {
    lock.lock();
    try {
      return unorderedFrame(
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
      canOffer = fresh.canOffer();
      broken = false;
      hasRest = false;
      sendAgain();
    } finally {
      lock.unlock();
    }
  }

  /** Everything that is not known to have arrived; what has is recognised by its number. */
  private void sendAgain() {
    forgetArrived();
    toSend.clear();
    for (var each : unacknowledged) {
      each.usesLink = true;
      if (!each.isLent) {
        toSend.add(each);
      }
    }
    wakePump();
  }

  /** Sends again what may have been lost with a broken exchange. */
  void answerAgain() {
    lock.lock();
    try {
      if (lost == null) {
        sendAgain();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The other node has connected, having got everything up to a number, and perhaps missed what
   * came next.
   */
  void greeted(long received, boolean missed) {
    lock.lock();
    try {
      acknowledge(received, 0);
      if (lost == null) {
        if (greeted || missed) {
          sendAgain(); // if again, something broke; answers may have been in flight
        } else {
          wakePump(); // a link has two ways: without the other one it would hear no heartbeat
        }
        greeted = true;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The other node has told what it has got.
   *
   * @param number of the last frame that it has taken
   * @param served how many one-way calls it has served
   */
  void acknowledge(long number, long served) {
    if (served > oneWayServedThere.get()) {
      oneWayServedThere.accumulateAndGet(served, Math::max);
    }
    if (number <= acknowledged.get()) {
      return;
    }
    acknowledged.accumulateAndGet(number, Math::max);
    if (crowded) {
      lock.lock();
      try {
        forgetArrived();
      } finally {
        lock.unlock();
      }
    } // else whoever sends next does it, who has the lock anyhow
  }

  private void lookIfCrowded() {
    var isMuch = unacknowledgedBytes > MUCH_BYTES;
    if (crowded != isMuch) {
      crowded = isMuch;
    }
  }

  /** Forgets what the other node has; under the lock. */
  private void forgetArrived() {
    var number = acknowledged.get();
    var bytes = 0L;
    for (Sent arrived; (arrived = unacknowledged.peek()) != null && arrived.number <= number; ) {
      unacknowledged.poll();
      bytes += arrived.frame.size();
      if (arrived.leavesArrays) { // and it does no harm if they change while it goes once more
        arrived.frame.arrays().forEach(SpareArrays::put);
      }
      if (arrived.isSpare() && spare.size() < MOST_SPARE) {
        spare.push(arrived);
      }
    }
    if (bytes > 0) {
      unacknowledgedBytes -= bytes;
      lookIfCrowded();
      roomIsThere.signalAll();
    }
  }

  // What others see

  /** The connection, for exchanges; {@code null} if there is none yet. */
  Connection connection() {
    return connection;
  }

  boolean hasBegun() {
    return pump != null;
  }

  /** Says whether anything was sent since this was last asked. */
  boolean hasSentSinceLook() {
    lock.lock();
    try {
      var hasSent = sentSinceLook;
      sentSinceLook = false;
      return hasSent;
    } finally {
      lock.unlock();
    }
  }

  /** How much is kept until the other node acknowledges it. */
  long unacknowledgedBytes() {
    lock.lock();
    try {
      forgetArrived();
      return unacknowledgedBytes;
    } finally {
      lock.unlock();
    }
  }

  boolean hasUnservedCalls() {
    lock.lock();
    try {
      return lost == null && oneWayServedThere.get() < oneWaySent;
    } finally {
      lock.unlock();
    }
  }

  /** Why the other node is lost, or {@code null}. */
  NodeLostException lost() {
    return lost;
  }

  void throwIfLost() {
    if (lost != null) {
      var certificate = lost.certificate().orElse(null);
      throw new NodeLostException(lost.getMessage(), certificate); // with this caller's stack
    }
  }

  /**
   * Ends everything: nothing goes to the other node any more, and nobody waits for it here.
   *
   * @return the account, or {@code null} if the node was lost before
   */
  OneWayCalls lose(NodeLostException why) {
    OneWayCalls account;
    lock.lock();
    try {
      if (lost != null) {
        return null;
      }
      lost = why;
      forgetArrived();
      account =
          new OneWayCalls(
              oneWaySent,
              oneWayServedThere.get(),
              unacknowledged.stream().filter(each -> each.oneWayCall != null).toList());
      unacknowledged.clear();
      toSend.clear();
      spare.clear();
      unordered.clear();
      unacknowledgedBytes = 0;
      crowded = false;
      pumpIsNeeded.signalAll();
      roomIsThere.signalAll();
      if (pump != null) {
        pump.interrupt();
      }
    } finally {
      lock.unlock();
    }
    closeConnection(); // whatever blocks on it
    return account;
  }
}
