package org.troupe.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Request;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.activeobjects.spi.Hold;

/** The barriers that a member has not passed yet. May be shared between threads. */
final class Barriers {

  /*
   * What a barrier promises: a request that a member sends after it has reached the barrier begins nowhere among those
   * concerned before all have reached it, and those sent before may still begin; so what a step has sent is served
   * before what the next step sends. Who reaches it tells each of the others, directly: on the same way as requests,
   * so behind those sent before. The news passes the queue, for a thread that waits in join(); behind the requests that
   * are in the queue by then a mark goes its way, and from that mark on the member's requests are held. When the last
   * mark is taken, nothing of before is left, and the hold ends. A mark never passes requests of its own member, not
   * even those that an earlier barrier still holds: they would be held by the later one too, and what they belong before
   * would pass them.
   *
   * A barrier is known by its name and how often a member has reached one of that name, so that members who are at
   * different barriers find each other in the end. The name of that of all members need not travel.
   */
  private static final String OF_ALL = "barrier()";

  private final Seat seat;
  private final Map<Id, Pending> pending = new HashMap<>(); // under this
  private final Map<String, Integer> reached = new HashMap<>(); // by name, under this
  private boolean isWatched; // under this
  private boolean isClosed; // under this

  Barriers(Seat seat) {
    this.seat = seat;
  }

  private record Id(String name, int number) {}

  /** One that somebody has reached, and not everybody. */
  private final class Pending implements Hold.Gate {

    // Under Barriers
    final BitSet arrived = new BitSet();
    final BitSet marked = new BitSet();
    BitSet others; // null until this member has reached it
    Barrier barrier;
    final String name;
    final Map<Integer, Supplier<String>> behind = new ConcurrentHashMap<>(); // of marks, by rank
    long sinceNanos; // that it has not gone on
    long dueNanos = Seat.patienceNanos(); // when to complain, since then
    Hold hold;

    // Read under locks of the body, which come before ours
    private volatile boolean isReached;
    private volatile Ref<?>[] held = {};

    Pending(Id id) {
      name = id.name();
    }

    @Override
    public boolean admits(Request request) {
      for (var each : held) {
        if (Hold.isFrom(request, each)) {
          return false;
        }
      }
      return !isReached || isOfOneStillToCome(request);
    }

    private boolean isOfOneStillToCome(Request request) {
      for (var each = others.nextSetBit(0); each >= 0; each = others.nextSetBit(each + 1)) {
        if (Hold.isFrom(request, seat.ref(each))) {
          return true;
        }
      }
      return false;
    }

    void mark(int rank) {
      marked.set(rank);
      held = marked.stream().mapToObj(seat::ref).toArray(Ref<?>[]::new);
    }

    List<Integer> missing() {
      synchronized (Barriers.this) {
        var missing = (BitSet) others.clone();
        missing.andNot(arrived);
        return missing.stream().boxed().toList();
      }
    }

    boolean isComplete(BitSet which) {
      return others != null && others.stream().allMatch(which::get);
    }

    /** All have reached it; what follows now is another wait. */
    void begunAnew() {
      sinceNanos = System.nanoTime();
      dueNanos = Seat.patienceNanos();
    }

    /** Without locks: somebody may turn out to be lost. */
    void complain(long waitedNanos) {
      var missing = missing();
      if (!missing.isEmpty()) {
        seat.complain(name, missing, waitedNanos, barrier.limit());
        return;
      }
      for (var each : unmarked()) {
        var request = behind.get(each);
        seat.complainOfRequest(name, each, request == null ? null : request.get(), waitedNanos);
      }
    }

    private List<Integer> unmarked() {
      synchronized (Barriers.this) {
        var unmarked = (BitSet) others.clone();
        unmarked.andNot(marked);
        return unmarked.stream().boxed().toList();
      }
    }
  }

  /**
   * This member has reached a barrier.
   *
   * @param name the same for all concerned
   * @param others those who have to reach it too
   */
  Barrier reach(String name, int[] others, Duration limit) {
    Pending it;
    Id id;
    Hold free = null;
    var isPassed = false;
    OptionalInt lost;
    synchronized (this) {
      // Under the lock, so that who is lost from now on finds this among what is pending.
      lost = IntStream.of(others).filter(seat::isLost).findFirst();
      id = new Id(name, reached.merge(name, 1, Integer::sum));
      it = pending.computeIfAbsent(id, Pending::new);
      if (it.hold == null) {
        try {
          it.hold = Hold.requests(it);
        } catch (IllegalStateException e) {
          reached.merge(name, -1, Integer::sum);
          if (it.arrived.isEmpty()) {
            pending.remove(id);
          }
          throw e;
        }
      }
      it.others = new BitSet();
      // From here on it counts, even if somebody is lost: fellow members may have reached it.
      IntStream.of(others).forEach(it.others::set);
      it.begunAnew();
      it.barrier = new Barrier(name, seat, it::missing, limit);
      it.isReached = true;
      isPassed = it.isComplete(it.arrived);
      if (lost.isPresent() || isClosed || it.isComplete(it.marked)) {
        pending.remove(id);
        free = it.hold;
      }
      watch();
    }
    for (var each : others) { // also with a loss: who has heard of the lost one waits for this only
      seat.send(
          each,
          Seat.BARRIER,
          Integer.toUnsignedLong(id.number()),
          name.equals(OF_ALL) ? null : name);
    }
    if (lost.isPresent()) {
      free.release();
      throw seat.lost(lost.getAsInt(), name);
    }
    if (isPassed) {
      it.barrier.end(null);
    }
    if (free != null) {
      free.release();
    }
    return it.barrier;
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
    synchronized (this) {
      var own = reached.getOrDefault(id.name(), 0);
      if (isClosed || (own - number >= 0 && !pending.containsKey(id))) {
        return; // it has failed here
      }
      it = pending.computeIfAbsent(id, Pending::new);
      it.arrived.set(from);
      if (it.isComplete(it.arrived)) {
        passed = it.barrier;
        it.begunAnew();
      }
    }
    var behind = Attachment.inTurn(seat.ref(seat.rank()), seat.ref(from), () -> marked(from, id));
    it.behind.put(from, behind);
    if (passed != null) {
      passed.end(null);
    }
  }

  /** In the object's turn, behind what the member had sent before. */
  private void marked(int from, Id id) {
    Hold free = null;
    synchronized (this) {
      var it = pending.get(id);
      if (it == null) {
        return; // it failed
      }
      it.mark(from);
      if (it.hold == null) {
        try {
          it.hold = Hold.requests(it);
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

  /** Barriers that a member can no longer reach fail. */
  void lost(int rank) {
    List<Pending> failed = new ArrayList<>();
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
    }
    for (var each : failed) {
      if (each.barrier != null) {
        each.barrier.end(seat.lost(rank, each.name));
      }
      if (each.hold != null) {
        each.hold.release();
      }
    }
  }

  /** The group is no more; nothing is held for it any longer. */
  void close() {
    List<Pending> left;
    synchronized (this) {
      isClosed = true;
      left = List.copyOf(pending.values());
      pending.clear();
    }
    for (var each : left) {
      if (each.barrier != null) {
        each.barrier.end(new CollectiveException(each.name + " ended with its group"));
      }
      if (each.hold != null) {
        each.hold.release();
      }
    }
  }

  // Complaints

  /** Looks after a while whether any of these barriers is still not passed. */
  private void watch() {
    if (isWatched) {
      return;
    }
    isWatched = true;
    CompletableFuture.delayedExecutor(Seat.patienceNanos(), TimeUnit.NANOSECONDS)
        .execute(this::look);
  }

  private void look() {
    Map<Pending, Long> late = new LinkedHashMap<>();
    var now = System.nanoTime();
    synchronized (this) {
      isWatched = false;
      for (var each : pending.values()) {
        if (each.isReached) {
          watch();
          var waited = now - each.sinceNanos;
          if (waited >= each.dueNanos) {
            late.put(each, waited);
            each.dueNanos = Seat.nextComplaint(waited);
          }
        }
      }
    }
    late.forEach(Pending::complain);
  }

  // Calls that are waited for

  /** Holds all requests but some that are awaited. */
  Barrier awaitCalls(List<String> methods, int[] from, Duration limit) {
    var calls = new AwaitedCalls(methods, from);
    calls.barrier =
        new Barrier("awaitCalls(" + String.join(", ", methods) + ")", seat, calls::missing, limit);
    calls.hold = Hold.requests(calls);
    return calls.barrier;
  }

  private final class AwaitedCalls implements Hold.Gate {

    private record Call(String method, int from) {} // from ANYBODY if it does not matter

    private static final int ANYBODY = -1;

    private final List<Call> awaited = new ArrayList<>(); // under itself
    private Barrier barrier;
    private Hold hold;

    AwaitedCalls(List<String> methods, int[] from) {
      for (var method : methods) {
        if (from.length == 0) {
          awaited.add(new Call(method, ANYBODY));
        }
        for (var rank : from) {
          awaited.add(new Call(method, rank));
        }
      }
    }

    @Override
    public boolean admits(Request request) {
      synchronized (awaited) {
        return awaited.isEmpty() || find(request) != null;
      }
    }

    @Override
    public void begins(Request request) {
      synchronized (awaited) {
        var found = find(request);
        if (found == null) {
          return;
        }
        awaited.remove(found);
        if (!awaited.isEmpty()) {
          return;
        }
      }
      Thread.startVirtualThread( // this one has locks of the body
          () -> {
            hold.release();
            barrier.end(null);
          });
    }

    private Call find(Request request) {
      for (var each : awaited) {
        if (request.isFor(each.method)
            && (each.from == ANYBODY || Hold.isFrom(request, seat.ref(each.from)))) {
          return each;
        }
      }
      return null;
    }

    List<Integer> missing() {
      synchronized (awaited) {
        return awaited.stream().map(Call::from).filter(each -> each >= 0).distinct().toList();
      }
    }
  }
}
