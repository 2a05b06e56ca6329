package org.troupe.activeobjects.internal.peer;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.SerializationException;

/**
 * The receiving side of a peer: takes every ordered frame of the other node once, in the order of
 * the numbers.
 */
public final class Inbox {

  /*
   * Design: ordered delivery of numbered frames
   *
   * Every ordered frame is in one of these states:
   *
   *   taken    its number is at most lastTaken; a frame that arrives again is declined.
   *   held     it is next in order, but follows a multicast of another node that has not arrived.
   *   early    its number is beyond the next one; it is kept as far as memory allows.
   *   dropped  it arrived early when there was no memory for it; the sender is asked to send it again, and still has it, because it has not been acknowledged.
   *
   * Invariants: frames are taken one after the other under the lock, so lastTaken grows by one with each; at
   * most one frame is held.
   *
   * Threads. Readers of the transport and the threads that serve its exchanges call this concurrently. Under
   * the lock no user code runs and no thread waits. The remaining work for a frame (to settle a result, to
   * serve a reserved body) is done after the lock is released if the frame arrived in order. For early frames
   * it is done under the lock: it only settles results, because their exchanges serve no object.
   *
   * Acknowledgements are piggybacked. Every frame carries the number of frames taken from the other side. A
   * separate acknowledgement after 64 calls, sent by another thread, cost a null call over RMI 1.54 bare round
   * trips instead of 1.25 (./troupe bench rmi, c708719, 2026-11-21).
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /**
   * The number of frames after which an acknowledgement is sent. With 64, a flood of small calls
   * spent a quarter of its receiving time on acknowledgements.
   */
  private static final int ACKNOWLEDGE_AFTER_FRAMES = 512;

  private static final long ACKNOWLEDGE_AFTER_BYTES = 1 << 20;

  /** The cost of an early frame besides its bytes: its map entry and objects. */
  private static final int EARLY_FRAME_BYTES = 200;

  /** A correct sender has at most this many windows of early frames in transit. */
  private static final int DROPPED_WINDOWS = 16;

  private final Peer peer;
  private final Membership access;
  private final MessageCodec wire;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, Early> early = new HashMap<>(); // guarded by the lock
  private final long mostEarlyBytes;
  private long earlyBytes; // guarded by the lock; of early frames that are kept
  private long droppedBytes; // guarded by the lock; dropped since the last frame was taken
  private boolean isMissing; // guarded by the lock: dropped frames have to be sent again
  private Held held; // guarded by the lock; later frames are early
  private long bytesSinceAcknowledged; // guarded by the lock

  /**
   * Written under the lock, without a fence: a reader of an older value reports less than was
   * taken.
   */
  private final AtomicLong lastTaken = new AtomicLong();

  /** The number of frames that were acknowledged: each frame to the other node acknowledges. */
  private volatile long lastToldTaken;

  /**
   * Whether a frame has arrived since the last check. Reading the clock for each frame would cost a
   * tenth of a small call here, so the check reads it.
   */
  private volatile boolean heardSinceLook;

  private final Runnable retry = this::goOn; // when an awaited multicast may be here
  private volatile long lastHeardNanos;
  private volatile boolean heard;
  private volatile String unreadable; // why no further frame can be taken, or null

  /** A frame that arrived before a predecessor. */
  private record Early(Frame frame, Exchange exchange) {
    long bytes() {
      return frame.size() + EARLY_FRAME_BYTES;
    }
  }

  /** A call that has to wait for messages that another node has sent earlier. */
  private record Held(Message.Behind call, long callId, Frame frame, Exchange exchange) {}

  Inbox(Peer peer, MessageCodec wire) {
    this.peer = peer;
    this.access = peer.access();
    this.wire = wire;
    this.mostEarlyBytes = access.receiveLimits().earlyBytes();
    this.lastHeardNanos = access.nanoTime();
  }

  /** Ends an exchange whose answer will arrive as a separate frame. */
  public static void decline(Exchange exchange) {
    if (exchange != null) {
      exchange.reply(null);
    }
  }

  /**
   * Takes a frame that has arrived.
   *
   * @param in its header, positioned after the sender's name
   * @param exchange where the sender waits for the answer, or {@code null} if it will be sent
   * @throws SerializationException if the frame cannot be read, or is too far ahead
   */
  public void receive(Frame frame, ByteInput in, Exchange exchange) {
    if (peer.isLost() || unreadable != null) {
      decline(exchange);
      return;
    }
    if (!heardSinceLook) {
      heardSinceLook = true;
      heard = true;
    }
    try {
      var number = in.readVarLong();
      peer.outbox().acknowledge(in.readVarLong(), in.readVarLong());
      var callId = in.readVarLong();
      if (number == 0) {
        decline(exchange);
        peer.takeUnordered(wire.read(in, false));
      } else {
        receiveOrdered(number, callId, frame, in, exchange);
      }
    } catch (SerializationException e) {
      decline(exchange);
      cannotRead(e);
      throw e;
    }
  }

  /**
   * Handles a malformed frame: no later frame can be trusted. The other node is suspected until the
   * coordinator has decided.
   */
  private void cannotRead(RuntimeException e) {
    if (unreadable != null) {
      return; // the reply was sent
    }
    LOG.log(Level.ERROR, "node '" + peer.id() + "' sent a frame that cannot be read", e);
    unreadable = "it sent a frame that cannot be read: " + e.getMessage();
    access.suspect(peer.id(), unreadable);
  }

  /**
   * Returns the user's buffer for an array about to arrive; {@code null} if no user waits for it,
   * or earlier messages have not been taken.
   *
   * @param in the header of its frame, positioned after the sender's name
   */
  public ReceiveBuffer receiveBuffer(ByteInput in, Class<?> element, int length) {
    var number = in.readVarLong();
    in.readVarLong(); // the acknowledgement
    in.readVarLong(); // the calls served
    in.readVarLong(); // not a call
    lock.lock();
    try {
      if (number != lastTaken.getPlain() + 1 || held != null || peer.isLost()) {
        return null;
      }
    } finally {
      lock.unlock();
    }
    var parcel = MessageCodec.parcel(in);
    var body = parcel == null ? null : peer.node().body(parcel.target());
    return body == null
        ? null
        : body.extensions()
            .receiveBuffer(parcel.key(), parcel.from(), parcel.tag(), element, length);
  }

  private void receiveOrdered(
      long number, long callId, Frame frame, ByteInput in, Exchange exchange) {
    Runnable rest;
    SerializationException nonsense = null;
    boolean isAcknowledgementDue;
    boolean isMissed;
    var multicasts = peer.multicastsTaken();
    lock.lock();
    try {
      if (number <= lastTaken.getPlain() || peer.isLost() || unreadable != null) {
        decline(exchange); // a retransmission of a frame that has been taken
        return;
      }
      if (number > lastTaken.getPlain() + 1 || held != null) {
        keepEarly(number, new Early(kept(frame), exchange));
        return;
      }
      rest = take(callId, frame, in, exchange, true);
      try {
        takeEarly();
      } catch (SerializationException e) {
        nonsense = e;
      }
      isAcknowledgementDue = isAcknowledgementDue();
      isMissed = isMissed();
    } finally {
      lock.unlock();
    }
    taken(isMissed, isAcknowledgementDue, nonsense, multicasts);
    if (rest != null) {
      rest.run();
    }
    if (nonsense != null) {
      throw nonsense;
    }
  }

  /** Notifies others, without the lock, of the frames taken. */
  private void taken(
      boolean isMissed,
      boolean isAcknowledgementDue,
      SerializationException nonsense,
      long multicastsBefore) {
    if (isMissed) {
      peer.askAgain();
    } else if (isAcknowledgementDue) {
      peer.ping();
    }
    if (nonsense != null) {
      cannotRead(nonsense);
    }
    if (multicastsBefore != peer.multicastsTaken()) {
      peer.node().order().advanced();
    }
  }

  /** Returns, once, whether the sender has to be asked for dropped frames. */
  private boolean isMissed() {
    if (!isMissing || held != null) {
      return false;
    }
    isMissing = false;
    return true;
  }

  private boolean isAcknowledgementDue() {
    if (lastTaken.getPlain() - lastToldTaken < ACKNOWLEDGE_AFTER_FRAMES
        && bytesSinceAcknowledged < ACKNOWLEDGE_AFTER_BYTES) {
      return false;
    }
    bytesSinceAcknowledged = 0;
    return true;
  }

  /** Copies the header, which the transport may reuse when this thread returns to it. */
  private static Frame kept(Frame frame) {
    return new Frame(frame.header().clone(), frame.body(), frame.arrays());
  }

  /**
   * Keeps an early frame. Of two copies, the one whose sender waits for the reply is kept. A frame
   * for which there is no memory is requested again later: the sender keeps it until it is
   * acknowledged.
   */
  private void keepEarly(long number, Early frame) {
    var known = early.get(number);
    if (known == null) {
      if (earlyBytes + frame.bytes() > mostEarlyBytes) {
        drop(frame);
      } else {
        early.put(number, frame);
        earlyBytes += frame.bytes();
      }
      return;
    }
    if (known.exchange == null && frame.bytes() <= known.bytes()) {
      early.put(number, frame);
      earlyBytes += frame.bytes() - known.bytes();
    } else {
      decline(frame.exchange);
    }
  }

  private void drop(Early frame) {
    droppedBytes += frame.bytes();
    if (droppedBytes > DROPPED_WINDOWS * SendWindow.MOST_UNACKNOWLEDGED_BYTES) {
      throw new SerializationException(
          "%d bytes came that are to be taken after frame %d, which did not come"
              .formatted(droppedBytes, lastTaken.getPlain() + 1));
    }
    isMissing = true;
    decline(frame.exchange);
  }

  /**
   * Takes the early frames that follow the frame just taken; this thread belongs to none of their
   * exchanges.
   */
  private void takeEarly() {
    for (Early next;
        held == null
            && !early.isEmpty()
            && (next = early.remove(lastTaken.getPlain() + 1)) != null; ) {
      earlyBytes -= next.bytes();
      var in = new ByteInput(next.frame.header());
      in.readLong(); // the sender
      in.readVarLong(); // the number
      in.readVarLong(); // the acknowledgement
      in.readVarLong(); // the calls served
      var rest = take(in.readVarLong(), next.frame, in, next.exchange, false);
      if (rest != null) {
        rest.run();
      }
    }
  }

  private Runnable take(
      long callId, Frame frame, ByteInput in, Exchange exchange, boolean mayServe) {
    var message = wire.read(in, true);
    lastTaken.setRelease(lastTaken.getPlain() + 1);
    bytesSinceAcknowledged += frame.size();
    droppedBytes = 0;
    if (!(message instanceof Message.Behind call)) {
      return peer.take(message, callId, frame, exchange, mayServe);
    }
    if (peer.mayTake(call)) {
      return peer.take(call.call(), callId, frame, exchange, mayServe);
    }
    held = new Held(call, callId, kept(frame), exchange);
    peer.node().order().addWaiting(retry);
    goneOn(); // the multicast may have arrived meanwhile
    return null;
  }

  /** Takes the held frame and its successors if the awaited multicast has arrived. */
  public void goOn() {
    SerializationException nonsense = null;
    boolean isAcknowledgementDue;
    boolean isMissed;
    var multicasts = peer.multicastsTaken();
    lock.lock();
    try {
      if (!goneOn()) {
        return;
      }
      try {
        takeEarly();
      } catch (SerializationException e) {
        nonsense = e;
      }
      isAcknowledgementDue = isAcknowledgementDue();
      isMissed = isMissed();
    } finally {
      lock.unlock();
    }
    taken(isMissed, isAcknowledgementDue, nonsense, multicasts);
  }

  /** Takes the held frame if that is possible now; returns whether no frame is held. */
  private boolean goneOn() {
    if (held == null) {
      return true;
    }
    if (!peer.isLost() && !peer.mayTake(held.call())) {
      return false;
    }
    var free = held;
    held = null;
    peer.node().order().removeWaiting(retry);
    if (peer.isLost()) {
      decline(free.exchange());
      return true;
    }
    var rest = peer.take(free.call().call(), free.callId(), free.frame(), free.exchange(), false);
    if (rest != null) {
      rest.run();
    }
    return true;
  }

  /** Returns the number of the last frame taken, for a frame that acknowledges it. */
  long tellTaken() {
    var taken = lastTaken.get();
    if (lastToldTaken != taken) {
      lastToldTaken = taken;
    }
    return taken;
  }

  long lastTaken() {
    return lastTaken.get();
  }

  /** Expects frames of the other node from now on; silence counts from here. */
  void expectSigns() {
    lastHeardNanos = access.nanoTime();
  }

  /** Returns whether the other node knows this one, and so accepts frames on any connection. */
  boolean hasHeard() {
    return heard;
  }

  /**
   * Returns when the other node was last known to have been heard; updated with every heartbeat.
   */
  long lastHeardNanos() {
    if (heardSinceLook) {
      heardSinceLook = false;
      lastHeardNanos = access.nanoTime();
    }
    return lastHeardNanos;
  }

  /** Disregards a silence during which this JVM itself stood still. */
  void excuse(long nanos) {
    lastHeardNanos = Math.min(access.nanoTime(), lastHeardNanos + nanos);
  }

  /** Returns why no further frame can be taken, or {@code null}. */
  String unreadable() {
    return unreadable;
  }

  /** Drops all early and held frames; no further frame is taken. */
  void lose() {
    lock.lock();
    try {
      early.values().forEach(each -> decline(each.exchange));
      early.clear();
      earlyBytes = 0;
      if (held != null) {
        decline(held.exchange());
        held = null;
        peer.node().order().removeWaiting(retry);
      }
    } finally {
      lock.unlock();
    }
  }
}
