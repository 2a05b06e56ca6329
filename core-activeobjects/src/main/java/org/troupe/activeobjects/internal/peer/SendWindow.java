package org.troupe.activeobjects.internal.peer;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.NodeHost;
import org.troupe.activeobjects.transport.Frame;

/** The numbered frames that the other node has not acknowledged yet. */
final class SendWindow {

  /*
   * Design: retention until acknowledgement
   *
   * A frame is numbered and kept in one step, under the lock of the outbox, so the window holds consecutive
   * numbers: those acknowledged up to the last one numbered. The other node takes each number once; after a
   * broken connection the whole window is sent again. An acknowledgement arrives on a reader of the transport,
   * which only raises a counter; the next sender, which holds the lock anyway, removes the frames, unless so
   * much is unacknowledged that senders wait for it.
   *
   * Threads: the methods in the first part are called under the lock, those in the second without it. Only
   * awaitCapacity and awaitArrival block.
   *
   * Buffer reuse. A frame that was sent in an exchange, and in no other way, is referred to by nothing else
   * when it is acknowledged: the next exchange with a header of the same length reuses it, array included.
   * That saves a third of the allocation of a null call.
   */

  /** The number of concurrent exchanges. */
  private static final int MOST_SPARE = 64;

  /** The limit on unacknowledged bytes beyond which a user's thread waits before it sends. */
  static final long MOST_UNACKNOWLEDGED_BYTES = 64L << 20;

  /**
   * The amount of unacknowledged bytes beyond which acknowledgements are processed as they arrive.
   */
  static final long MUCH_BYTES = 1L << 20;

  private static final int MOST_LOOKED_AT = 65_536; // frames, for a report

  private static final int[] NO_TYPES = {};

  private final NodeHost host;
  private final MessageCodec wire;
  private final ReceiveStatus received;
  private final ReentrantLock lock; // the lock of the outbox

  // Guarded by the lock, except for reads of volatile fields
  private final Condition hasProgressed;
  private final ArrayDeque<UnackedFrame> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<UnackedFrame> spare = new ArrayDeque<>(); // frames without a body
  private long lastNumber;
  private final AtomicLong acknowledged = new AtomicLong(); // accessed without the lock
  private long unacknowledgedBytes;
  private long bytes; // all numbered frames, each counted once
  private volatile boolean crowded; // whether more than MUCH_BYTES are unacknowledged
  private long oneWaySent;
  private final AtomicLong oneWayServedThere = new AtomicLong(); // accessed without the lock
  private volatile @Nullable NodeLostException lost;

  /**
   * The one-way calls to a node that is lost.
   *
   * @param sent how many were sent
   * @param served how many are known to have been served
   * @param unknown those that the node may not even have received
   */
  record OneWayCalls(long sent, long served, List<UnackedFrame> unknown) {}

  /**
   * Creates an empty window.
   *
   * @param host lets a waiting thread poll for frames
   * @param received the counts that each frame reports
   * @param lock the lock of the outbox, which guards everything that is numbered
   */
  SendWindow(NodeHost host, MessageCodec wire, ReceiveStatus received, ReentrantLock lock) {
    this.host = host;
    this.wire = wire;
    this.received = received;
    this.lock = lock;
    this.hasProgressed = lock.newCondition();
  }

  // Under the lock

  /**
   * Turns a message into a frame, assigns its number, and keeps it.
   *
   * @param mayReuse whether the frame is sent in an exchange and has no body
   */
  UnackedFrame number(
      long callId,
      Message message,
      @Nullable Payload payload,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller,
      int calls,
      boolean mayReuse) {
    forgetArrived();
    var former = mayReuse ? spare.poll() : null;
    var number = lastNumber + 1;
    var served = received.oneWayServed(); // first: these calls are among those acknowledged
    var header =
        wire.write(
            number,
            received.acknowledge(),
            served,
            callId,
            message,
            payload == null ? NO_TYPES : payload.values().typeIds(),
            former == null ? null : former.frame().header());
    var sent =
        former != null && former.frame().header() == header
            ? former.reused(number)
            : new UnackedFrame(
                number,
                payload == null ? new Frame(header) : payload.frame(header),
                oneWayCall,
                caller,
                calls);
    lastNumber =
        number; // only when the frame is complete: the other node would wait for a missing number
    unacknowledged.add(sent);
    var size = sent.frame().size();
    unacknowledgedBytes += size;
    bytes += size;
    lookIfCrowded();
    if (oneWayCall != null) {
      oneWaySent += calls;
    }
    return sent;
  }

  /** Turns a message into a frame that needs neither order nor a guarantee. */
  Frame unordered(Message message) {
    var served = received.oneWayServed(); // first, as above
    return new Frame(wire.write(0, received.acknowledge(), served, 0, message, NO_TYPES, null));
  }

  /** Replaces the frame of a number for later transmissions. */
  void replace(UnackedFrame sent, Frame other) {
    if (unacknowledged.contains(sent)) {
      unacknowledgedBytes += other.size() - sent.frame().size();
    }
    sent.becomes(other);
  }

  /** Adds all unacknowledged frames, except borrowed ones, to the frames to be sent. */
  void sendAgain(Collection<UnackedFrame> toSend) {
    for (var each : unacknowledged) {
      each.usesLink();
      if (!each.isBorrowed()) {
        toSend.add(each);
      }
    }
  }

  /** Removes the frames that were acknowledged. */
  void forgetArrived() {
    var number = acknowledged.get();
    var bytes = 0L;
    for (UnackedFrame arrived;
        (arrived = unacknowledged.peek()) != null && arrived.number() <= number; ) {
      unacknowledged.poll();
      bytes += arrived.frame().size();
      arrived.arrived();
      if (arrived.isSpare() && spare.size() < MOST_SPARE) {
        spare.push(arrived);
      }
    }
    if (bytes > 0) {
      unacknowledgedBytes -= bytes;
      lookIfCrowded();
      hasProgressed.signalAll();
    }
  }

  private void lookIfCrowded() {
    var isMuch = unacknowledgedBytes > MUCH_BYTES;
    if (crowded != isMuch) {
      crowded = isMuch;
    }
  }

  /** Returns the numbers of messages and bytes that were numbered. */
  Traffic traffic() {
    return new Traffic(lastNumber, bytes);
  }

  /** Returns the traffic that was sent, with the part of it that is not acknowledged. */
  Outbox.Sent sent() {
    forgetArrived();
    var slices =
        unacknowledged.stream()
            .limit(MOST_LOOKED_AT)
            .mapToInt(each -> each.frame().arrays().size())
            .sum();
    return new Outbox.Sent(wire.calls(), unacknowledged.size(), slices, unacknowledgedBytes);
  }

  /** Returns the number of the last message numbered. */
  long lastNumber() {
    return lastNumber;
  }

  long unacknowledgedBytes() {
    forgetArrived();
    return unacknowledgedBytes;
  }

  long oneWaySent() {
    return oneWaySent;
  }

  boolean hasUnservedCalls() {
    return lost == null && oneWayServedThere.get() < oneWaySent;
  }

  /** Drops all frames, whose arrival is no longer awaited; returns the one-way calls. */
  OneWayCalls lose(NodeLostException why) {
    lost = why;
    var served = oneWayServedThere.get(); // first: these calls are among those that have arrived
    forgetArrived();
    var account =
        new OneWayCalls(
            oneWaySent,
            served,
            unacknowledged.stream().filter(each -> each.oneWayCall() != null).toList());
    unacknowledged.clear();
    spare.clear();
    unacknowledgedBytes = 0;
    crowded = false;
    hasProgressed.signalAll();
    return account;
  }

  // Without the lock

  /**
   * Processes an acknowledgement of the other node.
   *
   * @param number the number of the last frame that it has taken
   * @param served how many one-way calls it has served
   */
  void acknowledge(long number, long served) {
    var isNew = number > acknowledged.get();
    if (isNew) {
      acknowledged.accumulateAndGet(number, Math::max);
    }
    // After 'acknowledged', so that a thread that sees this count also sees that number.
    if (served > oneWayServedThere.get()) {
      oneWayServedThere.accumulateAndGet(served, Math::max);
    }
    if (isNew && crowded) {
      lock.lock();
      try {
        forgetArrived();
      } finally {
        lock.unlock();
      }
    } // otherwise the next sender does it, which holds the lock anyway
  }

  /** Returns whether large arrays are sent without a copy and without waiting for their arrival. */
  static boolean lends(Payload payload) {
    var arrays = payload.values().arrays();
    return !arrays.isEmpty()
        && payload.values().bytes().length + arrays.stream().mapToLong(Frame::bytes).sum()
            <= MUCH_BYTES / 2;
  }

  boolean hasArrived(UnackedFrame sent) {
    return acknowledged.get() >= sent.number();
  }

  /** Returns whether so much is unacknowledged that {@link #awaitCapacity} may wait. */
  boolean isCrowded() {
    return crowded;
  }

  /** Waits, in the user's sending thread, while too much is unacknowledged. */
  void awaitCapacity() {
    if (!crowded) {
      return;
    }
    lock.lock();
    try {
      forgetArrived();
      while (unacknowledgedBytes > MOST_UNACKNOWLEDGED_BYTES && lost == null) {
        hasProgressed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a frame has been acknowledged, or never will be; both sides process
   * acknowledgements of large amounts at once.
   */
  void awaitArrival(UnackedFrame sent) {
    host.receiveWhile(() -> !hasArrived(sent) && lost == null);
    lock.lock();
    try {
      while (!hasArrived(sent) && lost == null) {
        hasProgressed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns why the other node is lost, or {@code null}. */
  @Nullable NodeLostException lost() {
    return lost;
  }

  void throwIfLost() {
    if (lost != null) {
      var exitReport = lost.exitReport().orElse(null);
      throw new NodeLostException(
          String.valueOf(lost.getMessage()), exitReport); // with the stack of this caller
    }
  }
}
