package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
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
   * A member that reaches a barrier announces it directly to each of the others, over the same
   * connection as requests and so behind those sent before. The announcement overtakes the queue,
   * for a thread that waits in join(). A mark is put into the queue behind the requests that are
   * there, and from that mark on the member's requests are held. When the last mark is taken, no
   * earlier request remains and the hold ends. A mark never overtakes requests of its own member,
   * not even those that an earlier barrier still holds, as requests that must follow them would
   * overtake them. Requests behind a mark do not overtake it before all have reached the barrier;
   * afterwards they may, if they are admitted: awaited calls, for which older requests wait.
   *
   * Identity
   *
   * A barrier is identified by its name and by the number of times that a member has reached one of
   * that name, so members at different barriers are matched in the end. The name of the barrier of
   * all members is not sent.
   */
  private static final String OF_ALL = "barrier()";

  private final Communicator communicator;
  private final Map<Id, Pending> pending = new HashMap<>(); // under this
  private final List<AwaitedCalls> awaited = new ArrayList<>(); // under this
  private final Map<String, Integer> reached = new HashMap<>(); // by name, under this
  private Long nextLook; // under this; null if there is nothing to look after
  private boolean isClosed; // under this

  BarrierTable(Communicator communicator) {
    this.communicator = communicator;
  }

  private record Id(String name, int number) {}

  /** A gate that holds requests until other members have done their part. */
  private abstract static class Wait implements RequestGate.Gate {

    // Under Barriers
    final String name;
    Barrier barrier; // null until this member waits, too
    RequestGate hold;
    long sinceNanos; // that it has not gone on
    long dueNanos = Communicator.patienceNanos(); // when to complain, since then
    private Long deadline;

    Wait(String name) {
      this.name = name;
    }

    /** This member waits from now on. */
    void begin(Barrier its) {
      barrier = its;
      begunAnew();
      deadline = its.limit() == null ? null : (Long) (sinceNanos + its.limit().toNanos());
    }

    /** What follows now is another wait. */
    void begunAnew() {
      sinceNanos = System.nanoTime();
      dueNanos = Communicator.patienceNanos();
      deadline = null;
    }

    /** Returns the time until this wait has to be checked. */
    long nanosUntilLook(long now) {
      var patience = Communicator.patienceNanos();
      return deadline == null ? patience : Math.min(patience, deadline - now);
    }

    boolean isTooLate(long now) {
      return deadline != null && deadline - now <= 0;
    }

    /** Logs a complaint; called without locks, as a member may turn out to be lost. */
    abstract void complain(long waitedNanos);

    /** Ends the wait after its removal from the table; on any thread, without locks. */
    void end(RuntimeException why) {
      if (barrier != null) {
        barrier.end(why);
      }
      if (hold != null) {
        hold.release();
      }
    }
  }

  /** A barrier that some members have reached, but not all. */
  private final class Pending extends Wait {

    // Under Barriers
    final BitSet arrived = new BitSet();
    final BitSet marked = new BitSet();
    BitSet others; // null until this member has reached it
    final Map<Integer, Supplier<String>> behind = new ConcurrentHashMap<>(); // of marks, by rank

    // Read under locks of the body, which come before ours
    private volatile boolean isReached;
    private volatile boolean isReachedByAll; // or ended otherwise
    private volatile Ref<?>[] held = {};

    Pending(Id id) {
      super(id.name());
    }

    @Override
    public boolean admits(Request request) {
      for (var each : held) {
        if (Collectives.current().isFrom(request, each)) {
          return false;
        }
      }
      return !isReached || isOfOneStillToCome(request);
    }

    private boolean isOfOneStillToCome(Request request) {
      for (var each = others.nextSetBit(0); each >= 0; each = others.nextSetBit(each + 1)) {
        if (Collectives.current().isFrom(request, communicator.ref(each))) {
          return true;
        }
      }
      return false;
    }

    /** Says whether requests that a member sends after reaching this barrier have to wait. */
    boolean keeps() {
      return !isReachedByAll;
    }

    /**
     * All have reached it.
     *
     * @param marks how many marks are in the queue, or behind it
     * @return the gate that admits more requests now, or {@code null}
     */
    RequestGate reachedByAll(int marks) {
      begunAnew();
      isReachedByAll = true;
      return marks > marked.cardinality() ? hold : null;
    }

    @Override
    void end(RuntimeException why) {
      isReachedByAll = true;
      super.end(why);
    }

    void mark(int rank) {
      marked.set(rank);
      held = marked.stream().mapToObj(communicator::ref).toArray(Ref<?>[]::new);
    }

    List<Integer> missing() {
      synchronized (BarrierTable.this) {
        var missing = (BitSet) others.clone();
        missing.andNot(arrived);
        return missing.stream().boxed().toList();
      }
    }

    boolean isComplete(BitSet which) {
      return others != null && others.stream().allMatch(which::get);
    }

    @Override
    void complain(long waitedNanos) {
      var missing = missing();
      if (!missing.isEmpty()) {
        communicator.complain(name, missing, Communicator.DO_ALL, waitedNanos, barrier.limit());
        return;
      }
      for (var each : unmarked()) {
        var request = behind.get(each);
        var stuck = request == null ? null : request.get();
        if (stuck != null) { // else this member is busy itself, and nothing wrong
          communicator.complainOfRequest(name, each, stuck, waitedNanos);
        }
      }
    }

    private List<Integer> unmarked() {
      synchronized (BarrierTable.this) {
        var unmarked = (BitSet) others.clone();
        unmarked.andNot(marked);
        return unmarked.stream().boxed().toList();
      }
    }
  }

  /**
   * Records that this member has reached a barrier, and announces it to the others.
   *
   * @param name the same at all members concerned
   * @param others the other members that have to reach it
   */
  Barrier reach(String name, int[] others, Duration limit) {
    var step = enter(name, others, limit);
    // Also after a loss: a member that already knows of the loss waits only for this message.
    for (var each : others) {
      communicator.send(
          each,
          Communicator.BARRIER,
          Integer.toUnsignedLong(step.id().number()),
          name.equals(OF_ALL) ? null : name);
    }
    if (step.lost().isPresent()) {
      step.released().release();
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
    return step.barrier();
  }

  /**
   * The transition of a barrier when this member reaches it, to be completed without the lock.
   *
   * @param lost a member that can no longer reach it
   * @param isPassed whether all others had reached it before
   * @param released the gate that no longer holds requests, or {@code null}
   * @param changed the gate that now admits more requests, or {@code null}
   */
  private record Transition(
      Id id,
      Barrier barrier,
      OptionalInt lost,
      boolean isPassed,
      RequestGate released,
      RequestGate changed) {}

  private synchronized Transition enter(String name, int[] others, Duration limit) {
    // Under the lock, so that a member lost from now on finds this barrier among the pending ones.
    var lost = IntStream.of(others).filter(communicator::isLost).findFirst();
    var id = new Id(name, reached.merge(name, 1, Integer::sum));
    var it = pending.computeIfAbsent(id, Pending::new);
    if (it.hold == null) {
      try {
        it.hold = Collectives.current().holdRequests(it);
      } catch (IllegalStateException e) {
        reached.merge(name, -1, Integer::sum);
        if (it.arrived.isEmpty()) {
          pending.remove(id);
        }
        throw e;
      }
    }
    it.others = new BitSet();
    // The barrier counts from here on, even after a loss: other members may have reached it.
    IntStream.of(others).forEach(it.others::set);
    it.begin(new Barrier(name, communicator, it::missing, limit));
    it.isReached = true;
    var isPassed = it.isComplete(it.arrived);
    var changed = isPassed ? it.reachedByAll(it.arrived.cardinality()) : null;
    if (lost.isPresent() || isClosed || it.isComplete(it.marked)) {
      pending.remove(id);
      return new Transition(id, it.barrier, lost, isPassed, it.hold, changed);
    }
    watch(it);
    return new Transition(id, it.barrier, lost, isPassed, null, changed);
  }

  /**
   * Another member has reached a barrier. On a thread that must not wait.
   *
   * @param name or {@code null}
   * @param number how often it has reached one of that name
   */
  void received(int from, int number, String name) {
    var id = new Id(name == null ? OF_ALL : name, number);
    Pending it;
    Barrier passed = null;
    RequestGate stuck = null;
    synchronized (this) {
      var own = reached.getOrDefault(id.name(), 0);
      if (isClosed || (own - number >= 0 && !pending.containsKey(id))) {
        return; // it has failed here
      }
      it = pending.computeIfAbsent(id, Pending::new);
      it.arrived.set(from);
      if (it.isComplete(it.arrived)) {
        passed = it.barrier;
        stuck = it.reachedByAll(it.arrived.cardinality() - 1); // but for this one's
      }
    }
    var behind =
        Collectives.current()
            .runInTurn(
                communicator.ref(communicator.rank()),
                communicator.ref(from),
                () -> marked(from, id),
                it::keeps);
    it.behind.put(from, behind);
    if (stuck != null) {
      stuck.changed();
    }
    if (passed != null) {
      passed.end(null);
    }
  }

  /** Takes a mark, in the object's turn, behind the requests that the member had sent before. */
  private void marked(int from, Id id) {
    RequestGate free = null;
    synchronized (this) {
      var it = pending.get(id);
      if (it == null) {
        return; // it failed
      }
      it.mark(from);
      if (it.hold == null) {
        try {
          it.hold = Collectives.current().holdRequests(it);
        } catch (IllegalStateException e) {
          return; // the object has ended
        }
      }
      if (it.isComplete(it.marked)) {
        pending.remove(id);
        free = it.hold;
      }
    }
    if (free != null) {
      free.release();
    }
  }

  /** Fails the waits to which a lost member can no longer contribute. */
  void lost(int rank) {
    List<Wait> failed = new ArrayList<>();
    synchronized (this) {
      pending
          .values()
          .removeIf(
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

  /** Waits until all have reached those barriers that this member has reached. */
  void join(Duration limit) {
    List<Barrier> left;
    synchronized (this) {
      left = pending.values().stream().map(each -> each.barrier).filter(Objects::nonNull).toList();
    }
    left.forEach(each -> each.join(limit));
  }

  /** Closes the table with its group; barriers not passed yet release their requests. */
  void close() {
    List<Wait> left;
    synchronized (this) {
      isClosed = true;
      left = new ArrayList<>(awaited);
      awaited.clear();
      // One that all have reached only waits for marks, which are in the queue.
      pending.values().removeIf(each -> !each.isComplete(each.arrived) && left.add(each));
    }
    left.forEach(each -> each.end(new CollectiveException(each.name + " ended with its group")));
  }

  // Complaints

  /** Schedules the next check of a wait; under the lock. */
  private void watch(Wait it) {
    var now = System.nanoTime();
    var nanos = it.nanosUntilLook(now);
    if (nextLook == null || now + nanos - nextLook < 0) {
      Long at = now + nanos;
      nextLook = at;
      CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Thread::startVirtualThread)
          .execute(() -> look(at));
    }
  }

  private void look(Long at) {
    Map<Wait, Long> late = new LinkedHashMap<>();
    List<Wait> tooLate = new ArrayList<>();
    var now = System.nanoTime();
    synchronized (this) {
      if (!at.equals(nextLook)) {
        return; // another one was needed earlier
      }
      nextLook = null;
      pending.values().removeIf(each -> each.isTooLate(now) && tooLate.add(each));
      awaited.removeIf(each -> each.isTooLate(now) && tooLate.add(each));
      for (var each : all()) {
        if (each.barrier != null) {
          watch(each);
          var waited = now - each.sinceNanos;
          if (waited >= each.dueNanos) {
            late.put(each, waited);
            each.dueNanos = Communicator.nextComplaint(waited);
          }
        }
      }
    }
    tooLate.forEach(this::giveUp);
    late.forEach(Wait::complain);
  }

  private List<Wait> all() {
    List<Wait> all = new ArrayList<>(pending.values());
    all.addAll(awaited);
    return all;
  }

  private void giveUp(Wait it) {
    var failure = it.barrier.timedOut(it.barrier.limit());
    var isClaimed = it.barrier.isClaimed();
    it.end(failure);
    if (!isClaimed) { // requests are served that it should have kept
      Collectives.current().report(communicator.ref(communicator.rank()), it.name, failure);
    }
  }

  // Calls that are waited for

  /** Holds all requests but some that are awaited. */
  Barrier awaitCalls(List<String> methods, int[] from, Duration limit) {
    var calls = new AwaitedCalls(methods, from);
    synchronized (this) {
      // Under the lock, so that who is lost from now on finds this among what is awaited.
      var lost = IntStream.of(from).filter(communicator::isLost).findFirst();
      if (lost.isPresent()) {
        throw communicator.lost(lost.getAsInt(), calls.name);
      }
      var barrier = new Barrier(calls.name, communicator, calls::missing, limit);
      if (isClosed) {
        barrier.end(new CollectiveException(calls.name + " ended with its group"));
        return barrier;
      }
      calls.begin(barrier);
      calls.hold =
          Collectives.current()
              .holdRequests(calls); // they may begin now; what follows then takes the lock
      awaited.add(calls);
      watch(calls);
      return barrier;
    }
  }

  /** All calls have begun. */
  private void come(AwaitedCalls calls) {
    synchronized (this) {
      if (!awaited.remove(calls)) {
        return; // it failed
      }
    }
    calls.end(null);
  }

  private final class AwaitedCalls extends Wait {

    private record Call(String method, int from) {} // ANYBODY: from any caller

    private static final int ANYBODY = -1;

    private final List<Call> missing = new ArrayList<>(); // under itself

    AwaitedCalls(List<String> methods, int[] from) {
      super("awaitCalls(" + String.join(", ", methods) + ")");
      for (var method : methods) {
        if (from.length == 0) {
          missing.add(new Call(method, ANYBODY));
        }
        for (var rank : from) {
          missing.add(new Call(method, rank));
        }
      }
    }

    @Override
    public boolean admits(Request request) {
      synchronized (missing) {
        return find(request) != null; // also when all have begun: older ones are freed first
      }
    }

    @Override
    public void begins(Request request) {
      synchronized (missing) {
        var found = find(request);
        if (found == null) {
          return;
        }
        missing.remove(found);
        if (!missing.isEmpty()) {
          return;
        }
      }
      Thread.startVirtualThread( // this one has locks of the body
          () -> come(this));
    }

    private Call find(Request request) {
      for (var each : missing) {
        if (request.isFor(each.method)
            && (each.from == ANYBODY
                || Collectives.current().isFrom(request, communicator.ref(each.from)))) {
          return each;
        }
      }
      return null;
    }

    @Override
    void complain(long waitedNanos) {
      communicator.complainOfCalls(name, missing(), waitedNanos, barrier.limit());
    }

    List<Integer> missing() {
      synchronized (missing) {
        return missing.stream().map(Call::from).filter(each -> each >= 0).distinct().toList();
      }
    }
  }
}
