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
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.futures.Waiting;
import org.troupe.groups.internal.ArrivalOrder;
import org.troupe.stubs.NotReifiableException;
import org.troupe.stubs.Reifiable;
import org.troupe.stubs.Stubs;

/**
 * The handle of a typed group: its members in the order of their ranks. Immutable, never empty; may
 * be shared between threads.
 *
 * {@snippet file="org/troupe/groups/snippets/GroupSnippets.java" region="group"}
 *
 * @param <T> the class or interface by which the members are called
 */
public final class Group<T> implements Iterable<T> {

  private final Class<T> type;
  private final List<? extends Member<T>> members;
  private final List<Ref<?>> refs; // null if not all are active objects
  private final Duration limit; // null: that of the members' references
  private volatile T all;
  private volatile Results<T> coming; // as was noted last; null until then

  Group(Class<T> type, List<? extends Member<T>> members) {
    this(type, members, null, null);
  }

  private Group(
      Class<T> type, List<? extends Member<T>> members, Duration limit, Results<T> coming) {
    this.type = type;
    this.members =
        limit == null ? members : members.stream().map(each -> each.within(limit)).toList();
    this.refs = refsOf(this.members);
    this.limit = limit;
    this.coming = coming;
    noteArrivals();
  }

  /** The same kind of group of other members. */
  private Group<T> with(List<? extends Member<T>> others) {
    return new Group<>(type, others, limit, null);
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

  static <V> Group<V> ofResults(Class<V> type, Results<V> results) {
    try {
      Stubs.define(type);
    } catch (NotReifiableException e) {
      var problems = Reifiable.of(type).problems();
      throw new IllegalStateException(
          "no typed group can stand for the answers to "
              + results.call()
              + (problems.isEmpty() ? "" : ": " + problems.getFirst().what())
              + "; read them with toList(), stream() or get(rank)"); // the exception itself would
      // go on for pages
    }
    return new Group<>(
        type,
        results.answers().stream()
            .map(each -> new DeferredMember<>(type, each, each::describe, true))
            .toList(),
        null,
        results);
  }

  /**
   * Returns the handle of a typed group; waits if it is a future.
   *
   * @throws IllegalArgumentException if the object is no typed group
   */
  @SuppressWarnings("unchecked") // the view of type T is of a group of T
  public static <T> Group<T> of(T typed) {
    var group = GroupStub.groupOf(typed);
    if (group == null) {
      throw new IllegalArgumentException(
          Member.describe(typed)
              + " is no typed group; those come from Groups.on(..).create(..), from Groups.of(..)"
              + " and as results of calls on them");
    }
    return (Group<T>) group;
  }

  /** Says whether an object is a typed group; waits if it is a future. */
  public static boolean isGroup(Object object) {
    return GroupStub.groupOf(object) != null;
  }

  /** Returns the group as if it were one object: a call on it is a call on all members. */
  public T all() {
    var known = all;
    if (known == null) {
      known = Stubs.define(type).newStub(new GroupStub<>(this));
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
      together.add(Member.of(type, together.size(), each));
    }
    return with(together);
  }

  /**
   * Returns a group that lacks some members, wherever they are in this one.
   *
   * @throws IllegalArgumentException if one of them is no member, or if none would be left
   */
  @SafeVarargs
  public final Group<T> minus(T... fewer) {
    var gone = new ArrayList<T>();
    for (var each : fewer) {
      gone.add(each);
      if (rank(each) < 0) {
        throw new IllegalArgumentException(
            Member.describe(each)
                + ", which is to be left out, is no member of "
                + this
                + "; of a group leave out its members()");
      }
    }
    var left = members.stream().filter(each -> gone.stream().noneMatch(each::is)).toList();
    if (left.isEmpty()) {
      throw new IllegalArgumentException(
          "all members of " + this + " are to be left out, and no group is empty");
    }
    return with(left);
  }

  /** Returns a group that has the members of another one behind these, each of them once. */
  public Group<T> union(Group<? extends T> other) {
    var together = new ArrayList<Member<T>>(members);
    for (T each : other) {
      if (rank(each) < 0) {
        together.add(Member.of(type, each));
      }
    }
    return with(together);
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
   * Returns the group of the members with these ranks, in the order given; a rank given twice makes
   * its member two of the group, which gets each call twice.
   *
   * @throws IllegalArgumentException if that would be none
   */
  public Group<T> select(int... ranks) {
    if (ranks.length == 0) {
      throw new IllegalArgumentException(
          "none of the " + size() + " members was selected, and no group is empty");
    }
    return with(Arrays.stream(ranks).map(this::requireRank).mapToObj(this::member).toList());
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
   * Returns the same group, whose calls end with a {@link CallTimeoutException} for each member
   * that has not answered in time, as those of {@link Ref#within}. One-way calls have no limit, nor
   * have calls of ordinary objects of this JVM; nor does a limit travel.
   */
  public Group<T> within(Duration time) {
    if (Waiting.nanos(time) <= 0) {
      throw new IllegalArgumentException(
          "no call can be answered within " + time + "; give a positive time");
    }
    return new Group<>(type, members, time, null);
  }

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
   * @return completes when all members have served it, or with a {@link GroupCallException}
   */
  public CompletableFuture<Void> tell(Ref.Told<? super T> call) {
    return new GroupInvocation<T, Void>(this, recorded(call)).served().whenServed();
  }

  /** A call on all members; those of a subset are called by {@link #select}. */
  public <V> Invocation<V> each(Ref.Asked<? super T, V> call) {
    return new GroupInvocation<>(this, Collectives.current().record(type, call, true));
  }

  /** The same where the method returns nothing, or nothing of interest. */
  public Invocation<Void> tellEach(Ref.Told<? super T> call) {
    return new GroupInvocation<>(this, recorded(call));
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
    return calls(
        rank -> Collectives.current().<T>record(type, member -> call.on(member, rank), true));
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
          return Collectives.current().<T>record(type, member -> call.on(member, part), true);
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

  private <V> Invocation<V> calls(IntFunction<GroupCall> callOfRank) {
    return new GroupInvocation<>(this, IntStream.range(0, size()).mapToObj(callOfRank).toList());
  }

  private GroupCall recorded(Ref.Told<? super T> call) {
    return Collectives.current()
        .<T>record(
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
    FutureResult<Void> end = Collectives.current().result(() -> "the end of " + this);
    CompletableFuture.allOf(ends().toArray(CompletableFuture<?>[]::new))
        .whenComplete(
            (none, failure) ->
                end.settle(
                    failure == null
                        ? new Outcome.Success<>(null)
                        : new Outcome.Failure<>(causeOf(failure))));
    return end.asCompletableFuture(); // so that stages are requests of the object that hangs them
  }

  private Stream<CompletableFuture<?>> ends() {
    return members.stream()
        .map(Member::object)
        .filter(member -> !Futures.isAwaited(member))
        .flatMap(Group::endOf);
  }

  private static Stream<CompletableFuture<?>> endOf(Object member) {
    if (GroupStub.isOne(member)) {
      return of(member).ends();
    }
    return ActiveObjects.isStub(member) ? Stream.of(ended(ActiveObjects.ref(member))) : Stream.of();
  }

  private static CompletableFuture<?> ended(Ref<?> member) {
    try {
      return member
          .terminate()
          .exceptionallyAsync( // no stage of an active object that waits for this
              failure -> {
                if (causeOf(failure) instanceof NodeLostException) {
                  return null; // it has ended with its node
                }
                throw new CompletionException(causeOf(failure));
              },
              Runnable::run);
    } catch (NodeLostException gone) {
      return CompletableFuture.completedFuture(null);
    }
  }

  private static Throwable causeOf(Throwable failure) {
    return failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
  }

  /**
   * Returns the members as results to wait for, which settle as the members arrive: for a group of
   * results that are still awaited. A member on which calls were made in the meantime arrives when
   * these calls are served.
   */
  public Results<T> results() {
    var known = coming;
    var results =
        IntStream.range(0, size())
            .mapToObj(
                rank ->
                    known != null && members.get(rank) instanceof Member.Active<T>
                        ? known.answers().get(rank)
                        : members.get(rank).result())
            .toList();
    if (known != null && known.answers().equals(results)) {
      return known;
    }
    var changed =
        new Results<>(
            "the calls that gave " + this,
            () -> type,
            results,
            ArrivalOrder.of(results),
            this::where);
    coming = changed;
    return changed;
  }

  /** Notes in which order members come from now on, if some are still to come. */
  void noteArrivals() {
    if (refs == null) {
      results();
    }
  }

  // For the calls

  List<Ref<?>> refs() {
    return refs;
  }

  /** How long an answer may take; {@code null} if that is for the members' references to say. */
  Duration limit() {
    return limit;
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
