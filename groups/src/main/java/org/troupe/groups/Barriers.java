package org.troupe.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
   * different barriers find each other in the end.
   */
  private static final int NUMBER_BITS = 32;
  private static final int NAME_MASK = 0x1fffffff;

  private final Place place;
  private final Map<Long, Pending> pending = new HashMap<>(); // under this
  private final Map<Integer, Integer> reached = new HashMap<>(); // by name, under this
  private boolean isWatched; // under this
  private boolean isClosed; // under this

  Barriers(Place place) {
    this.place = place;
  }

  /** One that somebody has reached, and not everybody. */
  private final class Pending implements Hold.Gate {

    // Under Barriers
    final BitSet arrived = new BitSet();
    final BitSet marked = new BitSet();
    BitSet others; // null until this member has reached it
    Barrier barrier;
    String name;
    long sinceNanos;
    Hold hold;

    // Read under locks of the body, which come before ours
    private volatile boolean isReached;
    private volatile Ref<?>[] held = {};

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
        if (Hold.isFrom(request, place.ref(each))) {
          return true;
        }
      }
      return false;
    }

    void mark(int rank) {
      marked.set(rank);
      held = marked.stream().mapToObj(place::ref).toArray(Ref<?>[]::new);
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
  }

  /**
   * This member has reached a barrier.
   *
   * @param name the same for all concerned
   * @param others those who have to reach it too
   */
  Barrier reach(String name, int[] others, Duration limit) {
    Pending it;
    long id;
    Hold free = null;
    var isPassed = false;
    OptionalInt lost;
    synchronized (this) {
      // Under the lock, so that who is lost from now on finds this among what is pending.
      lost = IntStream.of(others).filter(place::isLost).findFirst();
      var key = name.hashCode() & NAME_MASK;
      var number = reached.merge(key, 1, Integer::sum);
      id = (long) key << NUMBER_BITS | Integer.toUnsignedLong(number);
      it = pending.computeIfAbsent(id, each -> new Pending());
      if (it.hold == null) {
        try {
          it.hold = Hold.requests(it);
        } catch (IllegalStateException e) {
          reached.merge(key, -1, Integer::sum);
          if (it.arrived.isEmpty()) {
            pending.remove(id);
          }
          throw e;
        }
      }
      it.others = new BitSet();
      // From here on it counts, even if somebody is lost: fellow members may have reached it.
      IntStream.of(others).forEach(it.others::set);
      it.name = name;
      it.sinceNanos = System.nanoTime();
      it.barrier = new Barrier(name, place, it::missing, limit);
      it.isReached = true;
      isPassed = it.isComplete(it.arrived);
      if (lost.isPresent() || isClosed || it.isComplete(it.marked)) {
        pending.remove(id);
        free = it.hold;
      }
      watch();
    }
    for (var each : others) { // also with a loss: who has heard of the lost one waits for this only
      place.send(each, Place.BARRIER, id, null);
    }
    if (lost.isPresent()) {
      free.release();
      throw place.lost(lost.getAsInt(), name);
    }
    if (isPassed) {
      it.barrier.end(null);
    }
    if (free != null) {
      free.release();
    }
    return it.barrier;
  }

  /** Another member has reached a barrier. On a thread that must not wait. */
  void received(int from, long id) {
    Barrier passed = null;
    synchronized (this) {
      var number = reached.getOrDefault((int) (id >>> NUMBER_BITS), 0);
      if (isClosed || (number - (int) id >= 0 && !pending.containsKey(id))) {
        return; // it has failed here
      }
      var it = pending.computeIfAbsent(id, each -> new Pending());
      it.arrived.set(from);
      if (it.isComplete(it.arrived)) {
        passed = it.barrier;
      }
    }
    Attachment.inTurn(place.ref(place.rank()), place.ref(from), () -> marked(from, id));
    if (passed != null) {
      passed.end(null);
    }
  }

  /** In the object's turn, behind what the member had sent before. */
  private void marked(int from, long id) {
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
        each.barrier.end(place.lost(rank, each.name));
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
    CompletableFuture.delayedExecutor(Place.patienceNanos(), TimeUnit.NANOSECONDS)
        .execute(this::look);
  }

  private void look() {
    List<Pending> late = new ArrayList<>();
    var now = System.nanoTime();
    synchronized (this) {
      isWatched = false;
      for (var each : pending.values()) {
        if (each.isReached) {
          watch();
          if (now - each.sinceNanos >= Place.patienceNanos() && !each.isComplete(each.arrived)) {
            late.add(each);
          }
        }
      }
    }
    for (var each : late) {
      place.complain(each.name, each.missing(), Duration.ofNanos(now - each.sinceNanos));
    }
  }

  // Calls that are waited for

  /** Holds all requests but some that are awaited. */
  Barrier awaitCalls(List<String> methods, int[] from, Duration limit) {
    var calls = new AwaitedCalls(methods, from);
    calls.barrier =
        new Barrier("awaitCalls(" + String.join(", ", methods) + ")", place, calls::missing, limit);
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
            && (each.from == ANYBODY || Hold.isFrom(request, place.ref(each.from)))) {
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
