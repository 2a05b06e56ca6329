package org.troupe.mpj.matching;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.error.MessagingError.Failure;

/**
 * The messages that a rank sends: which way they take, and the fate of those that ask first.
 * Thread-safe.
 */
final class OutgoingMessages {

  /** Why a receiver refuses a message: its communicator was freed. */
  static final String FREED = "freed";

  /** Why a receiver refuses a message: it is of a ready send, and no receive is posted. */
  static final String NOT_READY = "not ready";

  private static final long EAGER_BYTES = 64L << 10;

  private final MessageEngine engine;
  private final RankNetwork network;
  private final int rank;
  private final PacketCounts counts;
  private final BoardPackets.LinkCounts links;
  private final EagerCredit credit;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, SendOperation> asked = new ConcurrentHashMap<>();
  private final AtomicInteger transmitting = new AtomicInteger();
  private volatile @Nullable BoardPackets packets; // null: no board

  OutgoingMessages(MessageEngine engine, PacketCounts counts, BoardPackets.LinkCounts links) {
    this.engine = engine;
    this.network = engine.network();
    this.rank = engine.rank();
    this.counts = counts;
    this.links = links;
    this.credit = new EagerCredit(network.size());
  }

  /** Lets small messages go over a board. */
  void use(BoardPackets board) {
    packets = board;
  }

  /** Begins a send. */
  MessageOperation send(int context, int to, int tag, MessageBuffer data, SendMode mode) {
    var near = to == rank ? engine : network.near(to);
    if (near != null) {
      return sendNear(near, new MatchKey(context, rank, tag), to, data, mode);
    }
    counts.sends(to);
    if (mode == SendMode.STANDARD) {
      var board = packets;
      if (board != null && BoardPackets.isSuitable(data) && board.send(to, context, tag, data)) {
        return MessageOperation.SENT;
      }
      var bytes = data.bytes();
      if (bytes <= EAGER_BYTES && credit.take(to, bytes)) {
        sendEagerly(to, new MatchKey(context, rank, tag), data, bytes);
        return MessageOperation.SENT;
      }
    }
    var key = new MatchKey(context, rank, tag);
    var send = new SendOperation(engine, key, to, numbers.incrementAndGet(), data);
    asked.put(send.id(), send);
    links.begins(to);
    network.send(
        to,
        Envelope.of(Envelope.ASK, data.element(), key),
        new long[] {send.id(), data.elements(), mode == SendMode.READY ? 1 : 0});
    links.hasSent(to);
    return send;
  }

  private void sendEagerly(int to, MatchKey key, MessageBuffer data, long bytes) {
    var isSent = false;
    links.begins(to);
    try {
      transmit(to, Envelope.of(Envelope.EAGER, data.element(), key), data);
      isSent = true;
      links.hasSent(to);
    } catch (RuntimeException e) {
      if (data.element() != ElementType.OBJECT) {
        throw e;
      }
      throw MessagingError.of(ErrorClass.TYPE, unsendable(e), e);
    } finally {
      if (!isSent && data.element() == ElementType.OBJECT) { // nothing has left
        links.hasNotBegun(to);
        counts.hasNotSent(to);
        credit.untake(to, bytes);
      }
    }
  }

  private void transmit(int to, long envelope, MessageBuffer data) {
    if (data.element() == ElementType.OBJECT) {
      network.send(to, envelope, data.packed());
    } else if (data.element().isNumeric() && data.isContiguous()) {
      network.sendSlice(
          to, envelope, new Frame.Slice(data.array(), data.offset(), data.elements()));
    } else {
      network.give(to, envelope, data.packed());
    }
  }

  private static String unsendable(Throwable why) {
    return "the objects of a message cannot be sent: " + why.getMessage();
  }

  // The data of a send that has asked

  void beginsTransmitting() {
    transmitting.incrementAndGet();
  }

  void hasTransmitted() {
    transmitting.decrementAndGet();
  }

  boolean isTransmitting() {
    return transmitting.get() > 0;
  }

  /** Sends the data that a receiver waits for. */
  void transmitData(SendOperation send) {
    counts.sends(send.to());
    transmit(send.to(), Envelope.numbered(Envelope.DATA, send.id()), send.data());
  }

  /** Tells the receiver that it gets no data, as they could not be sent; returns the failure. */
  Failure dataFailed(SendOperation send, Throwable why) {
    var isObjects = send.data().element() == ElementType.OBJECT;
    if (isObjects) { // else the link has failed, and the receiver learns of that
      network.send(
          send.to(),
          Envelope.numbered(Envelope.DATA, send.id()),
          network.describe(rank)
              + " could not send the objects of this message: "
              + why.getMessage());
    }
    return isObjects
        ? new Failure(ErrorClass.TYPE, unsendable(why), why)
        : new Failure(
            ErrorClass.OTHER,
            "the data of a message to "
                + network.describe(send.to())
                + " could not be sent: "
                + why.getMessage(),
            why);
  }

  // Sending to ranks on the same node

  private MessageOperation sendNear(
      MessageEngine receiver, MatchKey key, int to, MessageBuffer data, SendMode mode) {
    var row =
        data.element() == ElementType.OBJECT ? copied(data) : null; // no user code in the lock
    if (mode == SendMode.READY) {
      var receive = receiver.deliverNear(key, null);
      if (receive == null) {
        throw MessagingError.of(notReady(to, key.tag()));
      }
      fill(receive, key, data, row);
      return MessageOperation.SENT;
    }
    if (mode == SendMode.STANDARD && data.bytes() <= EAGER_BYTES) {
      var receive =
          receiver.deliverNear(
              key,
              () -> ArrivedMessage.copied(key, data.element(), row == null ? data.packed() : row));
      if (receive != null) {
        fill(receive, key, data, row);
      }
      return MessageOperation.SENT;
    }
    var held = row == null ? data : MessageBuffer.range(data.element(), row, 0, data.elements());
    var waiting = new SendOperation(engine, key, to, numbers.incrementAndGet(), held);
    var receive = receiver.deliverNear(key, () -> ArrivedMessage.near(key, waiting));
    if (receive == null) {
      return waiting;
    }
    fill(receive, key, data, row);
    return MessageOperation.SENT;
  }

  private Failure notReady(int to, int tag) {
    return new Failure(
        ErrorClass.OTHER,
        "a ready send to "
            + network.describe(to)
            + " with tag "
            + tag
            + " found no posted receive; post the receive first, or use a standard send"
            + " (troupe.mpj.strict is set)");
  }

  private Object copied(MessageBuffer data) {
    try {
      return network.copy(data.packed());
    } catch (RuntimeException e) {
      throw MessagingError.of(ErrorClass.TYPE, unsendable(e), e);
    }
  }

  /** Copies the elements of a message into the array of a receive. */
  static void fill(
      ReceiveOperation receive, MatchKey key, MessageBuffer data, @Nullable Object copy) {
    var isRange = copy == null && data.isContiguous();
    var row = copy != null ? copy : isRange ? data.array() : data.packed();
    Failure failure;
    try {
      failure =
          receive.into().fill(data.element(), row, isRange ? data.offset() : 0, data.elements());
    } catch (Throwable unfit) { // the receiver's array, whose exception is of its dialect
      failure = new Failure(ErrorClass.TYPE, String.valueOf(unfit.getMessage()), unfit);
    }
    receive.filled(key.source(), key.tag(), data.element(), data.elements(), failure);
  }

  // What the receivers answer

  /** A receive has matched the message of a send that has asked. */
  void cleared(long number) {
    var send = asked.remove(number);
    if (send != null) {
      send.matched();
    }
  }

  /** A message that has asked has left the table of its receiver, which may give a reason. */
  void withdrawn(long number, @Nullable Object reason) {
    var send = asked.remove(number);
    if (send == null) {
      return;
    }
    if (reason == null) {
      send.end(Completion.CANCELLED);
    } else {
      send.fail(
          NOT_READY.equals(reason) ? notReady(send.to(), send.key().tag()) : MessageEngine.freed());
    }
  }

  void credited(int by, long bytes) {
    credit.returned(by, bytes);
  }

  /** Counts a consumed message; returns the bytes to be returned to its sender now, or 0. */
  long consumed(int from, long bytes) {
    return credit.consume(from, bytes);
  }

  // Ends

  /** Tries to cancel a send. */
  void cancel(SendOperation send) {
    var near = near(send);
    if (near == null) {
      if (asked.containsKey(send.id())) {
        withdraw(send);
      }
    } else if (near.withdraw(send)) {
      send.end(Completion.CANCELLED);
    }
  }

  /** Fails a send that is not matched. */
  void fail(SendOperation send, Failure why) {
    var near = near(send);
    if (near != null) {
      if (near.withdraw(send)) {
        send.fail(why);
      }
    } else if (asked.remove(send.id(), send)) {
      withdraw(send);
      send.fail(why);
    }
  }

  private @Nullable MessageEngine near(SendOperation send) {
    return send.to() == rank ? engine : network.near(send.to());
  }

  private void withdraw(SendOperation send) {
    counts.sends(send.to());
    network.send(send.to(), Envelope.numbered(Envelope.WITHDRAW, send.id()), null);
  }

  /** Fails the sends to lost ranks. */
  void failLost() {
    for (var each : List.copyOf(asked.values())) {
      var failure = engine.lossOf(each.to());
      if (failure != null && asked.remove(each.id(), each)) {
        each.fail(failure);
      }
    }
  }
}
