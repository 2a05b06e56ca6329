package org.troupe.groups.spmd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.troupe.activeobjects.collective.BodyExtension.Parcel;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.transport.ArrayPool;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.Slice;

/** Parcels received from other members, and the one thread that waits for them. */
final class Mailbox {

  /*
   * Matching
   *
   * Parcels of one member arrive in the order sent, and all members run the same collective
   * operations in the same order. So the next letter of a member is the wanted one; its tag, which
   * names the sender's operation, only serves to detect a mismatch. Threads that read connections
   * put letters and wake the one waiting thread.
   *
   * Receive buffers
   *
   * A thread that waits for a slice offers its array to the thread that reads the link, so numbers
   * are copied once at this end. The offer holds for the awaited letter only, which is the next to
   * arrive, as none of that member is here. The wait does not end while a thread fills the array,
   * whatever else may end it: a frame that was retransmitted after a broken connection may arrive
   * over two links at once.
   *
   * Parking
   *
   * The waiting thread parks without a timeout. For a virtual thread that parks with one, another
   * thread schedules and cancels a timer, which took longer than exchanging a number with another
   * JVM. A timer of the mailbox wakes it from time to time instead.
   */
  private final int size;
  private Deque<Letter>[] letters; // under this, as all here; null: none has come yet
  private final Deque<Letter> agreements = new ArrayDeque<>();
  private final List<Letter> aborts = new ArrayList<>();
  private Thread waiter;
  private volatile boolean hasNews; // for it
  private int wanted; // of whom it wants something, or ANY
  private Place place; // the receive buffer of the waiting thread, or null
  private Long nextLook; // when whoever waits is woken, as System.nanoTime; or null

  private static final int ANY = -1;

  /** Something from another member. */
  record Letter(int from, long tag, Parcel parcel) {

    /**
     * Fills a slice with its numbers, unless they have come there.
     *
     * @param check refuses arrays of other lengths
     */
    void into(Slice<?> slice, Consumer<Object> check) {
      if (parcel.isIn(slice.array())) {
        return;
      }
      var array = parcel.value();
      check.accept(array);
      slice.fill(array);
      if (parcel.isOwn()) {
        ArrayPool.put(array);
      }
    }
  }

  /** A slice offered as receive buffer. */
  private static final class Place {
    private final int from;
    private final long tag;
    private final Slice<?> into;

    // Under the mailbox
    private boolean wasLent;
    private boolean isLent; // still
    private boolean isOver; // what it waits for has come

    Place(int from, long tag, Slice<?> into) {
      this.from = from;
      this.tag = tag;
      this.into = into;
    }
  }

  /** The other ways in which a wait ends. */
  interface Wait {

    /** Throws if the wait is in vain. Called without locks. */
    void check();

    /** Reports that nothing arrived for some time. */
    void late(List<Integer> missing, long waitedNanos);

    /** When the wait is over, as {@link System#nanoTime}, or {@code null}. */
    Long deadline();

    /** The time is over. */
    RuntimeException timedOut(List<Integer> missing);
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
  void put(int from, Letter letter) {
    Thread woken;
    synchronized (this) {
      if (letters == null) {
        letters = new Deque[size];
      }
      if (letters[from] == null) {
        letters[from] = new ArrayDeque<>(2);
      }
      letters[from].add(letter);
      if (place != null && place.from == from) {
        place.isOver = true;
      }
      woken = wanted == from || wanted == ANY ? waiter : null;
    }
    wake(woken);
  }

  void abort(Letter letter) {
    synchronized (this) {
      aborts.add(letter);
    }
    wake();
  }

  void agree(Letter letter) {
    synchronized (this) {
      agreements.add(letter);
    }
    wake();
  }

  /** Wakes the waiting thread to check the state again. */
  void wake() {
    Thread woken;
    synchronized (this) {
      woken = waiter;
    }
    wake(woken);
  }

  private void wake(Thread woken) {
    if (woken != null) {
      hasNews = true;
      if (woken
          != Thread.currentThread()) { // a polling thread may have received the message itself
        LockSupport.unpark(woken);
      }
    }
  }

  /** Returns the abort of an operation, or {@code null}; drops those of older operations. */
  synchronized Letter abortOf(int number) {
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

  /** Waits for the next letter of a member. */
  Letter take(int from, Wait wait) {
    return await(() -> poll(from), from, () -> List.of(from), wait);
  }

  /** Waits for the next letter of a member, whose numbers may be received directly into a slice. */
  Letter take(int from, long tag, Slice<?> into, Wait wait) {
    return take(from, tag, into, wait, () -> {});
  }

  /**
   * Waits for the next letter of a member and runs an action first.
   *
   * @param meanwhile runs when the slice can already receive
   */
  Letter take(int from, long tag, Slice<?> into, Wait wait, Runnable meanwhile) {
    var lent = new Place(from, tag, into);
    synchronized (this) {
      if (!hasOf(from)) {
        place = lent;
      }
    }
    var waits = false;
    try {
      meanwhile.run();
      waits = true;
      var letter = take(from, wait);
      close(lent);
      return letter;
    } catch (RuntimeException | Error failure) {
      var came = close(lent) ? takeNow(from) : null;
      if (came == null || !waits || failure instanceof Error) {
        throw failure; // a letter received into the array is taken only by a caller that wants it
      }
      return came;
    }
  }

  /** Returns the receive buffer for the numbers of the next letter, if a thread offers one. */
  synchronized ReceiveBuffer room(int from, long tag, Class<?> element, int length) {
    if (place == null
        || place.from != from
        || place.tag != tag
        || place.isOver
        || place.wasLent
        || place.into.element() != element
        || place.into.length() != length) {
      return null;
    }
    var lent = place;
    lent.wasLent = true;
    lent.isLent = true;
    return new ReceiveBuffer(lent.into.array(), lent.into.offset(), () -> left(lent));
  }

  private synchronized void left(Place lent) {
    lent.isLent = false;
    notifyAll();
  }

  /**
   * Withdraws a receive buffer; waits until no thread fills it any more.
   *
   * @return whether a thread had begun to fill it
   */
  private boolean close(Place lent) {
    var interrupted = false;
    synchronized (this) {
      place = null;
      while (lent.isLent) {
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
    return lent.wasLent;
  }

  /** Waits for the next letter of any of these. */
  Letter takeAny(BitSet of, Wait wait) {
    return await(
        () -> {
          for (var each = of.nextSetBit(0); each >= 0; each = of.nextSetBit(each + 1)) {
            var letter = poll(each);
            if (letter != null) {
              return letter;
            }
          }
          return null;
        },
        ANY,
        () -> of.stream().boxed().toList(),
        wait);
  }

  /** Waits for something about an agreement; {@code null} if a member was lost in the meantime. */
  Letter takeAgreement(Supplier<Boolean> isNews, Supplier<List<Integer>> missing, Wait wait) {
    return await(
        () -> {
          var letter = agreements.poll();
          return letter != null || isNews.get() ? new Letter[] {letter} : null;
        },
        ANY,
        missing,
        wait)[0];
  }

  /** Says whether a letter of a member is here. */
  synchronized boolean hasOf(int from) {
    return letters != null && letters[from] != null && !letters[from].isEmpty();
  }

  private synchronized Letter takeNow(int from) {
    return poll(from);
  }

  private Letter poll(int from) {
    var all = letters == null ? null : letters[from];
    return all == null ? null : all.poll();
  }

  private <R> R await(Supplier<R> poll, int from, Supplier<List<Integer>> missing, Wait wait) {
    synchronized (this) {
      var here = poll.get();
      if (here != null) {
        return here;
      }
      waiter = Thread.currentThread();
      wanted = from;
      hasNews = false;
    }
    Collectives.current().receiveWhile(() -> !hasNews);
    var began = System.nanoTime();
    var deadline = wait.deadline();
    // The first time only to ask the missing, so that a complaint or an error can tell their
    // answers.
    var due =
        deadline == null
            ? Communicator.patienceNanos() / 2
            : Math.min(Communicator.patienceNanos(), deadline - began) / 2;
    var interrupted = false;
    try {
      for (; ; ) {
        synchronized (this) {
          var here = poll.get();
          if (here != null) {
            return here;
          }
        }
        wait.check();
        var waited = System.nanoTime() - began;
        if (deadline != null && deadline - began <= waited) {
          throw wait.timedOut(missing.get());
        }
        if (due <= waited) {
          wait.late(missing.get(), waited);
          due = Communicator.nextComplaint(due);
          continue;
        }
        var end = deadline == null ? due : Math.min(due, deadline - began);
        wakeAt(began + end);
        LockSupport.park(this);
        interrupted |=
            Thread.interrupted(); // restored afterwards, as a collective cannot end halfway
      }
    } finally {
      synchronized (this) {
        waiter = null;
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Wakes the thread that waits then, at the latest. */
  private synchronized void wakeAt(long time) {
    if (nextLook != null && nextLook - time <= 0) {
      return;
    }
    Long look = time;
    nextLook = look;
    CompletableFuture.delayedExecutor(
            time - System.nanoTime(), TimeUnit.NANOSECONDS, Thread::startVirtualThread)
        .execute(() -> look(look));
  }

  private void look(Long at) {
    synchronized (this) {
      if (at.equals(nextLook)) {
        nextLook = null;
      }
    }
    wake();
  }
}
