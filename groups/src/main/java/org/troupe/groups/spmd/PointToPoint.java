package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Slice;
import org.troupe.groups.board.MemberFutexes;
import org.troupe.groups.spmd.Mailbox.Message;

/** Point-to-point messages between members, separate from collective operations. */
final class PointToPoint {

  /*
   * Order of receive buffers
   *
   * A buffer is posted only while the mailbox has no message of the sender. When a receive whose message
   * had arrived, but was not decoded yet, still posted its array, the next message filled it: the program
   * "water" gave a wrong answer in one of three runs with many rounds (44a32cc, 2026-11-22), but never in
   * runs of three rounds.
   */

  /** The position in a tag of the type of numbers, above the length; the tag of an object is 0. */
  private static final int ELEMENT_SHIFT = 32;

  private final Communicator communicator;
  private final Mailbox mailbox;
  private final BoardMessages onBoard;
  private @Nullable Receipt openReceipt; // guarded by this
  private volatile @Nullable Counts counts; // null before the first message

  /** How many messages were sent to each member, and taken from it. */
  private record Counts(AtomicLongArray sent, AtomicLongArray taken) {}

  PointToPoint(Communicator communicator) {
    this.communicator = communicator;
    mailbox = new Mailbox(communicator.size());
    onBoard = new BoardMessages(communicator, mailbox);
  }

  private Counts counts() {
    var known = counts;
    return known == null ? makeCounts() : known;
  }

  private synchronized Counts makeCounts() {
    var known = counts;
    if (known == null) {
      var size = communicator.size();
      known = new Counts(new AtomicLongArray(size), new AtomicLongArray(size));
      counts = known;
    }
    return known;
  }

  /** Returns the number of messages that were sent to a member. */
  long sent(int to) {
    var known = counts;
    return known == null ? 0 : known.sent.get(to);
  }

  /** Returns the number of messages that were taken from a member. */
  long taken(int from) {
    var known = counts;
    return known == null ? 0 : known.taken.get(from);
  }

  // Sending

  void send(int to, @Nullable Object value) {
    checkNotLost(to);
    var copy = CollectiveOperation.copyOf(value);
    onBoard.sendByLink(to, () -> communicator.send(to, Communicator.POINT_TO_POINT, 0, copy));
    counts().sent.incrementAndGet(to);
  }

  void send(int to, Slice<?> slice) {
    checkNotLost(to);
    var tag = tag(slice);
    if (!onBoard.send(to, tag, slice)) {
      onBoard.sendByLink(
          to, () -> communicator.sendZeroCopy(to, Communicator.POINT_TO_POINT, tag, slice));
    }
    counts().sent.incrementAndGet(to);
  }

  private void sendWithin(int to, Slice<?> slice, @Nullable Duration limit) {
    if (limit != null
        && SliceArrays.bytes(slice) > CollectiveOperation.MOST_ZERO_COPY_WITHIN_LIMIT) {
      checkNotLost(to);
      var copy = SliceArrays.copyOf(slice);
      onBoard.sendByLink(
          to, () -> communicator.transfer(to, Communicator.POINT_TO_POINT, tag(slice), copy));
      counts().sent.incrementAndGet(to);
    } else {
      send(to, slice);
    }
  }

  private void checkNotLost(int to) {
    if (communicator.isLost(to)) {
      throw communicator.lost(to, "a send to it");
    }
  }

  static long tag(Slice<?> slice) {
    return (long) CollectiveOperation.ELEMENTS.indexOf(slice.element()) << ELEMENT_SHIFT
        | slice.length();
  }

  // Receiving

  void received(int from, long tag, Packet packet) {
    mailbox.put(from, new Message(from, tag, packet));
  }

  /** Wakes the waiting thread after the loss of a member. */
  void wake() {
    mailbox.wake();
  }

  /** Returns the rank from which this member waits to receive, or -1. */
  synchronized int awaited() {
    return openReceipt == null ? -1 : openReceipt.from;
  }

  @Nullable Object receive(int from, @Nullable Duration limit) {
    try (var receipt = new Receipt(from, null, limit)) {
      return receipt.await().packet().value();
    }
  }

  void receive(int from, Slice<?> into, @Nullable Duration limit) {
    try (var receipt = new Receipt(from, into, limit)) {
      receipt.await().fill(into, array -> {}); // the tag has the length
    }
  }

  void exchange(int to, Slice<?> slice, int from, Slice<?> into, @Nullable Duration limit) {
    Objects.requireNonNull(
        slice, "an exchange sends a slice, not null; send an object with send(..)");
    Objects.requireNonNull(into, "an exchange fills a slice, not null; see receive(..)");
    if (slice.overlaps(into)) {
      sendWithin(to, slice, limit);
      receive(from, into, limit);
      return;
    }
    try (var receipt = new Receipt(from, into, limit)) {
      receipt.await(into, () -> sendWithin(to, slice, limit)).fill(into, array -> {});
    }
  }

  /** Returns the receive that waits; {@code null} if none does. */
  Mailbox.@Nullable OpenWait openWait() {
    return mailbox.openWait();
  }

  /** Returns the receive buffer for the numbers of the next message, if a thread has posted one. */
  @Nullable ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
    return mailbox.acquireBuffer(from, tag, element, length);
  }

  private static String describe(long tag) {
    return tag == 0
        ? "an object"
        : "a slice of "
            + (int) tag
            + " "
            + CollectiveOperation.nameAt(CollectiveOperation.ELEMENTS, tag >>> ELEMENT_SHIFT)
            + "s";
  }

  /** A wait for the next message of one member. */
  private final class Receipt implements Mailbox.Wait, AutoCloseable {

    private final int from;
    private final @Nullable Slice<?> into;
    private final long tag;
    private final @Nullable Duration limit;
    private final @Nullable Long deadline;
    private final boolean isSmall;
    private final boolean hasBoard;

    Receipt(int from, @Nullable Slice<?> into, @Nullable Duration limit) {
      this.from = from;
      this.into = into;
      this.tag = into == null ? 0 : tag(into);
      this.limit = limit;
      this.deadline = limit == null ? null : (Long) (System.nanoTime() + limit.toNanos());
      synchronized (PointToPoint.this) {
        if (openReceipt != null) {
          throw new IllegalStateException(
              communicator.describe(communicator.rank())
                  + " is in "
                  + openReceipt.describe()
                  + " already, on another thread; a member receives one message after the other");
        }
        openReceipt = this;
      }
      this.isSmall = into != null && BoardMessages.isSmall(into);
      try {
        this.hasBoard = onBoard.begin(from);
      } catch (RuntimeException | Error failure) {
        close();
        throw failure;
      }
    }

    Message await() {
      if (mayBeOnBoard()) {
        onBoard.awaitShortly(from);
      }
      return checked(
          into == null || mayBeOnBoard()
              ? mailbox.take(from, this)
              : mailbox.take(from, tag, into, this));
    }

    /**
     * Returns whether the expected message may come over the board, so that no buffer is posted.
     */
    private boolean mayBeOnBoard() {
      return hasBoard && isSmall;
    }

    /**
     * Runs an action while the slice is already posted as receive buffer, and waits for its
     * message.
     */
    Message await(Slice<?> slice, Runnable meanwhile) {
      if (mayBeOnBoard()) {
        meanwhile.run();
        return await();
      }
      return checked(mailbox.take(from, tag, slice, this, meanwhile));
    }

    private Message checked(Message message) {
      counts().taken.incrementAndGet(from);
      if (message.tag() != tag) {
        throw new CollectiveException(
            communicator.describe(from)
                + " sent "
                + PointToPoint.describe(message.tag())
                + " where "
                + communicator.describe(communicator.rank())
                + " receives "
                + PointToPoint.describe(tag)
                + "; both members must give an object, or slices of the same type and length, to send(..),"
                + " receive(..) or exchange(..)");
      }
      return message;
    }

    @Override
    public void check() {
      if (hasBoard && onBoard.isNext(from)) {
        onBoard.futexes().wake(); // this thread, which is about to sleep
      } else if (!mailbox.hasMessage(from)) {
        communicator.checkLost(this::describe); // messages sent before a loss are still received
      }
    }

    @Override
    public @Nullable MemberFutexes futexes() {
      return hasBoard ? onBoard.futexes() : null;
    }

    @Override
    public @Nullable Message takeFromBoard(boolean hasMessage) {
      return hasBoard ? onBoard.take(from, tag, into, hasMessage) : null;
    }

    @Override
    public void takenFromLink() {
      onBoard.receivedByLink(from);
    }

    @Override
    public boolean isOnBoard() {
      return hasBoard && onBoard.precedesLink(from);
    }

    @Override
    public boolean isOverLink() {
      return !mayBeOnBoard() || !onBoard.isUsedBy(from);
    }

    @Override
    public void reportDelay(List<Integer> missing, long waitedNanos) {
      if (waitedNanos >= WaitPatience.nanos()) {
        communicator.warn("a receive or an exchange", missing, "does it send?", waitedNanos, limit);
      }
      communicator.probe(from, 0);
    }

    @Override
    public @Nullable Long deadline() {
      return deadline;
    }

    @Override
    public RuntimeException timedOut(List<Integer> missing) {
      return new CollectiveException(
          communicator.describe(communicator.rank())
              + " waited "
              + CollectiveOperation.seconds(limit)
              + " s to receive a message from "
              + communicator.describeWithPositions(missing));
    }

    @Override
    public String describe() {
      return "receive from member " + from;
    }

    @Override
    public void close() {
      synchronized (PointToPoint.this) {
        openReceipt = null;
      }
    }
  }
}
