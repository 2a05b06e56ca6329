package org.troupe.groups.board;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.troupe.activeobjects.transport.SharedSegment;

/**
 * The futexes on which the threads of a board's members sleep, one thread per member. The methods
 * without a member concern this one.
 */
public final class MemberFutexes {

  /*
   * Wake-ups
   *
   * A member that publishes something checks afterwards whether any member sleeps. Both
   * steps are sequentially consistent, so no wake-up is lost, and there is no system call while none sleeps. A
   * member that was killed while it slept costs the others one look at the futexes for each publication.
   *
   * The word of a futex has the state of one sleeper, so two threads of a member that may sleep at the same time
   * need two futexes.
   */
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  /*
   * A virtual thread must not sleep on a futex, which would keep its carrier, so it looks at the board
   * from time to time: the more seldom the longer it has waited, because many members that poll every
   * 50 us would leave no processor to those for which they wait.
   */
  private static final long LEAST_VIRTUAL_SLEEP_NANOS = 50_000;
  private static final long MOST_VIRTUAL_SLEEP_NANOS = 1_000_000;
  private static final int WAITED_PER_VIRTUAL_SLEEP = 16;

  private final SharedSegment memory;
  private final MemorySegment all;
  private final long sleepers;
  private final long inControl;
  private final BoardMembers members;

  /**
   * Creates a view of futexes.
   *
   * @param sleepers the place of the number of sleepers
   * @param inControl the place of a futex in the control block of its member
   */
  MemberFutexes(SharedSegment memory, long sleepers, long inControl, BoardMembers members) {
    this.memory = memory;
    this.all = memory.all();
    this.sleepers = sleepers;
    this.inControl = inControl;
    this.members = members;
  }

  private long place(int index) {
    return Board.controlAt(index) + inControl;
  }

  private MemorySegment futex(int index) {
    return all.asSlice(place(index), Integer.BYTES);
  }

  /** Announces that this member will sleep until further notice. */
  public void beginSleeping() {
    INT.getAndAdd(all, sleepers, 1);
  }

  /**
   * Announces that this member is about to sleep; it must check all conditions again before it
   * does.
   *
   * @return the state of the futex, for {@link #sleep}
   */
  public int arm() {
    for (; ; ) {
      var before = (int) INT.getVolatile(all, place(members.ownIndex()));
      var armed = before + 2 | 1;
      if (INT.compareAndSet(all, place(members.ownIndex()), before, armed)) {
        VarHandle.fullFence(); // the caller looks for news next, perhaps in weaker modes
        return armed;
      }
    }
  }

  /**
   * Sleeps until another member wakes this one, or {@link #wake()} is called.
   *
   * @param waitedNanos how long this member has waited already
   */
  public void sleep(int armed, long waitedNanos) {
    if (Thread.currentThread().isVirtual()) {
      LockSupport.parkNanos(
          Math.clamp(
              waitedNanos / WAITED_PER_VIRTUAL_SLEEP,
              LEAST_VIRTUAL_SLEEP_NANOS,
              MOST_VIRTUAL_SLEEP_NANOS));
    } else {
      memory.await(futex(members.ownIndex()), armed);
    }
  }

  /** Ends the state of {@link #beginSleeping}. */
  public void endSleeping() {
    INT.getAndBitwiseAnd(all, place(members.ownIndex()), ~1);
    INT.getAndAdd(all, sleepers, -1);
  }

  /** Wakes the thread of this member that is about to sleep or sleeps. */
  public void wake() {
    wake(members.ownIndex());
  }

  private void wake(int index) {
    if (((int) INT.getAndBitwiseAnd(all, place(index), ~1) & 1) != 0) {
      memory.wake(futex(index));
    }
  }

  /** Wakes a member if it sleeps, after something was published. */
  void wakeIfSleeping(int member) {
    VarHandle.fullFence();
    var index = members.index(member);
    if ((int) INT.getOpaque(all, sleepers) != 0 && isArmed(index)) {
      wake(index);
    }
  }

  /** Wakes the other members that sleep, after something was published. */
  void wakeSleepers() {
    VarHandle.fullFence();
    if ((int) INT.getOpaque(all, sleepers) == 0) {
      return;
    }
    for (var i = 0; i < members.size(); i++) {
      if (i != members.ownIndex() && isArmed(i)) {
        wake(i);
      }
    }
  }

  private boolean isArmed(int index) {
    return ((int) INT.getOpaque(all, place(index)) & 1) != 0;
  }
}
