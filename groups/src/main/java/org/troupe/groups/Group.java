package org.troupe.groups;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.spi.Multicast;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.stubs.NotReifiableException;
import org.troupe.stubs.Stubs;

/**
 * The handle of a typed group: its members in the order of their ranks. Immutable, never empty; may
 * be shared between threads.
 *
 * <pre>{@code
 * Group<Solver> group = Group.of(all);
 * Results<Double> energies = group.ask(Solver::energy);
 * group.select(rank -> rank % 2 == 0).all().step(dt);
 * }</pre>
 *
 * @param <T> the class or interface by which the members are called
 */
public final class Group<T> implements Iterable<T> {

  private final Class<T> type;
  private final List<? extends Member<T>> members;
  private final List<Ref<?>> refs; // null if not all are active objects
  private volatile T all;

  Group(Class<T> type, List<? extends Member<T>> members) {
    this.type = type;
    this.members = members;
    this.refs = refsOf(members);
  }

  private static List<Ref<?>> refsOf(List<? extends Member<?>> members) {
    var refs = new ArrayList<Ref<?>>(members.size());
    for (var member : members) {
      if (!(member instanceof Member.Active<?> active)) {
        return null;
      }
      refs.add(active.ref());
    }
    return refs;
  }

  static <V> Group<V> ofResults(Class<V> type, List<FutureResult<V>> results, String call) {
    try {
      Stubs.define(type);
    } catch (NotReifiableException e) {
      throw new IllegalStateException(
          "the answers to " + call + " cannot be a typed group: " + e.getMessage(), e);
    }
    return new Group<>(
        type,
        results.stream().map(each -> new Element<>(type, each, each::describe, true)).toList());
  }

  /**
   * Returns the handle of a typed group; waits if it is a future.
   *
   * @throws IllegalArgumentException if the object is no typed group
   */
  @SuppressWarnings("unchecked") // the view of type T is of a group of T
  public static <T> Group<T> of(T typed) {
    var group = TypedView.groupOf(typed);
    if (group == null) {
      throw new IllegalArgumentException(
          (typed == null ? "null" : "an object of " + typed.getClass().getName())
              + " is no typed group; those come from Groups.on(..).create(..), from Groups.of(..)"
              + " and as results of calls on them");
    }
    return (Group<T>) group;
  }

  /** Says whether an object is a typed group; waits if it is a future. */
  public static boolean isGroup(Object object) {
    return TypedView.groupOf(object) != null;
  }

  /** Returns the group as if it were one object: a call on it is a call on all members. */
  public T all() {
    var known = all;
    if (known == null) {
      known = Stubs.define(type).newStub(new TypedView<>(this));
      all = known;
    }
    return known;
  }

  /** Returns the class or interface by which the members are called. */
  public Class<T> type() {
    return type;
  }

  /** Returns how many members there are, at least 1. */
  public int size() {
    return members.size();
  }

  /** Returns a member: a stub, a typed group, or a future if it is not here yet. */
  public T get(int rank) {
    requireRank(rank);
    return members.get(rank).object();
  }

  /** Returns the rank of a member, or -1 if the object is none; never waits. */
  public int rank(T member) {
    for (var rank = 0; rank < size(); rank++) {
      if (members.get(rank).is(member)) {
        return rank;
      }
    }
    return -1;
  }

  /** Returns the members in the order of their ranks. */
  public List<T> members() {
    return stream().toList();
  }

  /** Returns the members in the order of their ranks. */
  public Stream<T> stream() {
    return members.stream().map(Member::object);
  }

  @Override
  public Iterator<T> iterator() {
    return stream().iterator();
  }

  // Other groups

  /** Returns a group that has further members, behind these. */
  @SafeVarargs
  public final Group<T> plus(T... more) {
    var together = new ArrayList<Member<T>>(members);
    for (T each : more) {
      together.add(Groups.member(type, together.size(), each));
    }
    return new Group<>(type, together);
  }

  /**
   * Returns a group that lacks some members.
   *
   * @throws IllegalArgumentException if one of them is no member, or if none would be left
   */
  @SafeVarargs
  public final Group<T> minus(T... fewer) {
    var gone = new ArrayList<Integer>();
    for (var each : fewer) {
      var rank = rank(each);
      if (rank < 0) {
        throw new IllegalArgumentException("an object to leave out is no member of " + this);
      }
      gone.add(rank);
    }
    return select(rank -> !gone.contains(rank));
  }

  /** Returns a group that has the members of another one behind these, each of them once. */
  public Group<T> union(Group<? extends T> other) {
    var together = new ArrayList<Member<T>>(members);
    for (T each : other) {
      if (rank(each) < 0) {
        together.add(Member.of(type, each));
      }
    }
    return new Group<>(type, together);
  }

  /**
   * Returns the group of some members, in the same order.
   *
   * @throws IllegalArgumentException if that would be none
   */
  public Group<T> select(IntPredicate ranks) {
    return select(IntStream.range(0, size()).filter(ranks).toArray());
  }

  /**
   * Returns the group of the members with these ranks, in the order given.
   *
   * @throws IllegalArgumentException if that would be none
   */
  public Group<T> select(int... ranks) {
    if (ranks.length == 0) {
      throw new IllegalArgumentException(
          "none of the " + size() + " members was selected, and no group is empty");
    }
    return new Group<>(
        type, Arrays.stream(ranks).map(this::requireRank).mapToObj(this::member).toList());
  }

  /** Returns the groups of the members of the same colour, by colour. */
  public SortedMap<Integer, Group<T>> split(IntUnaryOperator colourOfRank) {
    var colours = IntStream.range(0, size()).map(colourOfRank).toArray();
    var groups = new TreeMap<Integer, Group<T>>();
    for (var colour : colours) {
      groups.computeIfAbsent(colour, same -> select(rank -> colours[rank] == same));
    }
    return groups;
  }

  // Calls

  /**
   * Makes the call that the lambda makes on all members; returns at once.
   *
   * @param call run here, once, on a recorder, as {@link Ref#ask}
   */
  public <V> Results<V> ask(Ref.Asked<? super T, V> call) {
    return each(call).gather();
  }

  /**
   * Makes the call that the lambda makes on all members; returns at once.
   *
   * @return completes when all members have served it, or with a {@link GroupFailure}
   */
  public CompletableFuture<Void> tell(Ref.Told<? super T> call) {
    return new Calls<T, Void>(this, recorded(call)).served().whenServed();
  }

  /** A call on all members; those of a subset are called by {@link #select}. */
  public <V> Invocation<V> each(Ref.Asked<? super T, V> call) {
    return new Calls<>(this, Multicast.recorded(type, call, true));
  }

  /** The same where the method returns nothing, or nothing of interest. */
  public Invocation<Void> tellEach(Ref.Told<? super T> call) {
    return new Calls<>(this, recorded(call));
  }

  /** A call on one member; of the answers this is the only one, with the index 0. */
  public <V> Invocation<V> one(int rank, Ref.Asked<? super T, V> call) {
    return select(rank).each(call);
  }

  /** The same where the method returns nothing, or nothing of interest. */
  public Invocation<Void> tellOne(int rank, Ref.Told<? super T> call) {
    return select(rank).tellEach(call);
  }

  /**
   * A call on all members, each with its own arguments: {@code byRank((solver, rank) ->
   * solver.probe(points[rank]))}.
   */
  public <V> Invocation<V> byRank(ByRank<? super T, V> call) {
    return calls(rank -> Multicast.<T>recorded(type, member -> call.on(member, rank), true));
  }

  /** The same where the method returns nothing, or nothing of interest. */
  public Invocation<Void> tellByRank(ByRank.Told<? super T> call) {
    return calls(rank -> recorded(member -> call.on(member, rank)));
  }

  /**
   * A call on all members, each with its part of a whole: {@code scatter(Scatter.blocks(field),
   * Solver::take)}.
   *
   * @throws IllegalArgumentException if there is not a part for each member
   */
  public <P, V> Invocation<V> scatter(Scatter<P> whole, WithPart<? super T, P, V> call) {
    return calls(
        rank -> {
          var part = whole.part(rank, size()); // here: what it throws is not the call's
          return Multicast.<T>recorded(type, member -> call.on(member, part), true);
        });
  }

  /** The same where the method returns nothing, or nothing of interest. */
  public <P> Invocation<Void> tellScatter(
      Scatter<P> whole, WithPart.Told<? super T, ? super P> call) {
    return calls(
        rank -> {
          var part = whole.part(rank, size());
          return recorded(member -> call.on(member, part));
        });
  }

  private <V> Invocation<V> calls(IntFunction<Multicast> callOfRank) {
    return new Calls<>(this, IntStream.range(0, size()).mapToObj(callOfRank).toList());
  }

  private Multicast recorded(Ref.Told<? super T> call) {
    return Multicast.<T>recorded(
        type,
        member -> {
          call.on(member);
          return null;
        },
        false);
  }

  /**
   * Ends the members that are active objects when they have served what was sent before; those on a
   * node that is lost have ended with it.
   *
   * @return completes when they have ended
   */
  public CompletableFuture<Void> terminate() {
    return CompletableFuture.allOf(
        members.stream()
            .map(Member::object)
            .filter(member -> !Futures.isAwaited(member))
            .flatMap(Group::endOf)
            .toArray(CompletableFuture<?>[]::new));
  }

  private static Stream<CompletableFuture<Void>> endOf(Object member) {
    if (TypedView.isOne(member)) {
      return Stream.of(of(member).terminate());
    }
    return ActiveObjects.isStub(member) ? Stream.of(ended(ActiveObjects.ref(member))) : Stream.of();
  }

  private static CompletableFuture<Void> ended(Ref<?> member) {
    var end = new CompletableFuture<Void>();
    try {
      member
          .terminate()
          .whenCompleteAsync( // no stage of an active object that waits for this
              (none, failure) -> settle(end, failure), Runnable::run);
    } catch (NodeLostException gone) {
      settle(end, gone);
    }
    return end;
  }

  private static void settle(CompletableFuture<Void> end, Throwable failure) {
    var cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
    if (cause == null || cause instanceof NodeLostException) {
      end.complete(null);
    } else {
      end.completeExceptionally(cause);
    }
  }

  // Waiting

  /** Says whether members are still to come; never waits. */
  public boolean isAwaited() {
    return refs == null && results().isAwaited();
  }

  /** Waits until all members are here, failed ones too. */
  public void awaitAll() {
    results().awaitAll();
  }

  /**
   * The same for some time.
   *
   * @throws TimeoutException if the time is over; the message names the missing
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public void awaitAll(Duration timeout) throws TimeoutException, InterruptedException {
    results().awaitAll(timeout);
  }

  /** Waits until a member is here, and returns the one that came first. */
  public T awaitAny() {
    return get(results().awaitAny().rank());
  }

  /** The same for some time. */
  public T awaitAny(Duration timeout) throws TimeoutException, InterruptedException {
    return get(results().awaitAny(timeout).rank());
  }

  /** Waits until so many members are here, and returns them as they came. */
  public List<T> awaitN(int count) {
    return objects(results().awaitN(count));
  }

  /** The same for some time. */
  public List<T> awaitN(int count, Duration timeout) throws TimeoutException, InterruptedException {
    return objects(results().awaitN(count, timeout));
  }

  /** Returns the members in the order in which they come; the stream waits for each. */
  public Stream<T> arrived() {
    return results().arrived().map(outcome -> get(outcome.rank()));
  }

  /** Waits for what becomes of each member. */
  public List<Outcome<T>> outcomes() {
    return results().outcomes();
  }

  private List<T> objects(List<Outcome<T>> outcomes) {
    return outcomes.stream().map(outcome -> get(outcome.rank())).toList();
  }

  private Results<T> results() {
    return new Results<>(
        "the calls that gave " + this,
        type,
        members.stream().map(Member::result).toList(),
        this::where);
  }

  // For the calls

  List<Ref<?>> refs() {
    return refs;
  }

  /** What the members travel as. */
  List<T> travelling() {
    return members.stream().map(Member::travelling).toList();
  }

  Member<T> member(int rank) {
    return members.get(rank);
  }

  String where(int rank) {
    return members.get(rank).where();
  }

  int requireRank(int rank) {
    if (rank < 0 || rank >= size()) {
      throw new IndexOutOfBoundsException(
          "rank " + rank + " is none of " + this + ", whose ranks are 0 to " + (size() - 1));
    }
    return rank;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Group<?> group && type == group.type && members.equals(group.members);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, members);
  }

  @Override
  public String toString() {
    return "a group of " + size() + " " + type.getSimpleName();
  }
}
