package org.troupe.groups.spmd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.Slice;
import org.troupe.groups.board.MemberFutexes;

/** Packets received from other members, and the one thread that waits for them. */
final class Mailbox {

  /*
   * Matching
   *
   * Packets of one member arrive in the order sent, and all members run the same collective
   * operations in the same order. So the next message of a member is always the expected one; its
   * tag, which names the sender's operation, only serves to detect a mismatch. Threads that read
   * connections add messages and wake the one waiting thread.
   *
   * Receive buffers
   *
   * A thread that waits for a slice posts its array as a receive buffer for the thread that reads the
   * link, so the receiver copies the numbers once. The buffer is for the awaited message only, which
   * is the next to arrive, as the mailbox has none of that member. No wait ends while a thread fills
   * the array, because a frame that was retransmitted after a broken connection may arrive over two
   * links at once.
   *
   * Parking
   *
   * The waiting thread parks without a timeout. For a virtual thread that parks with one, another
   * thread schedules and cancels a timer, which took longer than exchanging a number with another
   * JVM. A timer of the mailbox wakes it from time to time instead.
   */
  private final int size;
  // Guarded by this, like all fields below except volatile ones
  private @Nullable Deque<Message> @Nullable [] messages; // by rank; null before the first
  private final Deque<Message> agreements = new ArrayDeque<>();
  private final List<Message> aborts = new ArrayList<>();
  private @Nullable Thread waiter;
  private @Nullable Wait openWait; // of the waiter
  private @Nullable Supplier<List<Integer>> openMissing; // of the waiter
  private volatile long openNanos; // when the waiter began to sleep; 0 before
  private volatile boolean hasNews; // for the waiter
  private int awaitedRank; // the rank that the waiter waits for, or ANY
  private volatile @Nullable MemberFutexes sleptOn; // by the waiter, if it sleeps on a board
  private @Nullable PostedBuffer posted; // by the waiter
  private @Nullable Long nextWakeUp; // of the waiter by the timer, as System.nanoTime

  private static final int ANY = -1;
  private static final int NONE = -2;

  /** A packet from another member. */
  record Message(int from, long tag, Packet packet) {

    /**
     * Fills a slice with the numbers of this message, unless they were received there directly.
     *
     * @param check throws if an array has another length
     */
    void fill(Slice<?> slice, Consumer<Object> check) {
      if (packet.isIn(slice.array())) {
        return;
      }
      var array = Objects.requireNonNull(packet.value(), "a slice is received as an array");
      check.accept(array);
      SliceArrays.fill(slice, array);
      if (packet.isOwn()) {
        ArrayPool.put(array);
      }
    }
  }

  /** A slice posted as receive buffer. */
  private static final class PostedBuffer {
    private final int from;
    private final long tag;
    private final Slice<?> into;
    private final Wait wait;

    // Guarded by the mailbox
    private boolean wasAcquired;
    private boolean isAcquired; // and not released
    private boolean hasMessage; // of the sender; the buffer is for the first one

    PostedBuffer(int from, long tag, Slice<?> into, Wait wait) {
      this.from = from;
      this.tag = tag;
      this.into = into;
      this.wait = wait;
    }
  }

  /** The conditions other than a message under which a wait ends. */
  interface Wait {

    /** Throws if the message cannot arrive any more. Called without locks. */
    void check();

    /** Returns the operation that waits, in words. May be called by any thread. */
    String describe();

    /** Reports that no message has arrived for some time. */
    void reportDelay(List<Integer> missing, long waitedNanos);

    /** Returns the end of the wait as {@link System#nanoTime}, or {@code null}. */
    @Nullable Long deadline();

    /** Returns the failure of a wait that has reached its deadline. */
    RuntimeException timedOut(List<Integer> missing);

    /**
     * Returns the futexes on which the waiting thread sleeps, so that members can wake it there.
     */
    default @Nullable MemberFutexes futexes() {
      return null;
    }

    /**
     * Takes the awaited message from a board if it precedes those of the mailbox. Called under the
     * lock.
     *
     * @param hasMessage whether the mailbox has a message of the member
     */
    default @Nullable Message takeFromBoard(boolean hasMessage) {
      return null;
    }

    /**
     * Records that a message of the awaited member was taken from the mailbox, even if the wait
     * fails. Called under the lock.
     */
    default void takenFromLink() {}

    /** Returns whether the next message is on a board. May be called under the lock. */
    default boolean isOnBoard() {
      return false;
    }

    /** Returns whether the message is expected over a link. */
    default boolean isOverLink() {
      return true;
    }
  }

  /**
   * Creates an empty mailbox.
   *
   * @param size the number of members
   */
  Mailbox(int size) {
    this.size = size;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  void put(int from, Message message) {
    @Nullable Thread woken;
    synchronized (this) {
      if (messages == null) {
        messages = new Deque[size];
      }
      if (messages[from] == null) {
        messages[from] = new ArrayDeque<>(2);
      }
      messages[from].add(message);
      if (posted != null && posted.from == from) {
        posted.hasMessage = true;
      }
      woken = awaitedRank == from || awaitedRank == ANY ? waiter : null;
    }
    wake(woken);
  }

  void abort(Message message) {
    synchronized (this) {
      aborts.add(message);
    }
    wake();
  }

  void agree(Message message) {
    synchronized (this) {
      agreements.add(message);
    }
    wake();
  }

  /** Wakes the waiting thread to check the state again. */
  void wake() {
    @Nullable Thread woken;
    synchronized (this) {
      woken = waiter;
    }
    wake(woken);
  }

  private void wake(@Nullable Thread woken) {
    if (woken != null) {
      hasNews = true;
      if (woken
          != Thread.currentThread()) { // a polling thread may have received the message itself
        var its = sleptOn;
        if (its != null) {
          its.wake();
        }
        LockSupport.unpark(woken);
      }
    }
  }

  /** Returns the abort of an operation, or {@code null}; drops the aborts of older operations. */
  synchronized @Nullable Message abortOf(int number) {
    if (aborts.isEmpty()) {
      return null;
    }
    aborts.removeIf(each -> (int) each.tag() - number < 0);
    for (var each : aborts) {
      if ((int) each.tag() == number) {
        return each;
      }
    }
    return null;
  }

  /** Waits for the next message of a member. */
  Message take(int from, Wait wait) {
    return await(() -> poll(from, wait), from, () -> List.of(from), wait);
  }

  /**
   * Waits for the next message of a member, whose numbers may be received directly into a slice.
   */
  Message take(int from, long tag, Slice<?> into, Wait wait) {
    return take(from, tag, into, wait, () -> {});
  }

  /**
   * Runs an action and waits for the next message of a member.
   *
   * @param meanwhile the action; runs when the slice is already posted as receive buffer
   */
  Message take(int from, long tag, Slice<?> into, Wait wait, Runnable meanwhile) {
    var buffer = new PostedBuffer(from, tag, into, wait);
    synchronized (this) {
      if (!hasMessage(from)) {
        posted = buffer;
      }
    }
    var waits = false;
    try {
      meanwhile.run();
      waits = true;
      var message = take(from, wait);
      withdraw(buffer);
      return message;
    } catch (RuntimeException | Error failure) {
      var received = withdraw(buffer) ? takeNow(from, wait) : null;
      if (received == null || !waits || failure instanceof Error) {
        throw failure; // only a caller that waits takes a message that was received into its array
      }
      return received;
    }
  }

  /** Returns the receive buffer for the numbers of the next message, if a thread has posted one. */
  synchronized @Nullable ReceiveBuffer acquireBuffer(
      int from, long tag, Class<?> element, int length) {
    if (posted == null
        || posted.from != from
        || posted.tag != tag
        || posted.hasMessage
        || posted.wasAcquired
        || posted.into.element() != element
        || posted.into.length() != length
        || posted.wait.isOnBoard()) {
      return null;
    }
    var buffer = posted;
    buffer.wasAcquired = true;
    buffer.isAcquired = true;
    return new ReceiveBuffer(buffer.into.array(), buffer.into.offset(), () -> release(buffer));
  }

  private synchronized void release(PostedBuffer buffer) {
    buffer.isAcquired = false;
    notifyAll();
  }

  /**
   * Withdraws a receive buffer; waits until no thread fills it.
   *
   * @return whether a thread has acquired it
   */
  private boolean withdraw(PostedBuffer buffer) {
    var interrupted = false;
    synchronized (this) {
      posted = null;
      while (buffer.isAcquired) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return buffer.wasAcquired;
  }

  /** Waits for the next message of any of these. */
  Message takeAny(BitSet of, Wait wait) {
    return await(
        () -> {
          for (var each = of.nextSetBit(0); each >= 0; each = of.nextSetBit(each + 1)) {
            var message = poll(each);
            if (message != null) {
              return message;
            }
          }
          return null;
        },
        ANY,
        () -> of.stream().boxed().toList(),
        wait);
  }

  /** Waits for a message of an agreement; returns {@code null} if a member was lost meanwhile. */
  @Nullable Message takeAgreement(
      Supplier<Boolean> isNews, Supplier<List<Integer>> missing, Wait wait) {
    return await(
        () -> {
          var message = agreements.poll();
          return message != null || isNews.get() ? new Message[] {message} : null;
        },
        ANY,
        missing,
        wait)[0];
  }

  /**
   * Waits until a member has published something on the board, or has sent a message instead.
   *
   * @return the message, or {@code null}
   */
  @Nullable Message awaitOnBoard(BooleanSupplier isPublished, int from, Wait wait) {
    return await(
        () -> {
          if (isPublished.getAsBoolean()) {
            return new Message[] {null};
          }
          if (!hasMessage(from)) {
            return null;
          }
          // A message that follows the publication is of a later operation.
          return new Message[] {isPublished.getAsBoolean() ? null : poll(from)};
        },
        from,
        () -> List.of(from),
        wait,
        true)[0];
  }

  /**
   * Waits for a condition on the board, but not beyond the deadline of the wait.
   *
   * @return whether the condition holds
   */
  boolean awaitOnBoard(BooleanSupplier condition, long deadline, Wait wait) {
    return await(
        () ->
            condition.getAsBoolean()
                ? Boolean.TRUE
                : System.nanoTime() - deadline >= 0 ? Boolean.FALSE : null,
        NONE,
        List::of,
        new LimitedWait(wait, deadline),
        true);
  }

  /** A wait that a deadline of its own ends without failure. */
  private record LimitedWait(Wait outer, long end) implements Wait {

    @Override
    public String describe() {
      return outer.describe();
    }

    @Override
    public void check() {
      outer.check();
    }

    @Override
    public void reportDelay(List<Integer> missing, long waitedNanos) {}

    @Override
    public Long deadline() {
      return end;
    }

    @Override
    public RuntimeException timedOut(List<Integer> missing) {
      throw new AssertionError("the condition includes the deadline");
    }

    @Override
    public @Nullable MemberFutexes futexes() {
      return outer.futexes();
    }
  }

  /**
   * A wait of the member in this mailbox.
   *
   * @param sinceNanos when it began to sleep
   */
  record OpenWait(Wait operation, List<Integer> missing, long sinceNanos, Thread thread) {}

  /** Returns what the member waits for; {@code null} if it does not sleep here. */
  synchronized @Nullable OpenWait openWait() {
    var wait = openWait;
    var missing = openMissing;
    var thread = waiter;
    return wait == null || missing == null || thread == null || openNanos == 0
        ? null
        : new OpenWait(wait, missing.get(), openNanos, thread); // its thread changes nothing now
  }

  /** Returns whether a message of a member has arrived. */
  synchronized boolean hasMessage(int from) {
    return messages != null && messages[from] != null && !messages[from].isEmpty();
  }

  private synchronized @Nullable Message takeNow(int from, Wait wait) {
    var message = poll(from);
    if (message != null) {
      wait.takenFromLink();
    }
    return message;
  }

  private @Nullable Message poll(int from, Wait wait) {
    var onBoard = wait.takeFromBoard(hasMessage(from));
    if (onBoard == null) {
      return takeNow(from, wait);
    }
    if (posted != null) {
      posted.hasMessage = true;
    }
    return onBoard;
  }

  private @Nullable Message poll(int from) {
    var all = messages == null ? null : messages[from];
    return all == null ? null : all.poll();
  }

  private <R> R await(
      Supplier<@Nullable R> poll, int from, Supplier<List<Integer>> missing, Wait wait) {
    return await(poll, from, missing, wait, false);
  }

  private <R> R await(
      Supplier<@Nullable R> poll,
      int from,
      Supplier<List<Integer>> missing,
      Wait wait,
      boolean isOnBoard) {
    synchronized (this) {
      var here = poll.get();
      if (here != null) {
        return here;
      }
      waiter = Thread.currentThread();
      openWait = wait;
      openMissing = missing;
      awaitedRank = from;
      hasNews = false;
      sleptOn = wait.futexes();
    }
    var polls = !isOnBoard && wait.isOverLink(); // else links bring nothing that ends the wait
    Collectives.current().receiveWhile(() -> polls && !hasNews && !wait.isOnBoard());
    var began = System.nanoTime();
    openNanos = began;
    var deadline = wait.deadline();
    // The first report only asks the missing members for their positions, so that a warning or an
    // error can contain their answers.
    var due =
        deadline == null
            ? WaitPatience.nanos() / 2
            : Math.min(WaitPatience.nanos(), deadline - began) / 2;
    var interrupted = false;
    var futexes = wait.futexes();
    if (futexes != null) {
      futexes.beginSleeping();
    }
    try {
      for (; ; ) {
        var armed = futexes == null ? 0 : futexes.arm();
        var waited = System.nanoTime() - began; // before the poll, which may look at the clock
        synchronized (this) {
          var here = poll.get();
          if (here != null) {
            return here;
          }
        }
        wait.check();
        if (deadline != null && deadline - began <= waited) {
          throw wait.timedOut(missing.get());
        }
        if (due <= waited) {
          wait.reportDelay(missing.get(), waited);
          due = WaitPatience.nextWarning(due);
          continue;
        }
        var end = deadline == null ? due : Math.min(due, deadline - began);
        wakeAt(began + end);
        if (futexes == null) {
          LockSupport.park(this);
        } else {
          futexes.sleep(armed, waited);
        }
        interrupted |=
            Thread.interrupted(); // restored afterwards, as a collective cannot end halfway
      }
    } finally {
      if (futexes != null) {
        futexes.endSleeping();
      }
      synchronized (this) {
        waiter = null;
        openWait = null;
        openMissing = null;
        openNanos = 0;
        sleptOn = null;
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Schedules a wake-up of the waiting thread, at a given time at the latest. */
  private synchronized void wakeAt(long time) {
    if (nextWakeUp != null && nextWakeUp - time <= 0) {
      return;
    }
    Long due = time;
    nextWakeUp = due;
    CompletableFuture.delayedExecutor(
            time - System.nanoTime(), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
        .execute(() -> wakeUp(due));
  }

  private void wakeUp(Long at) {
    synchronized (this) {
      if (at.equals(nextWakeUp)) {
        nextWakeUp = null;
      }
    }
    wake();
  }
}
