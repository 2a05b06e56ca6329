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

/** What has come from other members, and the one thread that waits for it. */
final class Mailbox {

  /*
   * What one member sends to another arrives in the order sent, and both go through the same collectives in the same
   * order; so the next letter of a member is the one that is wanted, and its tag, which says what its sender was doing,
   * is there to find out when that is not so. Readers of connections put; they only wake the thread that waits.
   *
   * Who waits for a slice lends its array to the thread that reads the link, so that its numbers are copied once at this
   * end. It is for the very letter that is awaited, which is the next to come, as none of that member is here. The wait is
   * not over before nobody fills the array any more, whatever else may end it: a frame that was sent again after a break
   * may come by two links at once.
   *
   * That thread parks without a time: a virtual thread that parks with one has it noted and taken back by another thread,
   * which took longer than to exchange a number with another JVM. Instead somebody wakes it from time to time to look.
   *
   * What waiting costs. An exchange of one number takes two thread switches: 10 to 12 us on platform
   * threads, which is 1.4 to 1.7 null calls, and 27 us or more on virtual ones (./troupe bench groups,
   * 12b7a20, 2026-11-22). A member that waits for packets therefore keeps its platform thread, however
   * short its requests are: an exchange of 31,622 doubles took 127 us with it and 199 us without
   * (./troupe run pingpong, 58c3465, 2026-11-22), because a virtual thread cannot poll its links.
   */
  private final int size;
  private Deque<Letter>[] letters; // under this, as all here; null: none has come yet
  private final Deque<Letter> agreements = new ArrayDeque<>();
  private final List<Letter> aborts = new ArrayList<>();
  private Thread waiter;
  private volatile boolean hasNews; // for it
  private int wanted; // of whom it wants something, or ANY
  private Place place; // for what it waits for, or null
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

  /** A slice that waits for its numbers. */
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

  /** What a wait ends with, if not with a letter. */
  interface Wait {

    /** Throws if there is no use in waiting. Called without locks. */
    void check();

    /** Time has passed, and nothing came. */
    void late(List<Integer> missing, long waitedNanos);

    /** When the wait is over, as {@link System#nanoTime}, or {@code null}. */
    Long deadline();

    /** The time is over. */
    RuntimeException timedOut(List<Integer> missing);
  }

  /**
   * For what comes of some members.
   *
   * @param size how many there are
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

  /** Something has changed that the thread that waits should look at. */
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
      if (woken != Thread.currentThread()) { // else it has received what wakes it by itself
        LockSupport.unpark(woken);
      }
    }
  }

  /** Returns what some member has broken off, or {@code null}; forgets what is older. */
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

  /** The same, where a letter with a certain tag brings the numbers for a slice. */
  Letter take(int from, long tag, Slice<?> into, Wait wait) {
    return take(from, tag, into, wait, () -> {});
  }

  /**
   * The same.
   *
   * @param meanwhile is done first, when the numbers may come already
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
        throw failure; // and nobody takes a letter that is in the array of who does not want it
      }
      return came;
    }
  }

  /** Where the numbers of the next letter go, if somebody waits for them. */
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
   * Waits until nobody fills it any more.
   *
   * @return whether anybody did
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

  /** Waits for something about an agreement; {@code null} if somebody was lost meanwhile. */
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
        interrupted |= Thread.interrupted(); // noted for later: half a collective helps nobody
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
