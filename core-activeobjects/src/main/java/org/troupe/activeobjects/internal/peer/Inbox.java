package org.troupe.activeobjects.internal.peer;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.object.NodeObjects;
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

  private final GridNode peer;
  private final NodeObjects node;
  private final Membership access;
  private final MessageCodec wire;
  private final ReceiveStatus received;
  private final Outbox outbox;
  private final MessageDispatcher messages;
  private final Consumer<Message> unordered;
  private final Predicate<Message.Behind> mayTake;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, Early> early = new HashMap<>(); // guarded by the lock
  private final long mostEarlyBytes;
  private long earlyBytes; // guarded by the lock; of early frames that are kept
  private long droppedBytes; // guarded by the lock; dropped since the last frame was taken
  private boolean isMissing; // guarded by the lock: dropped frames have to be sent again
  private @Nullable Held held; // guarded by the lock; later frames are early
  private long bytesSinceAcknowledged; // guarded by the lock
  private final List<Behind> behind = new ArrayList<>(0); // guarded by the lock

  private final Runnable retry = this::goOn; // when an awaited multicast may be here
  private volatile long refusedFor; // the receiver in the last greeting that was refused
  private volatile @Nullable String unreadable; // why no further frame can be taken, or null

  /** A frame that arrived before a predecessor. */
  private record Early(Frame frame, @Nullable Exchange exchange) {
    long bytes() {
      return frame.size() + EARLY_FRAME_BYTES;
    }
  }

  /** The control frame that this node owes the sender after it has taken frames. */
  private enum ControlReply {
    NONE,
    ACKNOWLEDGEMENT,
    RETRANSMISSION_REQUEST
  }

  /** A task that is to run when a number of frames have been taken. */
  private record Behind(long frames, Runnable task) {}

  /** A call that has to wait for messages that another node has sent earlier. */
  private record Held(Message.Behind call, long callId, Frame frame, @Nullable Exchange exchange) {}

  /**
   * Creates an inbox that has received nothing yet.
   *
   * @param outbox receives the acknowledgements of the other node
   * @param messages takes the ordered messages
   * @param unordered takes the messages that need no order
   * @param mayTake whether the multicasts that a call follows have arrived or never will
   */
  Inbox(
      GridNode peer,
      NodeObjects node,
      MessageCodec wire,
      ReceiveStatus received,
      Outbox outbox,
      MessageDispatcher messages,
      Consumer<Message> unordered,
      Predicate<Message.Behind> mayTake) {
    this.peer = peer;
    this.node = node;
    this.access = peer.access();
    this.wire = wire;
    this.received = received;
    this.outbox = outbox;
    this.messages = messages;
    this.unordered = unordered;
    this.mayTake = mayTake;
    this.mostEarlyBytes = access.receiveLimits().earlyBytes();
  }

  private boolean isLost() {
    return outbox.lost() != null;
  }

  /**
   * Takes a frame that has arrived.
   *
   * @param in its header, positioned after the sender's name
   * @param exchange where the sender waits for the answer, or {@code null} if it will be sent
   * @throws SerializationException if the frame cannot be read, or is too far ahead
   */
  public void receive(Frame frame, ByteInput in, @Nullable Exchange exchange) {
    if (isLost() || unreadable != null) {
      RemoteRequest.decline(exchange);
      return;
    }
    received.heard();
    Message.@Nullable Hello misdirected = null;
    try {
      var number = in.readVarLong();
      var acknowledged = in.readVarLong();
      var served = in.readVarLong();
      var callId = in.readVarLong();
      if (number == 0) {
        RemoteRequest.decline(exchange);
        var message = wire.read(in, false);
        if (message instanceof Message.Hello hello && !hello.isFor(node.id())) {
          misdirected = hello; // as is its acknowledgement
        } else {
          outbox.acknowledge(acknowledged, served);
          unordered.accept(message);
        }
      } else {
        outbox.acknowledge(acknowledged, served);
        receiveOrdered(number, callId, frame, in, exchange);
      }
    } catch (SerializationException e) {
      RemoteRequest.decline(exchange);
      cannotRead(e);
      throw e;
    }
    if (misdirected != null) { // ends its connection, which is of another link
      var isFirst = misdirected.receiver() != refusedFor;
      refusedFor = misdirected.receiver();
      throw misdirected.refusal(node.id(), isFirst);
    }
  }

  /** Takes the answer of an exchange. */
  void receiveAnswer(Frame frame) {
    var in = MessageCodec.header(frame);
    in.readLong(); // the sender: the peer
    receive(frame, in, null);
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
  public @Nullable ReceiveBuffer receiveBuffer(ByteInput in, Class<?> element, int length) {
    var number = in.readVarLong();
    in.readVarLong(); // the acknowledgement
    in.readVarLong(); // the calls served
    in.readVarLong(); // not a call
    lock.lock();
    try {
      if (number != received.next() || held != null || isLost()) {
        return null;
      }
    } finally {
      lock.unlock();
    }
    var packet = MessageCodec.packet(in);
    var body = packet == null ? null : node.body(packet.target());
    return packet == null || body == null
        ? null
        : body.extensions()
            .receiveBuffer(packet.key(), packet.from(), packet.tag(), element, length);
  }

  private void receiveOrdered(
      long number, long callId, Frame frame, ByteInput in, @Nullable Exchange exchange) {
    Runnable rest;
    SerializationException unreadableEarly;
    ControlReply reply;
    var multicasts = messages.multicastsTaken();
    lock.lock();
    try {
      if (number < received.next() || isLost() || unreadable != null) {
        RemoteRequest.decline(exchange); // a retransmission of a frame that has been taken
        return;
      }
      if (number > received.next() || held != null) {
        keepEarly(number, new Early(kept(frame), exchange));
        return;
      }
      rest = take(callId, frame, in, exchange, true);
      unreadableEarly = takeEarly();
      reply = reply();
    } finally {
      lock.unlock();
    }
    taken(reply, unreadableEarly, multicasts);
    if (rest != null) {
      rest.run();
    }
    if (unreadableEarly != null) {
      throw unreadableEarly;
    }
  }

  /**
   * Notifies others, without the lock, of the frames taken.
   *
   * @param unreadableEarly the error of an early frame, or {@code null}
   */
  private void taken(
      ControlReply reply, @Nullable SerializationException unreadableEarly, long multicastsBefore) {
    switch (reply) {
      case NONE -> {}
      case ACKNOWLEDGEMENT -> outbox.ping();
      case RETRANSMISSION_REQUEST ->
          outbox.sendUnordered(
              new Message.Hello(
                  node.name(),
                  access.address(),
                  peer.id().incarnation(),
                  received.lastTaken(),
                  true));
    }
    if (unreadableEarly != null) {
      cannotRead(unreadableEarly);
    }
    if (multicastsBefore != messages.multicastsTaken()) {
      node.order().advanced();
    }
  }

  /** Returns the control frame due to the sender. */
  private ControlReply reply() {
    var isAcknowledgementDue = isAcknowledgementDue();
    if (isMissed()) {
      return ControlReply.RETRANSMISSION_REQUEST;
    }
    return isAcknowledgementDue ? ControlReply.ACKNOWLEDGEMENT : ControlReply.NONE;
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
    if (received.unacknowledged() < ACKNOWLEDGE_AFTER_FRAMES
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
      RemoteRequest.decline(frame.exchange);
    }
  }

  private void drop(Early frame) {
    droppedBytes += frame.bytes();
    if (droppedBytes > DROPPED_WINDOWS * SendWindow.MOST_UNACKNOWLEDGED_BYTES) {
      throw new SerializationException(
          "%d bytes came that are to be taken after frame %d, which did not come"
              .formatted(droppedBytes, received.next()));
    }
    isMissing = true;
    RemoteRequest.decline(frame.exchange);
  }

  /**
   * Takes the early frames that follow the frame just taken; this thread belongs to none of their
   * exchanges.
   *
   * @return the error of a frame that cannot be read, or {@code null}
   */
  private @Nullable SerializationException takeEarly() {
    try {
      takeAllEarly();
      return null;
    } catch (SerializationException e) {
      return e;
    }
  }

  private void takeAllEarly() {
    for (Early next;
        held == null && !early.isEmpty() && (next = early.remove(received.next())) != null; ) {
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

  private @Nullable Runnable take(
      long callId, Frame frame, ByteInput in, @Nullable Exchange exchange, boolean mayServe) {
    var message = wire.read(in, true);
    received.taken();
    bytesSinceAcknowledged += frame.size();
    droppedBytes = 0;
    if (!(message instanceof Message.Behind call)) {
      return dispatched(messages.take(message, callId, frame, exchange, mayServe));
    }
    if (mayTake.test(call)) {
      return dispatched(messages.take(call.call(), callId, frame, exchange, mayServe));
    }
    held = new Held(call, callId, kept(frame), exchange);
    node.order().addWaiting(retry);
    goneOn(); // the multicast may have arrived meanwhile
    return null;
  }

  /** Takes the held frame and its successors if the awaited multicast has arrived. */
  public void goOn() {
    SerializationException unreadableEarly;
    ControlReply reply;
    var multicasts = messages.multicastsTaken();
    lock.lock();
    try {
      if (!goneOn()) {
        return;
      }
      unreadableEarly = takeEarly();
      reply = reply();
    } finally {
      lock.unlock();
    }
    taken(reply, unreadableEarly, multicasts);
  }

  /** Takes the held frame if that is possible now; returns whether no frame is held. */
  private boolean goneOn() {
    if (held == null) {
      return true;
    }
    if (!isLost() && !mayTake.test(held.call())) {
      return false;
    }
    var free = held;
    held = null;
    node.order().removeWaiting(retry);
    if (isLost()) {
      RemoteRequest.decline(free.exchange());
      return true;
    }
    var rest =
        messages.take(free.call().call(), free.callId(), free.frame(), free.exchange(), false);
    if (rest != null) {
      rest.run();
    }
    runTasksBehind();
    return true;
  }

  /** Runs the tasks that follow the frame just dispatched; returns the rest of its work. */
  private @Nullable Runnable dispatched(@Nullable Runnable rest) {
    if (!behind.isEmpty()) {
      runTasksBehind();
    }
    return rest;
  }

  private void runTasksBehind() {
    for (var i = 0; i < behind.size(); ) {
      if (behind.get(i).frames <= received.lastTaken()) {
        behind.remove(i).task.run();
      } else {
        i++;
      }
    }
  }

  /**
   * Runs a task, under the lock, in the place of a message that follows a number of frames: now if
   * they have been taken and none of them is held, else as soon as that is so; never if the node is
   * lost.
   */
  public void runBehind(long frames, Runnable task) {
    lock.lock();
    try {
      if (isLost()) {
        return;
      }
      if (areTaken(frames)) {
        task.run();
      } else {
        behind.add(new Behind(frames, task));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a number of frames have been taken and none of them is held. */
  public boolean hasTaken(long frames) {
    lock.lock();
    try {
      return areTaken(frames);
    } finally {
      lock.unlock();
    }
  }

  private boolean areTaken(long frames) {
    return frames <= received.lastTaken() - (held == null ? 0 : 1);
  }

  /** Returns why no further frame can be taken, or {@code null}. */
  @Nullable String unreadable() {
    return unreadable;
  }

  /** Drops all early and held frames; no further frame is taken. */
  void lose() {
    lock.lock();
    try {
      early.values().forEach(each -> RemoteRequest.decline(each.exchange));
      early.clear();
      earlyBytes = 0;
      behind.clear();
      if (held != null) {
        RemoteRequest.decline(held.exchange());
        held = null;
        node.order().removeWaiting(retry);
      }
    } finally {
      lock.unlock();
    }
  }
}
