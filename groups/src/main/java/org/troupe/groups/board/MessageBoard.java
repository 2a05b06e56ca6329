package org.troupe.groups.board;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.troupe.activeobjects.transport.SharedSegment;

/**
 * The part of a board with a queue of small messages for each ordered pair of members. A queue has
 * one sending and one receiving thread at a time.
 */
public final class MessageBoard {

  /*
   * Layout
   *
   * In the control block of each member, written by this member only:
   *
   *   STATE     whether the member uses the board, and whether its receiving thread is woken there
   *   FUTEX     the futex of that thread
   *
   * In the queue of a pair:
   *
   *   REMOVED   how many messages the receiver has removed; written by the receiver, all else by the sender
   *   entries   message number n is in entry n % ENTRIES; SEQUENCE, written last, is n
   *
   * All numbers start from 1 and only grow. The sender writes an entry again when the message before in it has been
   * removed, so a reader needs no lock. The receiver reads SEQUENCE before the rest of an entry, and the sender writes
   * it after the rest. A member that is killed at any point leaves an incomplete entry at most, without its number.
   */

  /** The number of bytes of the largest message. */
  public static final int MOST_BYTES = 992;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  // In the head
  private static final long SLEEPERS = 640;

  // In a control block
  private static final long STATE = 1408;
  private static final long FUTEX = STATE + Integer.BYTES;
  private static final int OPEN = 1;
  private static final int WAKEABLE = 2;

  // A queue
  private static final int ENTRIES = 8;
  private static final long REMOVED = 0;
  private static final int QUEUE_HEAD_BYTES = 128;

  // An entry
  private static final long SEQUENCE = 0;
  private static final long TAG = 8;
  private static final long SENT_BY_LINK = 16;
  private static final long NODE_MESSAGES = 24;
  private static final int ENTRY_HEAD_BYTES = 32;
  private static final int ENTRY_BYTES = ENTRY_HEAD_BYTES + MOST_BYTES;

  /** The size of a queue. */
  static final int QUEUE_BYTES = QUEUE_HEAD_BYTES + ENTRIES * ENTRY_BYTES;

  @SuppressWarnings("UnusedVariable") // keeps the memory, which is unmapped with the board
  private final Board board;

  private final MemorySegment all;
  private final MemberFutexes futexes;
  private final long queues;
  private final BoardMembers members;
  private final long own; // the control block of this member

  // By index; accessed by one thread at a time
  private final long[] sent;
  private final long[] removed;

  /**
   * Creates a view.
   *
   * @param queues the place of the queues
   */
  MessageBoard(Board board, SharedSegment memory, long queues, BoardMembers members) {
    this.board = board;
    this.all = memory.all();
    this.queues = queues;
    this.members = members;
    this.own = Board.controlAt(members.ownIndex());
    this.sent = new long[members.size()];
    this.removed = new long[members.size()];
    this.futexes = new MemberFutexes(memory, SLEEPERS, FUTEX, members);
    setWakeable(false);
  }

  private long control(int member) {
    return Board.controlAt(members.index(member));
  }

  /** Returns the place of a queue, by the indexes of its members. */
  private long queue(int from, int to) {
    return queues + ((long) from * members.size() + to) * QUEUE_BYTES;
  }

  private static long entry(long queue, long number) {
    return queue + QUEUE_HEAD_BYTES + number % ENTRIES * ENTRY_BYTES;
  }

  // States

  /** Announces whether the receiving thread of this member is woken when a message is added. */
  public void setWakeable(boolean isSo) {
    var state = isSo ? WAKEABLE : OPEN;
    if ((int) INT.getOpaque(all, own + STATE) != state) {
      INT.setVolatile(all, own + STATE, state);
    }
  }

  /** Returns whether a member uses the board. */
  public boolean isOpen(int member) {
    return (int) INT.getVolatile(all, control(member) + STATE) != 0;
  }

  /** Returns whether the receiving thread of a member is woken when a message is added. */
  public boolean isWakeable(int member) {
    return (int) INT.getVolatile(all, control(member) + STATE) == WAKEABLE;
  }

  /** Returns the futexes on which receiving threads sleep. */
  public MemberFutexes futexes() {
    return futexes;
  }

  // Sending

  /**
   * Adds a message and wakes its receiver.
   *
   * @param sentByLink how many messages to this member were sent over the link before
   * @param nodeMessages how many messages were sent to its node before
   * @return whether there was space for it
   */
  public boolean add(int to, long tag, long sentByLink, long nodeMessages, MemorySegment content) {
    var index = members.index(to);
    var queue = queue(members.ownIndex(), index);
    var number = sent[index] + 1;
    if (number - (long) LONG.getAcquire(all, queue + REMOVED) > ENTRIES) {
      return false;
    }
    var at = entry(queue, number);
    MemorySegment.copy(content, 0, all, at + ENTRY_HEAD_BYTES, content.byteSize());
    LONG.setOpaque(all, at + TAG, tag);
    LONG.setOpaque(all, at + SENT_BY_LINK, sentByLink);
    LONG.setOpaque(all, at + NODE_MESSAGES, nodeMessages);
    LONG.setRelease(all, at + SEQUENCE, number);
    sent[index] = number;
    futexes.wakeIfSleeping(to);
    return true;
  }

  // Receiving

  private long first(int from) {
    var index = members.index(from);
    return entry(queue(index, members.ownIndex()), removed[index] + 1);
  }

  /** Returns whether there is a message of a member, to which the other methods refer. */
  public boolean hasMessage(int from) {
    return (long) LONG.getAcquire(all, first(from) + SEQUENCE) == removed[members.index(from)] + 1;
  }

  /** Returns the tag of a member's first message. */
  public long tag(int from) {
    return (long) LONG.getOpaque(all, first(from) + TAG);
  }

  /** Returns how many messages to this member were sent over the link before the first one. */
  public long sentByLink(int from) {
    return (long) LONG.getOpaque(all, first(from) + SENT_BY_LINK);
  }

  /** Returns how many messages were sent to this member's node before the first one. */
  public long nodeMessages(int from) {
    return (long) LONG.getOpaque(all, first(from) + NODE_MESSAGES);
  }

  /** Copies the content of a member's first message. */
  public void read(int from, MemorySegment into) {
    MemorySegment.copy(all, first(from) + ENTRY_HEAD_BYTES, into, 0, into.byteSize());
  }

  /** Removes a member's first message. */
  public void remove(int from) {
    var index = members.index(from);
    LONG.setRelease(all, queue(index, members.ownIndex()) + REMOVED, ++removed[index]);
  }
}
