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

/** What comes from another node: every ordered frame once, in the order of the numbers. */
public final class Inbox {

  /*
   * Readers of the transport, and the threads that serve its exchanges, come here at the same time. They take frames
   * under the lock, under which no user code runs and nothing is waited for. What remains to be done for a frame (to
   * settle a result, to serve a reserved body) is done after the lock is released if the frame came in its turn. For
   * frames that had come early it is done under the lock: it settles a result at most, as their exchanges serve no
   * object.
   *
   * Why acknowledgements travel on other frames. Every frame says how many frames of the other side have
   * been taken. A separate acknowledgement after 64 calls, sent by another thread, cost a null call over
   * RMI 1.54 bare round trips instead of 1.25 (./troupe bench rmi, c708719, 2026-11-21).
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /** With 64, a quarter of the time that a flood of small calls takes here went into telling so. */
  private static final int ACKNOWLEDGE_AFTER_FRAMES = 512;

  private static final long ACKNOWLEDGE_AFTER_BYTES = 1 << 20;

  /** What an early frame costs beside its bytes, in the map and as objects. */
  private static final int EARLY_FRAME_BYTES = 200;

  /** A healthy sender has not more than this under way that could come too early. */
  private static final int DROPPED_WINDOWS = 16;

  private final Peer peer;
  private final Membership access;
  private final MessageCodec wire;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, Early> early = new HashMap<>(); // under the lock
  private final long mostEarlyBytes;
  private long earlyBytes; // under the lock; of those that are kept
  private long droppedBytes; // under the lock; of those that are not, since a frame was taken
  private boolean isMissing; // under the lock: some that were not kept have to be sent again
  private Held held; // under the lock; what comes after it waits among the early
  private long bytesSinceAcknowledged; // under the lock

  /** Set under the lock, and without a fence: who reads an older value tells an older one. */
  private final AtomicLong lastTaken = new AtomicLong();

  /** What the other node knows that we have taken: each of our frames tells it. */
  private volatile long lastToldTaken;

  /** The clock costs a tenth of what a small call takes here, so whoever looks asks it. */
  private volatile boolean heardSinceLook;

  private final Runnable retry = this::goOn; // what this waits for may have come
  private volatile long lastHeardNanos;
  private volatile boolean heard;
  private volatile String unreadable; // why nothing more can be taken, or null

  /** A frame that arrived before another that is to be taken first. */
  private record Early(Frame frame, Exchange exchange) {
    long bytes() {
      return frame.size() + EARLY_FRAME_BYTES;
    }
  }

  /** A call that has to wait for what another node has sent before. */
  private record Held(Message.Behind call, long callId, Frame frame, Exchange exchange) {}

  Inbox(Peer peer, MessageCodec wire) {
    this.peer = peer;
    this.access = peer.access();
    this.wire = wire;
    this.mostEarlyBytes = access.receiveLimits().earlyBytes();
    this.lastHeardNanos = access.nanoTime();
  }

  /** Lets the sender wait no longer for an answer that does not come where it waits. */
  public static void decline(Exchange exchange) {
    if (exchange != null) {
      exchange.reply(null);
    }
  }

  /**
   * Takes a frame that arrived.
   *
   * @param in its header, behind the sender's name
   * @param exchange where the sender waits for the answer, or {@code null} if it will be sent
   * @throws SerializationException if it cannot be read, or is too far ahead
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
   * The other node talks nonsense: nothing that follows can be trusted. It is suspected until the
   * coordinator has decided.
   */
  private void cannotRead(RuntimeException e) {
    if (unreadable != null) {
      return; // it was told
    }
    LOG.log(Level.ERROR, "node '" + peer.id() + "' sent a frame that cannot be read", e);
    unreadable = "it sent a frame that cannot be read: " + e.getMessage();
    access.suspect(peer.id(), unreadable);
  }

  /**
   * Returns where an array goes that is about to arrive; {@code null} if nobody waits for it, or
   * anything that was sent before it has not been taken.
   *
   * @param in its frame's header, behind the sender's name
   */
  public ReceiveBuffer room(ByteInput in, Class<?> element, int length) {
    var number = in.readVarLong();
    in.readVarLong(); // what it acknowledges
    in.readVarLong(); // what it has served
    in.readVarLong(); // no call
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
        : body.attachments().room(parcel.key(), parcel.from(), parcel.tag(), element, length);
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
        decline(exchange); // sent again after a reset, and here already
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

  /** Tells others, without the lock, what was taken. */
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

  /** Says whether the sender has to be asked for early frames that were not kept; once. */
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

  /** The header may be used again by the transport when this thread goes back to it. */
  private static Frame kept(Frame frame) {
    return new Frame(frame.header().clone(), frame.body(), frame.arrays());
  }

  /**
   * Of a frame that came twice, the one with somebody waiting for its reply is kept. What there is
   * no room for is asked for again later: the sender has it until it is acknowledged.
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

  /** Takes what had to wait for the frame just taken; the thread belongs to none of it. */
  private void takeEarly() {
    for (Early next;
        held == null
            && !early.isEmpty()
            && (next = early.remove(lastTaken.getPlain() + 1)) != null; ) {
      earlyBytes -= next.bytes();
      var in = new ByteInput(next.frame.header());
      in.readLong(); // the sender
      in.readVarLong(); // the number
      in.readVarLong(); // what it acknowledges
      in.readVarLong(); // what it has served
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
    goneOn(); // it may have come meanwhile
    return null;
  }

  /** What was awaited may have come: takes what was held, and what came after it. */
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

  /** Takes what was held, if it may be taken now; says whether nothing is held. */
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

  /** The number of the last frame taken, for a frame that tells it. */
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

  /** From now on the other node has to be heard. */
  void expectSigns() {
    lastHeardNanos = access.nanoTime();
  }

  /** Says whether the other node knows this one, and so takes what comes on any connection. */
  boolean hasHeard() {
    return heard;
  }

  /** When the other node was last found to have been heard: looked at with every beat. */
  long lastHeardNanos() {
    if (heardSinceLook) {
      heardSinceLook = false;
      lastHeardNanos = access.nanoTime();
    }
    return lastHeardNanos;
  }

  /** A silence that was this JVM's own fault does not count. */
  void excuse(long nanos) {
    lastHeardNanos = Math.min(access.nanoTime(), lastHeardNanos + nanos);
  }

  /** Why nothing more can be taken, or {@code null}. */
  String unreadable() {
    return unreadable;
  }

  /** Forgets what still waits for others; nothing more is taken. */
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
