package org.troupe.groups.board;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.troupe.activeobjects.transport.SharedSegment;

/** The part of a board on which the members of a group announce that they have reached barriers. */
public final class BarrierBoard {

  /*
   * Layout
   *
   * In the control block of each member, written by this member only:
   *
   *   REACHED   the number of the last barrier that the member has reached; 0 if it does not use the board
   *   MESSAGES  for each other member, the number of messages that had been sent to its node before
   *   WATCHING  whether a thread of the member watches the board
   *   FUTEX     the futex of that thread
   *   CONFIRMED for each other member, the last barrier whose announcement this member has taken
   *
   * All numbers only grow. MESSAGES is written before REACHED and read after it, so a reader sees the count of the
   * barrier that it has read or of a later one.
   */
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  // In the head
  private static final long SLEEPERS = 512;

  // In a control block; those that are read together are neighbours
  private static final long REACHED = 512;
  private static final long MESSAGES = REACHED + Long.BYTES;
  private static final long WATCHING = 896;
  private static final long FUTEX = WATCHING + Integer.BYTES;
  private static final long CONFIRMED = 1024;

  @SuppressWarnings("UnusedVariable") // keeps the memory, which is unmapped with the board
  private final Board board;

  private final MemorySegment all;
  private final MemberFutexes futexes;
  private final BoardMembers members;
  private final long own; // the control block of this member

  BarrierBoard(Board board, SharedSegment memory, BoardMembers members) {
    this.board = board;
    this.all = memory.all();
    this.members = members;
    this.own = Board.controlAt(members.ownIndex());
    this.futexes = new MemberFutexes(memory, SLEEPERS, FUTEX, members);
  }

  private long control(int member) {
    return Board.controlAt(members.index(member));
  }

  private static long at(int index, long vector) {
    return vector + (long) index * Long.BYTES;
  }

  // Announcements

  /** Prepares the announcement of a barrier: sets how many messages precede it. */
  public void setMessages(int to, long count) {
    LONG.setOpaque(all, own + at(members.index(to), MESSAGES), count);
  }

  /** Announces that this member has reached a barrier, and all before it. */
  public void reach(long number) {
    LONG.setVolatile(all, own + REACHED, number);
  }

  /** Returns the last barrier that a member has reached; 0 if it does not use the board. */
  public long reached(int member) {
    return (long) LONG.getVolatile(all, control(member) + REACHED);
  }

  /** Returns how many messages of a member's node precede the barrier that it has reached. */
  public long messages(int from) {
    return (long) LONG.getOpaque(all, control(from) + at(members.ownIndex(), MESSAGES));
  }

  /** Confirms that this member has taken the announcement of a barrier, and all before it. */
  public void confirm(int from, long number) {
    LONG.setRelease(all, own + at(members.index(from), CONFIRMED), number);
  }

  /** Returns the last barrier whose announcement by this member another one has taken. */
  public long confirmed(int by) {
    return (long) LONG.getAcquire(all, control(by) + at(members.ownIndex(), CONFIRMED));
  }

  // Watching

  /** Announces whether a thread of this member watches the board. */
  public void setWatching(boolean isSo) {
    INT.setVolatile(all, own + WATCHING, isSo ? 1 : 0);
  }

  /** Returns whether a thread of a member watches the board. */
  public boolean isWatching(int member) {
    return (int) INT.getVolatile(all, control(member) + WATCHING) != 0;
  }

  /** Wakes the watching thread of a member if it sleeps, after something was announced. */
  public void wake(int member) {
    futexes.wakeIfSleeping(member);
  }

  /** Returns the futexes on which the watching threads sleep. */
  public MemberFutexes futexes() {
    return futexes;
  }
}
