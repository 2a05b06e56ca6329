package org.troupe.mpj.matching;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.MemberFutexes;
import org.troupe.groups.board.MessageBoard;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;

/** The small messages of a rank that go over memory which ranks in other JVMs of its host share. */
final class BoardPackets {

  /*
   * Design: one order of two paths
   *
   * The messages of a pair of ranks go over the link or over the board, and are matched in the order sent. A message on
   * the board carries the number of those of the pair that were sent over the link before; the receiver takes it when it
   * has received as many. A message of the link needs no number: those on the board that were sent before are visible
   * when it arrives, so the receiver takes what is due on the board first. BoardMessages in groups/ does the same.
   *
   * A message goes over the board only if no other thread of the rank is sending over the link to the same rank, as the
   * count would be uncertain: a send over the link is counted at its begin and at its end. After a send that has
   * failed, the two numbers differ, and the pair uses the link only.
   *
   * Only eager messages of numbers are on the board, of at most MessageBoard.MOST_BYTES. A sender never waits for
   * space: if the queue is full, it uses the link, whose reader empties the queue.
   *
   * Design: the receiving threads
   *
   * All is taken from the board under the lock of the engine: by a thread that waits, tests or probes, and by readers of
   * links before each message. Of the threads that wait, one sleeps on the futex of the rank, on which senders wake it;
   * when its wait is over, another one takes its place.
   */
  private final MessageBoard board;
  private final int rank;
  private final int size;
  private final AtomicLongArray begunByLink;
  private final AtomicLongArray sentByLink;
  private final AtomicLongArray receivedByLink;
  private volatile boolean isOpen;
  private final AtomicReference<@Nullable RankWait> sleeper = new AtomicReference<>();

  /**
   * Begins to use a board.
   *
   * @param counts the messages of the links, counted from the first one on
   */
  BoardPackets(MessageBoard board, int rank, int size, LinkCounts counts) {
    this.board = board;
    this.rank = rank;
    this.size = size;
    this.begunByLink = counts.begun;
    this.sentByLink = counts.sent;
    this.receivedByLink = counts.received;
  }

  /** How many messages went over links, by rank; counted from the first one on. */
  static final class LinkCounts {
    private final AtomicLongArray begun;
    private final AtomicLongArray sent;
    private final AtomicLongArray received;

    LinkCounts(int size) {
      begun = new AtomicLongArray(size);
      sent = new AtomicLongArray(size);
      received = new AtomicLongArray(size);
    }

    void begins(int to) {
      begun.incrementAndGet(to);
    }

    void hasNotBegun(int to) {
      begun.decrementAndGet(to);
    }

    void hasSent(int to) {
      sent.incrementAndGet(to);
    }

    void hasReceived(int from) {
      received.incrementAndGet(from);
    }
  }

  /** Lets others send over the board. */
  void open() {
    isOpen = true;
    board.setWakeable(true);
  }

  // Sending

  /** Returns whether messages of this kind may go over the board. */
  static boolean isSuitable(MessageBuffer data) {
    return data.element().isNumeric() && data.bytes() <= MessageBoard.MOST_BYTES;
  }

  /** Sends a message; false if that is not possible now. */
  boolean send(int to, int context, int tag, MessageBuffer data) {
    if (!isOpen || !Envelope.fitsBoard(context) || !board.isWakeable(to)) {
      return false;
    }
    var content =
        data.isContiguous()
            ? MessageBuffer.memory(data.element(), data.array(), data.offset(), data.elements())
            : MessageBuffer.memory(data.element(), data.packed(), 0, data.elements());
    var envelope = Envelope.onBoard(data.element(), context, tag, data.elements());
    synchronized (this) {
      var before = sentByLink.get(to); // before the sends that have begun
      return begunByLink.get(to) == before && board.add(to, envelope, before, 0, content);
    }
  }

  // Receiving

  /** Returns whether a rank sends over the board. */
  boolean isUsedBy(int from) {
    return board.isOpen(from);
  }

  /** Returns whether any message is due. */
  boolean hasAny() {
    for (var each = 0; each < size; each++) {
      if (each != rank && isDue(each)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the next message of a rank is on the board. */
  boolean isDue(int from) {
    return board.hasMessage(from) && board.sentByLink(from) <= receivedByLink.get(from);
  }

  /** Takes the messages of the board; under the lock of the engine, which is that of the board. */
  interface Taker {

    /**
     * Returns where the elements of a message go, from the first one on; {@code null} to drop it.
     */
    @Nullable MessageBuffer place(MatchKey key, ElementType element, int length);

    /** The elements are there. */
    void taken(MatchKey key, ElementType element, int length, MessageBuffer place);
  }

  /** Takes all due messages of all ranks; under the lock of the engine. */
  void takeAll(Taker taker) {
    for (var each = 0; each < size; each++) {
      if (each != rank) {
        take(each, taker);
      }
    }
  }

  /** Takes all due messages of a rank; under the lock of the engine. */
  void take(int from, Taker taker) {
    while (isDue(from)) {
      var envelope = board.tag(from);
      var element = Envelope.elementOnBoard(envelope);
      var length = Envelope.lengthOnBoard(envelope);
      if (element == null
          || !element.isNumeric()
          || (long) length * element.bytes() > MessageBoard.MOST_BYTES) {
        board.remove(from); // the memory is damaged
        continue;
      }
      var key = Envelope.keyOnBoard(envelope, from);
      var place = taker.place(key, element, length);
      if (place != null) {
        board.read(from, MessageBuffer.memory(element, place.array(), place.offset(), length));
      }
      board.remove(from);
      if (place != null) {
        taker.taken(key, element, length, place);
      }
    }
  }

  // Sleeping

  /** Makes a wait the one whose thread sleeps on the futex; false if another one is. */
  boolean enter(RankWait wait) {
    return sleeper.get() == wait || sleeper.compareAndSet(null, wait);
  }

  /** Ends that. */
  void leave(RankWait wait) {
    sleeper.compareAndSet(wait, null);
  }

  MemberFutexes futexes() {
    return board.futexes();
  }
}
