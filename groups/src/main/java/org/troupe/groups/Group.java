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
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.CallTimeoutException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.GroupCall;
import org.troupe.activeobjects.collective.Recipients;
import org.troupe.futures.FutureResult;
import org.troupe.futures.FutureRuntime;
import org.troupe.futures.Futures;
import org.troupe.futures.Outcome;
import org.troupe.groups.internal.ArrivalOrder;
import org.troupe.groups.internal.SpmdEnrolment;
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
  private final @Nullable List<Ref<?>> refs; // null if a member is not an active object
  private final @Nullable Duration limit; // null: each reference has its own
  private volatile @Nullable Recipients recipients; // divided by nodes at the first call
  private volatile @Nullable T all;
  private volatile @Nullable Results<T> latestResults; // null before the first

  Group(Class<T> type, List<? extends Member<T>> members) {
    this(type, members, null, null);
  }

  private Group(
      Class<T> type,
      List<? extends Member<T>> members,
      @Nullable Duration limit,
      @Nullable Results<T> latest) {
    this.type = type;
    this.members =
        limit == null ? members : members.stream().map(each -> each.within(limit)).toList();
    this.refs = refsOf(this.members);
    this.limit = limit;
    this.latestResults = latest;
    noteArrivals();
  }

  /** Returns a group of other members with the same type and limit. */
  private Group<T> with(List<? extends Member<T>> others) {
    return new Group<>(type, others, limit, null);
  }

  private static @Nullable List<Ref<?>> refsOf(List<? extends Member<?>> members) {
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
              + "; read them with toList(), stream() or get(rank)"); // without the cause, which
      // fills pages
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
              + " is no typed group; Groups.on(..).create(..), Groups.of(..) and calls on typed groups"
              + " return typed groups");
    }
    return (Group<T>) group;
  }

  /** Returns whether an object is a typed group; waits for a future. */
  public static boolean isGroup(@Nullable Object object) {
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

  /** Returns the number of members, at least 1. */
  public int size() {
    return members.size();
  }

  /** Returns a member: a stub, a typed group, or a future if it has not arrived yet. */
  public T get(int rank) {
    requireRank(rank);
    return members.get(rank).object();
  }

  /** Returns the rank of a member, or -1 if the object is not a member; never waits. */
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

  /** Returns a group with further members appended. */
  @SafeVarargs
  public final Group<T> plus(T... more) {
    var together = new ArrayList<Member<T>>(members);
    for (T each : more) {
      together.add(Member.of(type, together.size(), each));
    }
    return with(together);
  }

  /**
   * Returns a group without some members, each removed wherever it occurs.
   *
   * @throws IllegalArgumentException if one of them is not a member, or no member would remain
   */
  @SafeVarargs
  public final Group<T> minus(T... fewer) {
    var gone = new ArrayList<T>();
    for (var each : fewer) {
      gone.add(each);
      if (rank(each) < 0) {
        throw new IllegalArgumentException(
            Member.describe(each)
                + ", which minus(..) was to remove, is no member of "
                + this
                + "; to remove a group, pass its members()");
      }
    }
    var left = members.stream().filter(each -> gone.stream().noneMatch(each::is)).toList();
    if (left.isEmpty()) {
      throw new IllegalArgumentException(
          "all members of " + this + " were to be removed, and no group is empty");
    }
    return with(left);
  }

  /** Returns a group with the members of another group appended, without duplicates. */
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
   * Returns the group of the members with certain ranks, in the same order.
   *
   * @throws IllegalArgumentException if no rank is selected
   */
  public Group<T> select(IntPredicate ranks) {
    return select(IntStream.range(0, size()).filter(ranks).toArray());
  }

  /**
   * Returns the group of the members with these ranks, in the order given; a member whose rank is
   * given twice is a member twice, and gets each call twice.
   *
   * @throws IllegalArgumentException if no rank is given
   */
  public Group<T> select(int... ranks) {
    if (ranks.length == 0) {
      throw new IllegalArgumentException(
          "none of the " + size() + " members was selected, and no group is empty");
    }
    return with(Arrays.stream(ranks).map(this::requireRank).mapToObj(this::member).toList());
  }

  /**
   * Splits the group by colour: members with the same colour form a group, with the colour as its
   * key.
   */
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
   * Returns this group with a time limit on its calls: a member that has not answered in time fails
   * with a {@link CallTimeoutException}, as with {@link Ref#within}. The limit does not apply to
   * one-way calls or to calls on ordinary objects of this JVM, and is not sent with the group.
   */
  public Group<T> within(Duration time) {
    if (FutureRuntime.nanos(time) <= 0) {
      throw new IllegalArgumentException(
          "no call can be answered within " + time + "; give a positive time");
    }
    return new Group<>(type, members, time, null);
  }

  /**
   * Makes the lambda's call on all members; returns at once.
   *
   * @param call run here, once, on a recorder, as {@link Ref#ask}
   */
  public <V> Results<V> ask(Ref.Asked<? super T, V> call) {
    return each(call).gather();
  }

  /**
   * Makes the lambda's call on all members; returns at once.
   *
   * @return completes when all members have served it, or with a {@link GroupCallException}
   */
  public CompletableFuture<Void> tell(Ref.Told<? super T> call) {
    return new GroupInvocation<T, Void>(this, recorded(call)).served().whenServed();
  }

  /** Prepares a call on all members; {@link #select} restricts it to some. */
  public <V> Invocation<V> each(Ref.Asked<? super T, V> call) {
    return new GroupInvocation<>(this, Collectives.current().record(type, call, true));
  }

  /** Prepares a call on all members whose result, if any, is not used. */
  public Invocation<Void> tellEach(Ref.Told<? super T> call) {
    return new GroupInvocation<>(this, recorded(call));
  }

  /** Prepares a call on one member; its answer has the rank 0 in the results. */
  public <V> Invocation<V> one(int rank, Ref.Asked<? super T, V> call) {
    return select(rank).each(call);
  }

  /** Prepares a call on one member whose result, if any, is not used. */
  public Invocation<Void> tellOne(int rank, Ref.Told<? super T> call) {
    return select(rank).tellEach(call);
  }

  /**
   * Prepares a call on all members, with arguments by rank: {@code byRank((solver, rank) ->
   * solver.probe(points[rank]))}.
   */
  public <V> Invocation<V> byRank(ByRank<? super T, V> call) {
    return calls(
        rank -> Collectives.current().<T>record(type, member -> call.on(member, rank), true));
  }

  /** Prepares a call with arguments by rank whose result, if any, is not used. */
  public Invocation<Void> tellByRank(ByRank.Told<? super T> call) {
    return calls(rank -> recorded(member -> call.on(member, rank)));
  }

  /**
   * Prepares a call on all members, each with its part of a whole: {@code
   * scatter(Scatter.blocks(field), Solver::take)}.
   *
   * @throws IllegalArgumentException if the number of parts is not that of the members
   */
  public <P, V> Invocation<V> scatter(Scatter<P> whole, WithPart<? super T, P, V> call) {
    return calls(
        rank -> {
          var part =
              whole.part(rank, size()); // outside the recorded call, as user code may throw here
          return Collectives.current().<T>record(type, member -> call.on(member, part), true);
        });
  }

  /** Prepares a call with a part for each member whose result, if any, is not used. */
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

  @SuppressWarnings("NullAway") // such a call has no result
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
   * Makes a checkpoint of a group in step: an image of each member in a store, made as a request in
   * the member's turn. Returns at once. Requests behind it wait at each member until all members
   * have made their images, and are served while the images are written.
   *
   * <p>The checkpoint counts only if the images are of one moment between two steps: no member has
   * called another one, or sent it a message, that the other has not served or received, and all
   * have run equally many collectives. Otherwise it fails, and the former checkpoint stands. When
   * the images of all members are stable, those of the former checkpoint are deleted. A checkpoint
   * is asked for by the caller of the steps, so that each member gets both in the same order.
   *
   * <p>A store holds the checkpoints of one group of a type. References to other members stand in
   * an image for their ranks; views ({@code Spmd}) and everything else that cannot be encoded must
   * be in {@code transient} fields. Effects of {@code @Immediate} methods that run meanwhile may be
   * lost. Classes with a service loop or {@code @Concurrent} methods have no checkpoints.
   *
   * {@snippet file="org/troupe/groups/snippets/GroupSnippets.java" region="checkpoint"}
   *
   * @param store a place that the nodes of all members reach
   * @return completes when the checkpoint is stable, or with a {@link CollectiveException} that
   *     says why it does not count
   * @throws IllegalArgumentException if a member is no active object
   */
  public CompletableFuture<Checkpoint> checkpoint(Store store) {
    Objects.requireNonNull(store, "the store of a checkpoint is null");
    if (refs == null) {
      throw new IllegalArgumentException(
          "a member of "
              + this
              + " is no active object, or has not arrived yet; only groups of Groups.on(..).spmd(..)"
              + " have checkpoints");
    }
    return SpmdEnrolment.provider()
        .checkpoint(
            type,
            refs,
            store,
            generation -> new Checkpoint(store, type.getName(), size(), generation));
  }

  /**
   * Terminates the members that are active objects, after the requests sent to them before. Members
   * on a lost node count as terminated.
   *
   * @return completes when they have terminated
   */
  public CompletableFuture<Void> terminate() {
    FutureResult<Void> end = Collectives.current().result(() -> "the end of " + this);
    CompletableFuture.allOf(ends().toArray(CompletableFuture<?>[]::new))
        .whenComplete(
            (none, failure) ->
                end.settle(
                    failure == null
                        ? Outcome.withoutValue()
                        : new Outcome.Failure<>(causeOf(failure))));
    return end.asCompletableFuture(); // its stages run as requests of the object that adds them
  }

  private Stream<CompletableFuture<?>> ends() {
    return members.stream()
        .map(Member::object)
        .filter(member -> !Futures.isAwaited(member))
        .flatMap(Group::endOf);
  }

  private static Stream<CompletableFuture<?>> endOf(Object member) {
    if (GroupStub.isGroupStub(member)) {
      return of(member).ends();
    }
    return ActiveObjects.isStub(member)
        ? Stream.of(ActiveObjects.ref(member).terminate())
        : Stream.of();
  }

  private static Throwable causeOf(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /**
   * Returns the members as results to wait for, which settle as the members arrive: for a group of
   * results that are still awaited. A member on which calls were made in the meantime arrives when
   * these calls are served.
   */
  public Results<T> results() {
    var known = latestResults;
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
    latestResults = changed;
    return changed;
  }

  /** Records the order of arrival of members that are still awaited. */
  void noteArrivals() {
    if (refs == null) {
      results();
    }
  }

  // For invocations

  /** Returns the references of the members; {@code null} if a member is not an active object. */
  @Nullable List<Ref<?>> refs() {
    return refs;
  }

  /**
   * Returns the members prepared for calls on all of them; {@code null} if a member is not an
   * active object.
   */
  @Nullable Recipients recipients() {
    var known = recipients;
    if (known == null && refs != null) {
      known = Collectives.current().recipients(refs);
      recipients = known;
    }
    return known;
  }

  /** Returns the time limit of an answer; {@code null} if the members' references decide. */
  @Nullable Duration limit() {
    return limit;
  }

  /** Returns the objects that represent the members when the group is sent. */
  List<T> serializedForm() {
    return members.stream().map(Member::serializedForm).toList();
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
  public boolean equals(@Nullable Object other) {
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
