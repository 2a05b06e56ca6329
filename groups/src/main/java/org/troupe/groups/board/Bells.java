package org.troupe.groups.board;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.troupe.activeobjects.transport.SharedSegment;

/** The bells of a board's members, on which their threads sleep; one thread per member. */
final class Bells {

  /*
   * Wake-ups
   *
   * A bell is a futex. A member that publishes something checks afterwards whether any member sleeps. Both
   * steps are sequentially consistent, so no wake-up is lost, and there is no system call while none sleeps. A
   * member that was killed while it slept costs the others one glance at the bells for each publication.
   *
   * A word of a bell has the state of one sleeper, so two threads of a member that may sleep at the same time
   * need two bells.
   */
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  /*
   * A virtual thread must not sleep on a bell, which would keep its carrier, so it looks at the board
   * from time to time: the more seldom the longer it has waited, because many members that poll every
   * 50 us would leave no processor to those for which they wait.
   */
  private static final long LEAST_VIRTUAL_SLEEP_NANOS = 50_000;
  private static final long MOST_VIRTUAL_SLEEP_NANOS = 1_000_000;
  private static final int WAITED_PER_VIRTUAL_SLEEP = 16;

  private final SharedSegment memory;
  private final MemorySegment all;
  private final long sleepers;
  private final long first;
  private final long stride;
  private final int rank;
  private final int size;

  /**
   * Creates a view of bells.
   *
   * @param sleepers the place of the number of sleepers
   * @param first the place of the bell of member 0
   * @param stride the distance of two bells
   */
  Bells(SharedSegment memory, long sleepers, long first, long stride, int rank, int size) {
    this.memory = memory;
    this.all = memory.all();
    this.sleepers = sleepers;
    this.first = first;
    this.stride = stride;
    this.rank = rank;
    this.size = size;
  }

  private long place(int member) {
    return first + member * stride;
  }

  private MemorySegment bell(int member) {
    return all.asSlice(place(member), Integer.BYTES);
  }

  /** Announces that this member will sleep until further notice. */
  void beginSleeping() {
    INT.getAndAdd(all, sleepers, 1);
  }

  /**
   * Announces that this member is about to sleep; it must check all conditions again before it
   * does.
   *
   * @return the state of the bell, for {@link #sleep}
   */
  int raise() {
    for (; ; ) {
      var before = (int) INT.getVolatile(all, place(rank));
      var raised = before + 2 | 1;
      if (INT.compareAndSet(all, place(rank), before, raised)) {
        return raised;
      }
    }
  }

  /**
   * Sleeps until the bell rings.
   *
   * @param waitedNanos how long this member has waited already
   */
  void sleep(int raised, long waitedNanos) {
    if (Thread.currentThread().isVirtual()) {
      LockSupport.parkNanos(
          Math.clamp(
              waitedNanos / WAITED_PER_VIRTUAL_SLEEP,
              LEAST_VIRTUAL_SLEEP_NANOS,
              MOST_VIRTUAL_SLEEP_NANOS));
    } else {
      memory.await(bell(rank), raised);
    }
  }

  /** Ends the state of {@link #beginSleeping}. */
  void endSleeping() {
    INT.getAndBitwiseAnd(all, place(rank), ~1);
    INT.getAndAdd(all, sleepers, -1);
  }

  /** Wakes a member that is about to sleep or sleeps. */
  void wake(int member) {
    if (((int) INT.getAndBitwiseAnd(all, place(member), ~1) & 1) != 0) {
      memory.wake(bell(member));
    }
  }

  /** Wakes a member if it sleeps, after something was published. */
  void ring(int member) {
    VarHandle.fullFence();
    if ((int) INT.getOpaque(all, sleepers) != 0 && isRaised(member)) {
      wake(member);
    }
  }

  /** Wakes the other members that sleep, after something was published. */
  void ringAll() {
    VarHandle.fullFence();
    if ((int) INT.getOpaque(all, sleepers) == 0) {
      return;
    }
    for (var each = 0; each < size; each++) {
      if (each != rank && isRaised(each)) {
        wake(each);
      }
    }
  }

  private boolean isRaised(int member) {
    return ((int) INT.getOpaque(all, place(member)) & 1) != 0;
  }
}
