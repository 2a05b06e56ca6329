package org.troupe.activeobjects.internal.peer;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Traffic;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.Body;
import org.troupe.activeobjects.transport.Frame;

/** What another node is not known to have: numbered frames, kept until it acknowledges them. */
final class SendWindow {

  /*
   * What has travelled in an exchange, and nowhere else, is nobody's when it is acknowledged: the next exchange takes
   * it, array and all, if its header is as long. That saves a third of what a null call allocates.
   */

  /** As many as there are exchanges at a time. */
  private static final int MOST_SPARE = 64;

  /** A sending user waits while so much is unacknowledged. */
  static final long MOST_UNACKNOWLEDGED_BYTES = 64L << 20;

  /** When more than this is unacknowledged, acknowledgements are looked at as they come. */
  static final long MUCH_BYTES = 1L << 20;

  private static final int[] NO_TYPES = {};

  private final Peer peer;
  private final MessageCodec wire;
  private final Inbox inbox;
  private final ReentrantLock lock; // of the outbox

  // All under the lock, but for reading what is volatile
  private final Condition roomIsThere;
  private final ArrayDeque<UnackedFrame> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<UnackedFrame> spare = new ArrayDeque<>(); // headers without a body
  private long lastNumber;
  private final AtomicLong acknowledged = new AtomicLong(); // without the lock
  private long unacknowledgedBytes;
  private long bytes; // of all that has got a number, however often it was sent
  private volatile boolean crowded; // whether that is much
  private long oneWaySent;
  private final AtomicLong oneWayServedThere = new AtomicLong(); // without the lock
  private volatile NodeLostException lost;

  /**
   * The account of the one-way calls to a node that is lost.
   *
   * @param sent how many there were
   * @param served how many are known to have been served
   * @param unknown those that it may not even have got
   */
  record OneWayCalls(long sent, long served, List<UnackedFrame> unknown) {}

  /**
   * Makes an empty one.
   *
   * @param lock of the outbox, for everything that is numbered
   */
  SendWindow(Peer peer, MessageCodec wire, Inbox inbox, ReentrantLock lock) {
    this.peer = peer;
    this.wire = wire;
    this.inbox = inbox;
    this.lock = lock;
    this.roomIsThere = lock.newCondition();
  }

  // Under the lock

  /**
   * Makes a message a frame, with the number that is its place, and keeps it.
   *
   * @param mayReuse whether the frame goes in an exchange, and has no body
   */
  UnackedFrame number(
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
            peer.incoming().oneWayServed(),
            callId,
            message,
            payload == null ? NO_TYPES : payload.values().typeIds(),
            former == null ? null : former.frame().header());
    var sent =
        former != null && former.frame().header() == header
            ? former.again(number)
            : new UnackedFrame(
                number,
                payload == null ? new Frame(header) : payload.frame(header),
                oneWayCall,
                caller,
                calls);
    lastNumber =
        number; // not before the frame is whole: a missing number would stop the other node
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

  /** Makes a message a frame that needs neither order nor a guarantee. */
  Frame unordered(Message message) {
    return new Frame(
        wire.write(
            0, inbox.tellTaken(), peer.incoming().oneWayServed(), 0, message, NO_TYPES, null));
  }

  /** What has a number already is sent as another frame from now on. */
  void replace(UnackedFrame sent, Frame other) {
    if (unacknowledged.contains(sent)) {
      unacknowledgedBytes += other.size() - sent.frame().size();
    }
    sent.becomes(other);
  }

  /** Adds everything that is not known to have arrived, but for what is lent, to what is sent. */
  void sendAgain(Collection<UnackedFrame> toSend) {
    for (var each : unacknowledged) {
      each.usesLink();
      if (!each.isBorrowed()) {
        toSend.add(each);
      }
    }
  }

  /** Forgets what the other node has. */
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
      roomIsThere.signalAll();
    }
  }

  private void lookIfCrowded() {
    var isMuch = unacknowledgedBytes > MUCH_BYTES;
    if (crowded != isMuch) {
      crowded = isMuch;
    }
  }

  /** What has been numbered. */
  Traffic traffic() {
    return new Traffic(lastNumber, bytes);
  }

  long unacknowledgedBytes() {
    forgetArrived();
    return unacknowledgedBytes;
  }

  boolean hasUnservedCalls() {
    return lost == null && oneWayServedThere.get() < oneWaySent;
  }

  /** Forgets everything, for which nobody waits any more; returns the account. */
  OneWayCalls lose(NodeLostException why) {
    lost = why;
    forgetArrived();
    var account =
        new OneWayCalls(
            oneWaySent,
            oneWayServedThere.get(),
            unacknowledged.stream().filter(each -> each.oneWayCall() != null).toList());
    unacknowledged.clear();
    spare.clear();
    unacknowledgedBytes = 0;
    crowded = false;
    roomIsThere.signalAll();
    return account;
  }

  // Without the lock

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

  boolean hasArrived(UnackedFrame sent) {
    return acknowledged.get() >= sent.number();
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
  void awaitArrival(UnackedFrame sent) {
    peer.node().host().receiveWhile(() -> !hasArrived(sent) && lost == null);
    lock.lock();
    try {
      while (!hasArrived(sent) && lost == null) {
        roomIsThere.awaitUninterruptibly();
      }
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
}
