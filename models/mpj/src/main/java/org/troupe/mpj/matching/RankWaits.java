package org.troupe.mpj.matching;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.troupe.groups.board.Board;
import org.troupe.groups.board.MemberFutexes;
import org.troupe.mpj.error.CallSites;

/**
 * The waits of the threads of one rank: how they poll and sleep, and which reports are made of
 * them.
 */
final class RankWaits {

  /*
   * Design: polling, then sleeping
   *
   * A waiting thread polls for a short time: the links, if what it waits for comes over a link and its rank may poll them,
   * else the board, giving up the processor in between. Then it sleeps: on the futex of its rank, if no other thread of
   * the rank does, on the futex of the board of a collective, or parked. The waking thread sets a flag, wakes the
   * futex and unparks, so it need not know which.
   *
   * A sleep has no limit of time, as a timer for each message would cost more than the message. While any thread
   * sleeps, one task per rank looks at all waits four times a second: it lets collectives ask where others are, searches
   * for deadlocks, and reports a wait of 10 s.
   */
  private static final long TICK_MILLIS = 250;
  private static final long FIRST_SEARCH_NANOS = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
  private static final long DELAY_NANOS = 2 * FIRST_SEARCH_NANOS; // of a collective
  private static final long MOST_BETWEEN_SEARCHES_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final System.Logger LOG = System.getLogger("org.troupe.mpj");

  private final MessageEngine engine;
  private final RankNetwork network;
  private volatile @Nullable BoardPackets packets;

  // Guarded by this
  private final Set<RankWait> waits = new LinkedHashSet<>(); // of threads that sleep
  private long numbers;
  private boolean isTicking;

  RankWaits(MessageEngine engine) {
    this.engine = engine;
    this.network = engine.network();
  }

  /** Lets threads wait for messages on a board, too. */
  void use(BoardPackets board) {
    packets = board;
    listed().forEach(RankWait::wake);
  }

  /** Waits until a wait of the current thread is over. */
  void await(RankWait wait) {
    wait.help();
    if (wait.isOver() || isOverShortly(wait)) {
      return;
    }
    synchronized (this) {
      wait.list(++numbers, System.nanoTime());
      waits.add(wait);
      if (!isTicking) {
        isTicking = true;
        tickLater();
      }
    }
    try {
      sleep(wait);
    } finally {
      synchronized (this) {
        waits.remove(wait);
      }
    }
  }

  /**
   * Waits until one of several operations has ended.
   *
   * @param operations may contain null, but not only
   * @param delayed runs from time to time while the wait lasts, on a thread that may send notices
   */
  void await(@Nullable MessageOperation[] operations, @Nullable Runnable delayed) {
    var wait = new OperationWait(engine, operations, delayed);
    try {
      wait.enter();
      await(wait);
    } finally {
      wait.leave();
    }
  }

  private boolean isOverShortly(RankWait wait) {
    if (wait.futexes() != null) {
      network.receiveWhile(() -> false); // only tells that this thread waits in step with others
      return Board.awaitShortly(wait::isOver);
    }
    var board = packets;
    if (board == null || wait.isOverLink()) {
      network.receiveWhile(() -> !wait.isWoken() && (board == null || !board.hasAny()));
      return hasEnded(wait);
    }
    network.receiveWhile(() -> false);
    while (Board.awaitShortly(() -> wait.isWoken() || board.hasAny())) {
      if (hasEnded(wait)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasEnded(RankWait wait) {
    wait.rearm();
    engine.takeFromBoard();
    wait.help();
    return wait.isOver();
  }

  private void sleep(RankWait wait) {
    var isInterrupted = false;
    var began = System.nanoTime();
    var ofCollective = wait.futexes();
    @Nullable BoardPackets entered = null;
    @Nullable MemberFutexes futexes = null;
    if (ofCollective != null) {
      futexes = ofCollective;
      beginSleeping(wait, futexes);
    }
    try {
      for (; ; ) {
        var board = packets;
        if (futexes == null && board != null && board.enter(wait)) {
          entered = board;
          futexes = board.futexes();
          beginSleeping(wait, futexes);
        }
        wait.rearm();
        var armed = futexes == null ? 0 : futexes.arm();
        if (ofCollective == null ? hasEnded(wait) : wait.isOver()) {
          return;
        }
        if (!wait.isWoken()) {
          if (futexes == null) {
            LockSupport.park(wait);
          } else {
            futexes.sleep(armed, System.nanoTime() - began);
          }
        }
        isInterrupted |= Thread.interrupted(); // restored: a message cannot be left halfway
      }
    } finally {
      if (futexes != null) {
        wait.sleepsOn(null);
        futexes.endSleeping();
      }
      if (entered != null) {
        entered.leave(wait);
        listed().forEach(each -> wakeUnless(wait, each)); // one of them takes the place
      }
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void beginSleeping(RankWait wait, MemberFutexes futexes) {
    wait.sleepsOn(futexes);
    futexes.beginSleeping();
  }

  private static void wakeUnless(RankWait own, RankWait other) {
    if (own != other) {
      other.wake();
    }
  }

  private synchronized List<RankWait> listed() {
    return waits.isEmpty() ? List.of() : List.copyOf(waits);
  }

  /** Returns the wait of the rank, if it is the only one, and if only other ranks can end it. */
  @Nullable RankWait onlyStuck() {
    var all = listed();
    return all.size() == 1 && all.getFirst().isStuck() ? all.getFirst() : null;
  }

  /** Returns the wait that began first; {@code null} if no thread sleeps. */
  @Nullable RankWait first() {
    var all = listed();
    return all.isEmpty() ? null : all.getFirst();
  }

  /** Lets all waits look again. */
  void wakeAll() {
    listed().forEach(RankWait::wake);
  }

  // Reports

  private void tickLater() {
    CompletableFuture.delayedExecutor(
            TICK_MILLIS,
            TimeUnit.MILLISECONDS,
            Thread.ofVirtual().inheritInheritableThreadLocals(false)::start)
        .execute(this::tick);
  }

  private void tick() {
    synchronized (this) {
      if (waits.isEmpty()) {
        isTicking = false;
        return;
      }
    }
    try {
      var now = System.nanoTime();
      for (var each : listed()) {
        look(each, each.waited(now));
      }
    } finally {
      tickLater();
    }
  }

  private void look(RankWait wait, long waited) {
    if (wait.isSearchDue(waited, FIRST_SEARCH_NANOS, MOST_BETWEEN_SEARCHES_NANOS)) {
      var isCollective = (wait.context() & 1) == 1;
      if (waited >= DELAY_NANOS) {
        wait.delayed(waited);
      }
      // Members that are in different collectives learn that first.
      if (!isCollective || waited >= 2 * DELAY_NANOS) {
        engine.searchDeadlock(wait);
      }
    }
    if (waited >= REPORT_NANOS && wait.isReportDue()) {
      LOG.log(
          Level.INFO,
          () ->
              network.describe(engine.rank())
                  + " has waited 10 s for "
                  + describe(wait)
                  + "; does the other side call its counterpart?");
    }
  }

  /** Returns what a wait is for, and the line of the program that waits. */
  static String describe(RankWait wait) {
    var site = CallSites.describe(wait.thread().getStackTrace());
    return wait.describe() + (site.isEmpty() ? "" : ", in " + site);
  }

  /** Returns a line for each wait. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    var now = System.nanoTime();
    for (var each : listed()) {
      lines.add(
          String.format(
              "thread '%s' has waited %.1f s for %s",
              each.thread().getName(), each.waited(now) / 1e9, describe(each)));
    }
    return lines;
  }
}
