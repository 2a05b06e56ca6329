package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.RequestGate;
import org.troupe.groups.CollectiveException;

/** The barriers that a member has not passed yet. May be shared between threads. */
final class BarrierTable {

  /*
   * Order
   *
   * A barrier guarantees: a request that a member sends after reaching the barrier begins at no
   * member concerned before all have reached it, and requests sent before may still begin. So the
   * requests of one step are served before those of the next.
   *
   * Marks
   *
   * A member that reaches a barrier announces it directly to each of the others, by a packet or on
   * the board, and in the order of requests: behind those sent before (BarrierAnnouncements). The
   * announcement bypasses the queue, so that a thread in join() sees it. A mark is put into the
   * queue behind the requests that are there, and from that mark on the member's requests are held.
   * When the last mark is taken, no earlier request remains and the hold ends. A mark never
   * overtakes requests of its own member, not even those that an earlier barrier still holds, as
   * requests that must follow them would overtake them. Requests behind a mark do not overtake it
   * before all have reached the barrier; afterwards they may, if they are admitted: awaited calls,
   * for which older requests wait. Marks in front of all calls are taken while the member reaches
   * or joins a barrier, so a request that passes many barriers does not collect their marks. A mark
   * that would be the next to be taken, because the serving thread itself has received the
   * announcement and the queue is empty, is taken at once and never queued.
   *
   * Identity
   *
   * A barrier is identified by its name and by the number of times that a member has reached one of
   * that name, so members at different barriers are matched in the end. The name of the barrier of
   * all members is not sent.
   */
  private static final String OF_ALL = "barrier()";

  /** More barriers than a member reaches without being waited for. */
  private static final int MOST_AT_ONCE = 1 << 20;

  private final Communicator communicator;
  private final PendingBarriers pending = new PendingBarriers(); // guarded by this
  private final List<AwaitedCalls> awaited = new ArrayList<>(); // guarded by this
  private final Count reachedOfAll = new Count(); // guarded by this
  private final Map<String, Count> reached = new HashMap<>(); // others by name; guarded by this

  /** By rank, for members of other nodes: the last barrier of all that it has announced. */
  private final AtomicLongArray announced;

  private final int[] allOthers;
  private final BitSet setOfAllOthers;
  private final BarrierAnnouncements announcements;
  private volatile boolean hasQueuedMarks; // since a thread last took those that it could
  private @Nullable Long nextCheck; // guarded by this; null if no wait is watched
  private boolean isClosed; // guarded by this

  BarrierTable(Communicator communicator) {
    this.communicator = communicator;
    this.allOthers =
        IntStream.range(0, communicator.size())
            .filter(each -> each != communicator.rank())
            .toArray();
    this.setOfAllOthers = setOf(allOthers);
    this.announced = new AtomicLongArray(communicator.size());
    this.announcements = new BarrierAnnouncements(communicator, this);
  }

  private static BitSet setOf(int[] ranks) {
    var set = new BitSet();
    for (var each : ranks) {
      set.set(each);
    }
    return set;
  }

  private static final class Count {
    long value;
  }

  /** Reaches the barrier of all members. */
  Barrier reachAll(@Nullable Duration limit) {
    return reach(OF_ALL, allOthers, limit);
  }

  /**
   * Records that this member has reached a barrier, and announces it to the others.
   *
   * @param name identifies the barrier at all its members
   * @param others the other members of the barrier
   */
  Barrier reach(String name, int[] others, @Nullable Duration limit) {
    var step = enter(name, others, limit);
    // This is sent after a loss, too: a member that knows of the loss waits only for this message.
    if (name.equals(OF_ALL)) {
      announcements.announce(step.number());
    } else {
      for (var each : others) {
        communicator.send(each, Communicator.BARRIER, step.number(), name);
      }
    }
    if (step.lost().isPresent()) {
      Objects.requireNonNull(step.released(), "a loss ends the barrier").release();
      throw communicator.lost(step.lost().getAsInt(), name);
    }
    if (step.isPassed()) {
      step.barrier().end(null);
    }
    if (step.released() != null) {
      step.released().release();
    } else if (step.changed() != null) {
      step.changed().changed();
    }
    takeDueMarks();
    return step.barrier();
  }

  /**
   * Takes the marks in front of all calls, if this thread serves the member. Those that it finds
   * behind calls are taken after the request, as calls are.
   */
  private void takeDueMarks() {
    if (hasQueuedMarks) {
      hasQueuedMarks = false;
      Collectives.current().runDueTasks(self());
    }
  }

  /**
   * A barrier that this member has reached, and others have not.
   *
   * @param sinceNanos when it reached the barrier
   */
  record OpenBarrier(Barrier barrier, List<Integer> missing, long sinceNanos) {}

  /** Returns the barrier that this member reached first; {@code null} if it waits for none. */
  @Nullable OpenBarrier openBarrier() {
    PendingBarrier first = null;
    synchronized (this) {
      for (var each : pending.all()) {
        if (each.barrier != null
            && each.holdsBack()
            && (first == null || each.sinceNanos - first.sinceNanos < 0)) {
          first = each;
        }
      }
      return first == null || first.barrier == null
          ? null
          : new OpenBarrier(first.barrier, first.missing(), first.sinceNanos);
    }
  }

  /** Watches the board while a barrier is pending, if it may be announced there. */
  void watch(Barrier barrier) {
    if (barrier.toString().equals(OF_ALL)) {
      announcements.watchWhile(barrier::isPending);
    }
  }

  /** Wakes the thread that watches the board, after a barrier has ended. */
  void wakeWatcher() {
    announcements.wake();
  }

  /** Completes a wait of a member for a barrier, on the thread that has waited. */
  void joined() {
    takeDueMarks();
  }

  /**
   * The transition of a barrier when this member reaches it, to be completed without the lock.
   *
   * @param number how often this member has reached a barrier of that name
   * @param lost a member that can no longer reach it
   * @param isPassed whether all others had reached it before
   * @param released the gate that no longer holds requests, or {@code null}
   * @param changed the gate that now admits more requests, or {@code null}
   */
  private record Transition(
      long number,
      Barrier barrier,
      OptionalInt lost,
      boolean isPassed,
      @Nullable RequestGate released,
      @Nullable RequestGate changed) {}

  private synchronized Transition enter(String name, int[] others, @Nullable Duration limit) {
    // Under the lock, so that a loss after this check finds the barrier among the pending ones.
    var lost = firstLost(others);
    var count = reached(name);
    var number = count.value + 1;
    var known = pending.get(name, number);
    var it = known == null ? new PendingBarrier(name, number, communicator, this) : known;
    if (it.gate == null) {
      it.gate = Collectives.current().holdRequests(it); // nothing has changed if this throws
    }
    if (known == null) {
      pending.add(it);
    }
    // The barrier is counted even after a loss, as other members may have reached it.
    count.value = number;
    it.others = others == allOthers ? setOfAllOthers : setOf(others);
    var barrier = new Barrier(name, communicator, it::missing, limit);
    it.begin(barrier);
    var isPassed = it.isComplete(it.arrived);
    var changed = isPassed ? it.reachedByAll(it.arrived.cardinality()) : null;
    if (lost.isPresent() || isClosed || it.isComplete(it.marked)) {
      pending.remove(it);
      return new Transition(number, barrier, lost, isPassed, it.gate, changed);
    }
    watch(it);
    return new Transition(number, barrier, lost, isPassed, null, changed);
  }

  private Ref<?> self() {
    return communicator.ref(communicator.rank());
  }

  private OptionalInt firstLost(int[] ranks) {
    return communicator.isAnyLost()
        ? IntStream.of(ranks).filter(communicator::isLost).findFirst()
        : OptionalInt.empty();
  }

  /**
   * Records that another member has reached a barrier; on a thread that must not block.
   *
   * @param number how often it has reached a barrier of that name; of the barrier of all members,
   *     it may be received again, and stands for all lower numbers
   * @param name the name; {@code null} for the barrier of all members
   */
  void received(int from, long number, @Nullable String name) {
    if (name != null || communicator.isLocal(from)) {
      received(from, name == null ? OF_ALL : name, number);
      return;
    }
    var before = announced(from);
    if (number <= before || number - before > MOST_AT_ONCE) {
      return; // known, or a damaged number
    }
    announced.setRelease(from, number); // threads that receive from one node take turns
    for (var each = before + 1; each <= number; each++) {
      received(from, OF_ALL, each);
    }
  }

  /** Returns the last barrier of all members that a member of another node has announced. */
  long announced(int by) {
    return announced.get(by);
  }

  private void received(int from, String name, long number) {
    var isMarkNext = Collectives.current().isServingLast(self());
    PendingBarrier it;
    Barrier passed = null;
    RequestGate free = null;
    RequestGate stuck = null;
    synchronized (this) {
      var known = pending.get(name, number);
      if (isClosed || (known == null && reached(name).value >= number)) {
        return; // the barrier has failed here
      }
      it = known == null ? new PendingBarrier(name, number, communicator, this) : known;
      if (known == null) {
        pending.add(it);
      }
      it.arrived.set(from);
      if (isMarkNext) {
        free = mark(it, from);
      }
      if (it.isComplete(it.arrived)) {
        passed = it.barrier;
        stuck =
            free != null
                ? null
                : it.reachedByAll(it.arrived.cardinality() - (isMarkNext ? 0 : 1)); // made below
      }
    }
    if (!isMarkNext) {
      var behind =
          Collectives.current()
              .runInTurn(self(), communicator.ref(from), () -> marked(from, it), it::holdsBack);
      it.behind.set(from, behind);
      hasQueuedMarks = true;
    }
    if (free != null) {
      free.release();
    } else if (stuck != null) {
      stuck.changed();
    }
    if (passed != null) {
      passed.end(null);
    }
  }

  private Count reached(String name) {
    return name.equals(OF_ALL) ? reachedOfAll : reached.computeIfAbsent(name, _ -> new Count());
  }

  /** Takes a mark from the queue, after the requests that the member sent before it. */
  private void marked(int from, PendingBarrier it) {
    RequestGate free;
    synchronized (this) {
      free = pending.get(it.name, it.number) == it ? mark(it, from) : null; // else it has failed
    }
    if (free != null) {
      free.release();
    }
  }

  /** Takes a mark, and returns the gate to be released if it was the last; under the lock. */
  private @Nullable RequestGate mark(PendingBarrier it, int from) {
    it.marked.set(from);
    if (it.isComplete(it.marked)) {
      pending.remove(it);
      return it.gate;
    }
    if (it.gate == null) {
      try {
        it.gate = Collectives.current().holdRequests(it);
      } catch (IllegalStateException e) {
        return null; // the object has been terminated
      }
    }
    return null;
  }

  /** Fails the waits to which a lost member can no longer contribute. */
  void lost(int rank) {
    List<PendingWait> failed = new ArrayList<>();
    synchronized (this) {
      pending.removeIf(
          each -> {
            var fails =
                each.others == null
                    ? each.arrived.get(rank)
                    : each.others.get(rank) && !each.arrived.get(rank);
            return fails && failed.add(each);
          });
      awaited.removeIf(each -> each.missing().contains(rank) && failed.add(each));
    }
    failed.forEach(each -> each.end(communicator.lost(rank, each.name)));
  }

  /** Waits until all members have reached the barriers that this member has reached. */
  void join(@Nullable Duration limit) {
    List<Barrier> left;
    synchronized (this) {
      left = pending.all().stream().map(each -> each.barrier).filter(Objects::nonNull).toList();
    }
    left.forEach(each -> each.join(limit));
  }

  /** Closes the table with its group; barriers not passed yet release their requests. */
  void close() {
    List<PendingWait> left;
    synchronized (this) {
      isClosed = true;
      left = new ArrayList<>(awaited);
      awaited.clear();
      // A barrier that all members have reached waits only for marks, which are in the queue.
      pending.removeIf(each -> !each.isComplete(each.arrived) && left.add(each));
    }
    left.forEach(each -> each.end(new CollectiveException(each.name + " ended with its group")));
  }

  // Time limits and warnings

  /** Schedules the next check of a wait; under the lock. */
  private void watch(PendingWait it) {
    if (nextCheck != null && !it.hasDeadline()) {
      return; // the next check is due within the patience
    }
    var now = System.nanoTime();
    var nanos = it.nanosUntilCheck(now);
    if (nextCheck == null || now + nanos - nextCheck < 0) {
      Long at = now + nanos;
      nextCheck = at;
      CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Thread::startVirtualThread)
          .execute(() -> check(at));
    }
  }

  private void check(Long at) {
    List<Late> late = new ArrayList<>();
    List<PendingWait> tooLate = new ArrayList<>();
    var now = System.nanoTime();
    synchronized (this) {
      if (!at.equals(nextCheck)) {
        return; // an earlier check has been scheduled meanwhile
      }
      nextCheck = null;
      pending.removeIf(each -> each.hasExpired(now) && tooLate.add(each));
      awaited.removeIf(each -> each.hasExpired(now) && tooLate.add(each));
      for (var each : all()) {
        if (each.barrier != null) {
          watch(each);
          var waited = now - each.sinceNanos;
          if (each.isDue(waited)) {
            late.add(new Late(each, each.barrier, waited));
          }
        }
      }
    }
    tooLate.forEach(this::timeOut);
    late.forEach(Late::warn);
  }

  /** A wait of which a warning is due. */
  private record Late(PendingWait pendingWait, Barrier barrier, long waitedNanos) {

    void warn() {
      pendingWait.warn(barrier, waitedNanos);
    }
  }

  private List<PendingWait> all() {
    List<PendingWait> all = new ArrayList<>(pending.all());
    all.addAll(awaited);
    return all;
  }

  private void timeOut(PendingWait it) {
    var barrier = Objects.requireNonNull(it.barrier, "only a wait of this member has a limit");
    var failure = barrier.timedOut(barrier.limit());
    var isClaimed = barrier.isClaimed();
    it.end(failure);
    if (!isClaimed) { // the requests are served although the barrier has failed
      Collectives.current().report(communicator.ref(communicator.rank()), it.name, failure);
    }
  }

  // Awaited calls

  /** Holds back all requests except the awaited calls. */
  Barrier awaitCalls(List<String> methods, int[] from, @Nullable Duration limit) {
    var calls = new AwaitedCalls(methods, from, communicator, this::completed);
    synchronized (this) {
      // Under the lock, so that a loss after this check finds these calls among the awaited ones.
      var lost = firstLost(from);
      if (lost.isPresent()) {
        throw communicator.lost(lost.getAsInt(), calls.name);
      }
      var barrier = new Barrier(calls.name, communicator, calls::missing, limit);
      if (isClosed) {
        barrier.end(new CollectiveException(calls.name + " ended with its group"));
        return barrier;
      }
      calls.begin(barrier);
      calls.gate =
          Collectives.current()
              .holdRequests(calls); // from now on they may begin; completed() takes the lock
      awaited.add(calls);
      watch(calls);
      return barrier;
    }
  }

  /** Ends the wait when all calls have begun. */
  private void completed(AwaitedCalls calls) {
    synchronized (this) {
      if (!awaited.remove(calls)) {
        return; // the wait has failed
      }
    }
    calls.end(null);
  }
}
