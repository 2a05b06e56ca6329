package org.troupe.groups.board;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.SharedSegment;

/** One member's view of the memory that the members of a group on one host share. */
public final class Board {

  /*
   * Layout
   *
   * A head of one page; for each member a control block; for each member some slots and an area; for each ordered
   * pair of members a queue. A word
   * is written by one member only, except for the head and the futexes, and holds a sequence number that
   * only grows. A member that fails in an operation just publishes less, and goes on with the next
   * operation: no word has to be reset, so one failure never spoils later operations.
   *
   * Slots
   *
   * A small value goes through slot number % SLOTS of its owner. The owner uses a slot again when all
   * members have ended the operation that used it before.
   *
   * Areas
   *
   * A large value goes in pieces through the area of its owner, after all members have begun the
   * operation. So all have ended the previous one, and no reader of an older value is left.
   *
   * Start
   *
   * Members map the memory at different times, and those that only contribute to an operation may be
   * ahead of others. A member joins when its position is on the board. When all have joined, the first
   * member proposes the number from which on the board is used, checks that no member has begun that
   * operation, and commits the number, or tries a higher one. A member that begins an operation
   * announces it before it reads the proposal, and waits for the commitment if the operation is not
   * below the proposal. Thus all members use the board from the same operation on.
   *
   * Waiting
   *
   * A thread that waits yields some times, and then sleeps on the futex of its member (MemberFutexes).
   *
   * Barriers and messages
   *
   * The other users of the memory are the barriers (BarrierBoard) and point-to-point messages (MessageBoard), which
   * need no common start.
   *
   * Life time
   *
   * The memory has no name and ends with the last process that maps it. A JVM unmaps it when the
   * garbage collector finds the communicator unused; it maps at most MOST_BYTES at a time. A group
   * beyond this limit exchanges messages, and the heap is collected for later groups, because the
   * collector does not know of the memory and might not run for a long time.
   */

  /** The largest number of members that share a board. */
  public static final int MOST_MEMBERS = 32;

  /** The number of bytes of the largest value that fits into a slot. */
  public static final int SLOT_BYTES = 16 << 10;

  /** The size of each half of an area. */
  public static final int HALF_BYTES = 512 << 10;

  private static final int SLOTS = 4;
  private static final int HEAD_BYTES = 4096;
  private static final int SLOT_HEAD_BYTES = 64;
  static final int CONTROL_BYTES = 2048;
  private static final int SLOT_STRIDE = SLOT_HEAD_BYTES + SLOT_BYTES;
  private static final int AREA_BYTES = 2 * HALF_BYTES;

  // The head, behind the bytes of the transport
  private static final long PROPOSED = 128;
  private static final long COMMITTED = 256;
  private static final long SLEEPERS = 384;
  // From 512 on: BarrierBoard, MessageBoard

  // A control block; pairs of cache lines, as processors prefetch the neighbour of a line
  private static final long POSITION = 0;
  private static final long TAG = 8;
  private static final long JOINED = 16;
  private static final long FUTEX = 128;
  private static final long PUBLISHED = 256;
  private static final long TAKEN = 384;
  // From 512 on: BarrierBoard, MessageBoard

  // A slot
  private static final long SEQUENCE = 0;
  private static final long SLOT_TAG = 8;
  private static final long LENGTH = 16;

  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

  private static final int PIECE_BITS = 24;

  /** The most memory that a JVM maps for boards, which adds to its heap. */
  static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

  private static final AtomicLong MAPPED_BYTES = new AtomicLong();

  /** Whether the heap was collected since the last board was opened, so that room was made. */
  private static final AtomicBoolean COLLECTED = new AtomicBoolean();

  private static final Cleaner CLEANER = Cleaner.create();

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int SPINS = PROCESSORS == 1 ? 1 : 100;
  private static final int LOOKS_BETWEEN_CLOCKS = 8;

  /** About the time of ten wake-ups; a longer wait loses little by sleeping. */
  private static final long MOST_YIELDING_NANOS = 50_000;

  private final SharedSegment memory;
  private final MemorySegment all;
  private final MemberFutexes futexes;
  private final BoardMembers members;
  private final long own; // the control block of this member
  private final long[] slotUses = new long[SLOTS]; // the last operation of each own slot
  private long knownEnded; // all members have ended this operation
  private long start; // the first operation over the board; 0 while unknown

  private Board(SharedSegment memory, BoardMembers members) {
    this.memory = memory;
    this.all = memory.all();
    this.members = members;
    this.own = controlAt(members.ownIndex());
    this.futexes = new MemberFutexes(memory, SLEEPERS, FUTEX, members);
    var bytes = bytes(members.size());
    var offer = members.ownIndex() == 0 ? memory : null; // does not refer to this
    CLEANER.register(
        this,
        () -> {
          MAPPED_BYTES.addAndGet(-bytes);
          if (offer != null) {
            offer.close();
          }
        });
  }

  /** A source of memory. */
  public interface Source {
    @Nullable SharedSegment memory(long bytes);
  }

  /** Opens a board in new or existing memory; {@code null} if there is none. */
  public static @Nullable Board open(Source source, BoardMembers members) {
    var bytes = bytes(members.size());
    Board opened = null;
    try {
      if (MAPPED_BYTES.addAndGet(bytes) <= MOST_BYTES) {
        var memory = source.memory(bytes);
        opened = memory == null ? null : new Board(memory, members);
      } else if (COLLECTED.compareAndSet(false, true)) {
        Thread.ofPlatform().daemon().name("collection of unused boards").start(System::gc);
      }
    } finally {
      if (opened == null) {
        MAPPED_BYTES.addAndGet(-bytes);
      } else {
        COLLECTED.set(false);
      }
    }
    return opened;
  }

  private static long bytes(int size) {
    return queues(size) + (long) size * size * MessageBoard.QUEUE_BYTES;
  }

  private static long queues(int size) {
    return HEAD_BYTES + size * ((long) CONTROL_BYTES + SLOTS * SLOT_STRIDE + AREA_BYTES);
  }

  /** Returns the members that share the board; the other methods take their ranks. */
  public BoardMembers members() {
    return members;
  }

  /** Returns the data by which the other members open the memory. */
  public byte[] details() {
    return memory.details();
  }

  /** Ends the offer to other members. Idempotent; on any thread. */
  public void closeToOthers() {
    memory.close();
  }

  /** Returns the view of the barriers, which keeps the memory. */
  public BarrierBoard barriers() {
    return new BarrierBoard(this, memory, members);
  }

  /** Returns the view of the point-to-point messages, which keeps the memory. */
  public MessageBoard messages() {
    return new MessageBoard(this, memory, queues(members.size()), members);
  }

  /** Returns the place of the control block of the member with an index. */
  static long controlAt(int index) {
    return HEAD_BYTES + (long) index * CONTROL_BYTES;
  }

  private long control(int member) {
    return controlAt(members.index(member));
  }

  private long slot(int member, long number) {
    return HEAD_BYTES
        + (long) members.size() * CONTROL_BYTES
        + ((long) members.index(member) * SLOTS + number % SLOTS) * SLOT_STRIDE;
  }

  private long area(int member) {
    return HEAD_BYTES
        + (long) members.size() * (CONTROL_BYTES + SLOTS * SLOT_STRIDE)
        + (long) members.index(member) * AREA_BYTES;
  }

  // Operations

  /**
   * Announces that this member begins an operation.
   *
   * @param check throws if the wait for the decision cannot end
   * @return whether the operation goes over the board
   */
  public boolean begin(long number, long tag, Runnable check) {
    LONG.setOpaque(all, own + TAG, tag);
    LONG.setVolatile(all, own + POSITION, 2 * number + 1);
    if (start != 0) {
      futexes.wakeSleepers();
    } else {
      // After the position, which the first member reads next.
      INT.setVolatile(all, own + JOINED, 1);
      propose();
      var proposed = (long) LONG.getVolatile(all, PROPOSED);
      if (proposed != 0 && number >= proposed) {
        while ((long) LONG.getVolatile(all, COMMITTED) == 0) {
          check.run();
          Thread.yield();
        }
      }
      start = (long) LONG.getVolatile(all, COMMITTED);
    }
    return start != 0 && number >= start;
  }

  private void propose() {
    if (members.ownIndex() != 0 || !haveAllJoined()) {
      return;
    }
    var proposed = 0L;
    for (var newest = newest(); proposed <= newest; newest = newest()) {
      proposed = newest + 2;
      LONG.setVolatile(all, PROPOSED, proposed);
    }
    LONG.setVolatile(all, COMMITTED, proposed);
  }

  /** Returns the highest number of an operation that any member has begun. */
  private long newest() {
    var newest = 0L;
    for (var i = 0; i < members.size(); i++) {
      newest = Math.max(newest, (positionAt(i) - 1) / 2);
    }
    return newest;
  }

  private boolean haveAllJoined() {
    for (var i = 0; i < members.size(); i++) {
      if ((int) INT.getVolatile(all, controlAt(i) + JOINED) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Announces that this member has ended an operation, successfully or not. */
  public void end(long number) {
    LONG.setRelease(all, own + POSITION, 2 * number + 2);
    if (start != 0) {
      futexes.wakeSleepers();
    }
  }

  private long position(int member) {
    return positionAt(members.index(member));
  }

  private long positionAt(int index) {
    return (long) LONG.getVolatile(all, controlAt(index) + POSITION);
  }

  /** Returns the tag of the operation that a member is in, if it has this number; else 0. */
  public long tagOf(int member, long number) {
    var position = position(member);
    var tag = (long) LONG.getAcquire(all, control(member) + TAG);
    return position == 2 * number + 1 && position(member) == position ? tag : 0;
  }

  /** Returns whether a member has begun an operation. */
  public boolean hasBegun(int member, long number) {
    return position(member) > 2 * number;
  }

  /** Returns whether all members have begun an operation. */
  public boolean haveAllBegun(long number) {
    for (var i = 0; i < members.size(); i++) {
      if (positionAt(i) <= 2 * number) {
        return false;
      }
    }
    return true;
  }

  private boolean haveAllEnded(long number) {
    if (knownEnded >= number) {
      return true;
    }
    var least = Long.MAX_VALUE;
    for (var i = 0; i < members.size(); i++) {
      // A member that is in an operation has ended the one before.
      least = Math.min(least, (positionAt(i) - 1) / 2 - (positionAt(i) & 1));
    }
    knownEnded = least;
    return least >= number;
  }

  // Slots

  /** Returns whether this member's slot for an operation is free. */
  public boolean isSlotFree(long number) {
    return haveAllEnded(slotUses[(int) (number % SLOTS)]);
  }

  /** Returns the content of a member's slot. */
  public MemorySegment content(int member, long number) {
    return all.asSlice(slot(member, number) + SLOT_HEAD_BYTES, SLOT_BYTES);
  }

  /**
   * Publishes the content of this member's slot, which was free.
   *
   * @param length a number for the readers
   */
  public void publishSlot(long number, long tag, long length) {
    var at = slot(members.own(), number);
    slotUses[(int) (number % SLOTS)] = number;
    LONG.setOpaque(all, at + SLOT_TAG, tag);
    LONG.setOpaque(all, at + LENGTH, length);
    LONG.setRelease(all, at + SEQUENCE, number);
    futexes.wakeSleepers();
  }

  /** Returns whether a member has published its slot in an operation. */
  public boolean hasSlot(int member, long number) {
    return (long) LONG.getAcquire(all, slot(member, number) + SEQUENCE) == number;
  }

  /** Returns the tag of a published slot. */
  public long slotTag(int member, long number) {
    return (long) LONG.getOpaque(all, slot(member, number) + SLOT_TAG);
  }

  /** Returns the number that was published with a slot. */
  public long slotLength(int member, long number) {
    return (long) LONG.getOpaque(all, slot(member, number) + LENGTH);
  }

  // Areas

  /** Returns a half of a member's area. */
  public MemorySegment half(int member, int index) {
    return all.asSlice(area(member) + (long) (index & 1) * HALF_BYTES, HALF_BYTES);
  }

  /** Returns a member's area. */
  public MemorySegment wholeArea(int member) {
    return all.asSlice(area(member), AREA_BYTES);
  }

  /** Publishes that this member has done some steps of an operation. */
  public void publish(long number, int steps) {
    LONG.setRelease(all, own + PUBLISHED, number << PIECE_BITS | steps);
    futexes.wakeSleepers();
  }

  /** Returns the steps of an operation that a member has published. */
  public int published(int member, long number) {
    return steps(member, PUBLISHED, number);
  }

  /** Publishes that this member has taken some pieces of another one. */
  public void take(long number, int pieces) {
    LONG.setRelease(all, own + TAKEN, number << PIECE_BITS | pieces);
    futexes.wakeSleepers();
  }

  /** Returns the pieces that a member has taken in an operation. */
  public int taken(int member, long number) {
    return steps(member, TAKEN, number);
  }

  private int steps(int member, long word, long number) {
    var seen = (long) LONG.getAcquire(all, control(member) + word);
    return seen >>> PIECE_BITS == number ? (int) (seen & (1L << PIECE_BITS) - 1) : 0;
  }

  // Waiting

  /** Waits a short time, without sleeping, for a condition; returns whether it holds. */
  public static boolean awaitShortly(BooleanSupplier condition) {
    if (condition.getAsBoolean()) {
      return true;
    }
    for (var i = 1; i < SPINS; i++) {
      Thread.onSpinWait();
      if (condition.getAsBoolean()) {
        return true;
      }
    }
    if (yieldUntil(condition)) { // on one processor the first yield is often enough
      return true;
    }
    var began = System.nanoTime();
    do {
      if (yieldUntil(condition)) {
        return true;
      }
    } while (System.nanoTime() - began < MOST_YIELDING_NANOS);
    return false;
  }

  /** Yields some times, until a condition holds; returns whether it does. */
  private static boolean yieldUntil(BooleanSupplier condition) {
    for (var i = 0; i < LOOKS_BETWEEN_CLOCKS; i++) {
      Thread.yield();
      if (condition.getAsBoolean()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the futexes on which members sleep until another one publishes a number. */
  public MemberFutexes futexes() {
    return futexes;
  }
}
