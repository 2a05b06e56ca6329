package org.troupe.groups.spmd;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.DeferredPacket;
import org.troupe.groups.board.BarrierBoard;
import org.troupe.groups.board.Board;

/**
 * Announces to the other members that this one has reached the barrier of all members, and takes
 * their announcements from the board. May be shared between threads.
 */
final class BarrierAnnouncements {

  /*
   * Design: announcements in place
   *
   * An announcement has a place among the messages from the member's node to the node of another member: behind all
   * that were numbered before the barrier, in front of all that are numbered later. A packet has that place by
   * itself. An announcement on the board takes it as follows.
   *
   *   1. The member defers a packet to each other member, which returns the number of the messages in front of it
   *      (DeferredPacket). It writes these numbers, and then the number of the barrier, on the board.
   *   2. The other member takes an announcement that it sees on the board when its node has taken that many messages
   *      (Collectives.runBehind), and confirms it on the board after the mark is taken or in its queue.
   *   3. Before the node of the first member numbers a later message, it sends the deferred packet, unless the
   *      announcement has been confirmed. So that message arrives behind the announcement in either case.
   *
   * The number of a barrier stands for all before it, so an announcement that is taken twice, from the board and
   * from the packet, is ignored the second time.
   *
   * Members that look at the board
   *
   * A member needs the announcements of others only when it has reached the barrier itself: their later requests are
   * behind the packet. A member that reaches a barrier publishes this, and then looks at the board. Both steps are
   * sequentially consistent, so of two members at least one sees the other. The member that comes later sees that the
   * other one is there, and informs it: it wakes the thread that watches the board, if there is one, else it sends the
   * packet. A thread in join() watches the board. When it stops watching, it looks once more, as others may have relied
   * on it.
   *
   * Which members
   *
   * Each pair of members uses the board by itself, without a common start: a member that has announced nothing on the
   * board gets packets. So members that cannot open the board use packets, and the others are not affected. Members on
   * other hosts get packets that are not deferred. Members of one node announce directly, as their requests do not wait
   * for messages.
   *
   * Loss
   *
   * All words hold numbers that only grow, and losses end every wait for them, so a member that is killed at any
   * point leaves nothing to clean up. The announcement of a lost member is not taken any more if messages in front of
   * it are missing.
   */
  private final Communicator communicator;
  private final BarrierTable table;

  /** The last barrier announced on the board. Shared with the deferred packets. */
  private static final class Announced {
    volatile long number;
  }

  private final Announced announced = new Announced();
  private volatile @Nullable OverBoard overBoard; // written under the lock of this
  private final AtomicReference<@Nullable Thread> watcher = new AtomicReference<>();

  /** By rank: the last barrier that was seen on the board. */
  private final AtomicLongArray seen;

  /**
   * The announcements on the board.
   *
   * @param packets for each member on another node of the host; {@code null} for the others
   */
  private record OverBoard(BarrierBoard board, @Nullable DeferredPacket[] packets) {}

  BarrierAnnouncements(Communicator communicator, BarrierTable table) {
    this.communicator = communicator;
    this.table = table;
    this.seen = new AtomicLongArray(communicator.size());
  }

  // Announcing

  /** Announces to all other members that this one has reached the barrier with this number. */
  void announce(long number) {
    var its = overBoard(number);
    if (its != null) {
      publish(its, number);
    }
    for (var each = 0; each < communicator.size(); each++) {
      if (each == communicator.rank()) {
        continue;
      }
      var packet = its == null ? null : its.packets[each];
      if (its == null || packet == null) {
        communicator.send(each, Communicator.BARRIER, number, null);
      } else {
        inform(its.board, each, packet, number);
      }
    }
    look();
  }

  private @Nullable OverBoard overBoard(long number) {
    var known = overBoard;
    if (known != null) {
      return known;
    }
    var board = communicator.boardSetUp().board(number);
    if (board == null) {
      return null;
    }
    synchronized (this) {
      if (overBoard == null) {
        var barriers = board.barriers();
        var packets = new @Nullable DeferredPacket[communicator.size()];
        for (var each = 0; each < packets.length; each++) {
          if (communicator.hierarchy().isOnHost(each) && !communicator.isLocal(each)) {
            packets[each] =
                communicator.deferredPacket(
                    each,
                    Communicator.BARRIER,
                    tag(announced, new WeakReference<>(barriers), each));
          }
        }
        overBoard = new OverBoard(barriers, packets);
      }
      return overBoard;
    }
  }

  /**
   * Returns a supplier of the number to be sent in a deferred packet, or -1 if the member has taken
   * it from the board. It does not keep the board's memory.
   */
  private static LongSupplier tag(
      Announced announced, WeakReference<BarrierBoard> board, int member) {
    return () -> {
      var number = announced.number;
      var its = board.get();
      return its != null && its.confirmed(member) >= number ? -1 : number;
    };
  }

  private synchronized void publish(OverBoard its, long number) {
    if (number <= announced.number) {
      return; // another thread of this member has announced a later barrier
    }
    announced.number = number; // before the packets are deferred: they send what they find here
    for (var each = 0; each < its.packets.length; each++) {
      var packet = its.packets[each];
      if (packet != null) {
        its.board.setMessages(each, packet.defer());
      }
    }
    its.board.reach(number);
  }

  /** Informs a member of the announcement if it may have looked at the board before. */
  private static void inform(BarrierBoard board, int member, DeferredPacket packet, long number) {
    var reached = board.reached(member);
    if (reached >= number && board.isWatching(member)) {
      board.wake(member);
    } else if (reached >= number || reached == 0) {
      packet.sendNow();
    }
  }

  // Looking

  /** Takes what other members have announced on the board. */
  private void look() {
    var its = overBoard;
    if (its == null) {
      return;
    }
    for (var each = 0; each < its.packets.length; each++) {
      if (its.packets[each] == null) {
        continue;
      }
      var number = its.board.reached(each);
      if (number > seen.get(each)) {
        take(its.board, each, number);
        seen.setRelease(each, number);
      }
    }
  }

  private void take(BarrierBoard board, int from, long number) {
    Collectives.current()
        .runBehind(
            communicator.ref(from),
            board.messages(from),
            () -> {
              if (number > table.announced(from)) { // else the packet was faster
                table.received(from, number, null);
                board.confirm(from, number); // after the mark was taken or put into the queue
              }
            });
  }

  /** Returns whether an announcement on the board still waits for messages that precede it. */
  private boolean isBehind() {
    for (var each = 0; each < seen.length(); each++) {
      if (seen.get(each) > table.announced(each)) {
        return true;
      }
    }
    return false;
  }

  // Watching

  /**
   * Watches the board as long as a barrier is pending; returns at once if there is no board, or
   * another thread of this member watches it.
   */
  void watchWhile(BooleanSupplier isPending) {
    var its = overBoard;
    if (its == null || !watcher.compareAndSet(null, Thread.currentThread())) {
      return;
    }
    Collectives.current().waitsInStep(communicator.ref(communicator.rank()));
    its.board.setWatching(true);
    try {
      Board.awaitShortly(
          () -> {
            look();
            return !isPending.getAsBoolean() || isBehind();
          });
      if (isPending.getAsBoolean()) {
        sleepWhile(isPending, its.board);
      }
    } finally {
      its.board.setWatching(false);
      watcher.setRelease(null);
      look();
    }
  }

  private void sleepWhile(BooleanSupplier isPending, BarrierBoard board) {
    var began = System.nanoTime();
    var interrupted = false;
    board.futexes().beginSleeping();
    try {
      for (; ; ) {
        if (isBehind()) { // of messages that other threads might read later
          Collectives.current().receiveWhile(() -> isPending.getAsBoolean() && isBehind());
        }
        var armed = board.futexes().arm();
        look();
        if (!isPending.getAsBoolean()) {
          return;
        }
        board.futexes().sleep(armed, System.nanoTime() - began);
        interrupted |= Thread.interrupted(); // restored afterwards
      }
    } finally {
      board.futexes().endSleeping();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Wakes the watching thread, as its barrier may have ended. */
  void wake() {
    var its = overBoard;
    var thread = watcher.get();
    if (its != null && thread != null && thread != Thread.currentThread()) {
      its.board.futexes().wake();
    }
  }
}
