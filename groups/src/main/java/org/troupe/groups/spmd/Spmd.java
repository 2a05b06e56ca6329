package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.futures.FutureRuntime;
import org.troupe.groups.CollectiveException;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.Invocation;
import org.troupe.groups.Operation;
import org.troupe.groups.Reduction;
import org.troupe.groups.Slice;
import org.troupe.groups.WithPart;
import org.troupe.groups.spmd.CollectiveOperation.Kind;

/**
 * A member's view of its SPMD group: its rank, its neighbours, barriers, and collective operations.
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="member"}
 *
 * <p>Collective operations on objects, on numbers, and on {@link Slice}s of arrays:
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="objects"}
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="arrays"}
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="groups"}
 *
 * <p>Point-to-point messages between members that are running a method, where a call would have to
 * wait in the queue. They arrive in order for each pair of members, apart from all collectives:
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="point-to-point"}
 *
 * <p>What was sent and not received when the group becomes another, by {@link #survivors} or {@link
 * #reconfigure}, is dropped.
 *
 * <p>Collectives wait: all members call the same ones in the same order, each from the service of a
 * request. Members that disagree, and members that are lost, make them fail at all, by name; what
 * takes long is told in the log (after 10 s, {@code -Dtroupe.groups.patience=SECONDS}, and then in
 * growing intervals).
 *
 * <p>Members of one JVM combine, and share, what they have; where members are in several clusters,
 * what goes from one to another goes once in each direction, between one member of each. A scan
 * does so if the members of a cluster have ranks that follow each other.
 *
 * <p>The collectives of a group are counted. A member whose method throws before it comes to one
 * has not made it: the others wait for it, for ever if not {@link #within} a time, and it stays one
 * behind; errors and the log say which member is at which. Then {@link #survivors} begins anew,
 * with all that are there. A member that only gives something, such as one that is not the root of
 * a {@code reduce}, waits for nobody: that others have not made the collective it learns from the
 * next one, and not at all if there is none; where that matters, a {@link #barrier} at the end
 * finds it out.
 *
 * <p>Objects that travel are copies, except where a member keeps its own. To be used by the object
 * itself, one collective at a time; stays with it.
 *
 * @param <T> the type of the members
 */
public final class Spmd<T> {

  private final Class<T> type;
  private final Communicator communicator;
  private final CollectiveAlgorithm algorithm;
  private final Duration limit;

  private Spmd(
      Class<T> type, Communicator communicator, CollectiveAlgorithm algorithm, Duration limit) {
    this.type = type;
    this.communicator = communicator;
    this.algorithm = algorithm;
    this.limit = limit;
  }

  /**
   * Returns the view of the object that the current thread serves.
   *
   * @throws IllegalStateException if it is in no such group, or the thread serves no object
   */
  public static <T> Spmd<T> here(Class<T> type) {
    for (var each :
        Collectives.current().extensionsOfCurrent(CommunicatorExtension.class).reversed()) {
      if (!each.isPart() && type.isInstance(each.communicator().stub(each.communicator().rank()))) {
        return of(type, each);
      }
    }
    throw new IllegalStateException(
        "this object is in no group of "
            + type.getName()
            + " whose members go in step; create it with Groups.on(nodes).spmd("
            + type.getSimpleName()
            + ".class, ..), make one of what is there with Groups.spmd(..), or take it in with"
            + " reconfigure(..)");
  }

  private static <T> Spmd<T> of(Class<T> type, CommunicatorExtension extension) {
    return new Spmd<>(type, extension.communicator(), CollectiveAlgorithm.BEST, null);
  }

  /** Returns the same view restricted to one algorithm. */
  Spmd<T> by(CollectiveAlgorithm only) {
    return new Spmd<>(type, communicator, only, limit);
  }

  /** Returns this view with a time limit: its waits end with a {@link CollectiveException}. */
  public Spmd<T> within(Duration time) {
    var nanos = FutureRuntime.nanos(time);
    if (nanos <= 0) {
      throw new IllegalArgumentException("nothing ends within " + time + "; give a positive time");
    }
    return new Spmd<>(
        type, communicator, algorithm, nanos == Long.MAX_VALUE ? null : time); // for ever
  }

  // Who is who

  public int rank() {
    return communicator.rank();
  }

  public int size() {
    return communicator.size();
  }

  /** Returns a member's stub. */
  public T member(int rank) {
    return type.cast(communicator.stub(rank));
  }

  /** Returns all members' stubs, by rank. */
  public List<T> members() {
    return IntStream.range(0, size()).mapToObj(this::member).toList();
  }

  /** Returns the group itself, for calls on all members. */
  public Group<T> group() {
    return Group.of(Groups.of(type, members()));
  }

  /** Returns the topologies in which the members can be arranged, for this member's neighbours. */
  public Topologies<T> topology() {
    return new Topologies<>(this);
  }

  // Barriers

  /**
   * Lets no request begin, from here on, before all members have reached this barrier, too; but for
   * those that fellow members have sent before they reached it. Does not wait: the request that
   * calls this goes on.
   *
   * @throws IllegalStateException in an immediate method, which passes barriers
   */
  public Barrier barrier() {
    return reach("barrier()", IntStream.range(0, size()).toArray());
  }

  /** Reaches a barrier of this member and its neighbours only. */
  public Barrier barrier(Neighbours<T> neighbours) {
    if (neighbours.spmd().communicator != communicator) {
      throw new IllegalArgumentException(
          neighbours + " is of another group than " + this + "; take neighbours of this one");
    }
    return reach("barrier(" + neighbours.name() + ")", neighbours.array());
  }

  /**
   * Reaches a barrier of some members only.
   *
   * @param name together with the ranks it says which barrier this is, whenever it is reached
   * @param ranks this member's own among them
   */
  public Barrier barrier(String name, int... ranks) {
    var all = IntStream.of(ranks).sorted().distinct().toArray();
    for (var each : all) {
      checkRank(each, "the barrier '" + name + "'");
    }
    if (Arrays.binarySearch(all, rank()) < 0) {
      throw new IllegalArgumentException(
          "member %d reached the barrier '%s', which is for %s only"
              .formatted(rank(), name, Arrays.toString(all)));
    }
    return reach("barrier('" + name + "' of " + Arrays.toString(all) + ")", all);
  }

  private Barrier reach(String name, int[] ranks) {
    var others = IntStream.of(ranks).filter(each -> each != rank()).toArray();
    return communicator.barriers().reach(name, others, limit);
  }

  /**
   * Lets no request begin, from here on, but for the calls of some methods, until each of these has
   * begun once; if ranks are given, once for each of these members as its caller.
   */
  public Barrier awaitCalls(List<String> methods, int... fromRanks) {
    for (var each : fromRanks) {
      checkRank(each, "calls");
    }
    for (var each : methods) {
      if (Arrays.stream(type.getMethods()).noneMatch(one -> one.getName().equals(each))
          && Arrays.stream(type.getDeclaredMethods())
              .noneMatch(one -> one.getName().equals(each))) {
        throw new IllegalArgumentException(
            type.getName() + " has no method '" + each + "' that could be called");
      }
    }
    if (methods.isEmpty()) {
      throw new IllegalArgumentException("no method was given whose calls are to be awaited");
    }
    return communicator.barriers().awaitCalls(methods, fromRanks, limit);
  }

  private void checkRank(int rank, String what) {
    if (rank < 0 || rank >= size()) {
      throw new IllegalArgumentException(
          "there is no member %d for %s in a group of %d".formatted(rank, what, size()));
    }
  }

  // From one member to one other

  /**
   * Sends something to a member, which is to {@link #receive(int) receive} it. Returns at once:
   * what is not received yet waits there.
   *
   * @param value a copy travels
   * @throws MemberLostException if that member is lost
   */
  public void send(int to, Object value) {
    checkRank(to, "a send");
    communicator.pointToPoint().send(to, value);
  }

  /**
   * Sends numbers to a member, which is to {@link #receive(int, Slice) receive} them in a slice of
   * the same type and length. Returns at once, or, with more than a hundred kibibytes, when they
   * are on their way to the other JVM, with more than a mebibyte there: what is not received yet
   * waits there, and the slice is free to change.
   *
   * @throws MemberLostException if that member is lost
   */
  public void send(int to, Slice<?> slice) {
    checkRank(to, "a send");
    if (slice == null) { // what the compiler takes a null for
      communicator.pointToPoint().send(to, (Object) null);
    } else {
      communicator.pointToPoint().send(to, slice);
    }
  }

  /**
   * Waits for what a member sends to this one, in the order sent.
   *
   * @throws MemberLostException if that, or any other member, is lost before it has come
   * @throws CollectiveException if the member sent a slice, or not in time
   */
  @SuppressWarnings("unchecked") // both know what they say to each other
  public <V> V receive(int from) {
    checkRank(from, "a receive");
    return (V) communicator.pointToPoint().receive(from, limit);
  }

  /**
   * Waits for the numbers that a member sends to this one, in the order sent, and fills a slice
   * with them; if that fails, some of it may have been filled.
   *
   * @throws MemberLostException if that, or any other member, is lost before they have come
   * @throws CollectiveException if the member sent an object, other or more or fewer numbers, which
   *     are dropped then, or not in time
   */
  public <A> void receive(int from, Slice<A> into) {
    checkRank(from, "a receive");
    communicator.pointToPoint().receive(from, into, limit);
  }

  /**
   * Sends numbers to a member while those of the same or another one come: as {@link #send(int,
   * Slice)} and then {@link #receive(int, Slice)}, in one wait, whose time, if any, is that of
   * both. Of another JVM on the same machine, what comes meanwhile goes straight to its place,
   * which saves large slices a copy. The slices may be of one array, and may even overlap. If it
   * fails, some of what was to be filled may have been.
   *
   * @throws MemberLostException as both do
   * @throws CollectiveException as {@link #receive(int, Slice)} does
   */
  public <A> void exchange(int to, Slice<?> slice, int from, Slice<A> into) {
    checkRank(to, "an exchange");
    checkRank(from, "an exchange");
    communicator.pointToPoint().exchange(to, slice, from, into, limit);
  }

  // Collectives on objects

  /**
   * Broadcasts the root's value to all members.
   *
   * @param value of no interest at the others
   * @return a copy; at the root itself its own
   */
  public <V> V broadcast(int root, V value) {
    return this.<V>together(
        Kind.BROADCAST,
        root,
        c -> ObjectCollectives.broadcast(c, root, rank() == root ? value : null));
  }

  /**
   * Scatters the root's parts, one to each member.
   *
   * @param parts one for each member, at the root; of no interest elsewhere
   */
  public <V> V scatter(int root, List<? extends V> parts) {
    return this.<V>together(
        Kind.SCATTER,
        root,
        c -> {
          if (rank() == root) {
            checkParts(parts, "scatter"); // in here, so that it fails for all
          }
          return ObjectCollectives.scatter(c, root, parts);
        });
  }

  private void checkParts(List<?> parts, String what) {
    if (parts == null || parts.size() != size()) {
      throw new IllegalArgumentException(
          "%s was given %s parts for %d members"
              .formatted(what, parts == null ? "no" : parts.size(), size()));
    }
  }

  /** Returns the members' values by rank at the root; elsewhere an empty list. */
  public <V> List<V> gather(int root, V value) {
    return list(together(Kind.GATHER, root, c -> ObjectCollectives.gather(c, root, value)));
  }

  /** Returns the values of all members, by rank. */
  public <V> List<V> allGather(V value) {
    return list(together(Kind.ALL_GATHER, -1, c -> ObjectCollectives.allGather(c, value)));
  }

  /**
   * Exchanges parts: each member gets one part from each member.
   *
   * @param parts one for each member
   * @return one from each member, by rank
   */
  public <V> List<V> allToAll(List<? extends V> parts) {
    return list(
        together(
            Kind.ALL_TO_ALL,
            -1,
            c -> {
              checkParts(parts, "allToAll");
              return ObjectCollectives.allToAll(c, parts);
            }));
  }

  @SuppressWarnings("unchecked") // all members call the same
  private static <V> List<V> list(Object all) {
    return all == null
        ? List.of()
        : (List<V>) Collections.unmodifiableList(Arrays.asList((Object[]) all));
  }

  /**
   * Combines the members' values in the order of ranks.
   *
   * @param by associative
   * @return the result, at the root; elsewhere {@code null}
   */
  public <V> V reduce(int root, V value, BinaryOperator<V> by) {
    return this.<V>together(Kind.REDUCE, root, c -> ObjectCollectives.reduce(c, root, value, by));
  }

  /** Combines the values of all members, in the order of ranks; all members get the result. */
  public <V> V allReduce(V value, BinaryOperator<V> by) {
    return this.<V>together(Kind.ALL_REDUCE, -1, c -> ObjectCollectives.allReduce(c, value, by));
  }

  /** Combines the values of the members of lower ranks and of this one, in the order of ranks. */
  public <V> V scan(V value, BinaryOperator<V> by) {
    return this.<V>together(Kind.SCAN, -1, c -> ObjectCollectives.scan(c, value, by));
  }

  @SuppressWarnings("unchecked") // all members call the same
  private <V> V together(Kind kind, int root, Function<CollectiveOperation, Object> part) {
    return (V) together(kind, root, Object.class, null, part);
  }

  /** Runs a collective operation on objects without a root. */
  Object together(Kind kind, Function<CollectiveOperation, Object> part) {
    return together(kind, -1, Object.class, null, part);
  }

  private Object together(
      Kind kind,
      int root,
      Class<?> element,
      Operation operation,
      Function<CollectiveOperation, Object> part) {
    if (root < 0 && kind.hasRoot()) {
      checkRank(root, "a " + kind);
    }
    try (var c =
        new CollectiveOperation(communicator, algorithm, kind, root, element, operation, limit)) {
      return c.run(part);
    }
  }

  // Collectives on single numbers

  /** Returns the combined number at the root, and each member's own elsewhere. */
  public double reduce(int root, double value, Operation by) {
    Double all = number(Kind.REDUCE, root, by, value, by::on);
    return all == null ? value : all;
  }

  /** Returns the combined number at the root, and each member's own elsewhere. */
  public long reduce(int root, long value, Operation by) {
    Long all = number(Kind.REDUCE, root, by, value, by::on);
    return all == null ? value : all;
  }

  /** Returns the combined number at the root, and each member's own elsewhere. */
  public int reduce(int root, int value, Operation by) {
    Integer all = number(Kind.REDUCE, root, by, value, by::on);
    return all == null ? value : all;
  }

  /** Returns the combined number of all members. */
  public double allReduce(double value, Operation by) {
    return number(Kind.ALL_REDUCE, -1, by, value, by::on);
  }

  /** Returns the combined number of all members. */
  public long allReduce(long value, Operation by) {
    return number(Kind.ALL_REDUCE, -1, by, value, by::on);
  }

  /** Returns the combined number of all members. */
  public int allReduce(int value, Operation by) {
    return number(Kind.ALL_REDUCE, -1, by, value, by::on);
  }

  /** Returns the combined number of the members of lower ranks and this one. */
  public double scan(double value, Operation by) {
    return number(Kind.SCAN, -1, by, value, by::on);
  }

  /** Returns the combined number of the members of lower ranks and this one. */
  public long scan(long value, Operation by) {
    return number(Kind.SCAN, -1, by, value, by::on);
  }

  /** Returns the combined number of the members of lower ranks and this one. */
  public int scan(int value, Operation by) {
    return number(Kind.SCAN, -1, by, value, by::on);
  }

  @SuppressWarnings("unchecked") // all members call the same
  private <N> N number(Kind kind, int root, Operation by, N value, BinaryOperator<N> operator) {
    by.check(value instanceof Double ? double.class : long.class);
    BinaryOperator<N> alike =
        (one, other) -> {
          if (one.getClass() != other.getClass()) {
            throw new CollectiveException(
                "%s was given %s by some members and %s by others; all must give the same type"
                    .formatted(kind, nameOf(one), nameOf(other)));
          }
          return operator.apply(one, other);
        };
    Function<CollectiveOperation, Object> part =
        switch (kind) {
          case REDUCE -> c -> ObjectCollectives.reduce(c, root, value, alike);
          case ALL_REDUCE -> c -> ObjectCollectives.allReduce(c, value, alike);
          default -> c -> ObjectCollectives.scan(c, value, alike);
        };
    return (N) together(kind, root, Object.class, by, part);
  }

  private static String nameOf(Object number) {
    return number.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  // Collectives on arrays of numbers

  /** Fills the slice at all members with the root's. */
  public void broadcast(int root, Slice<?> slice) {
    numbers(Kind.BROADCAST, root, slice, null, c -> ArrayCollectives.broadcast(c, root, slice));
  }

  /**
   * Fills each member's part with its {@link Slice#block} of the root's whole.
   *
   * @param whole of no interest at the others
   */
  public <A> void scatter(int root, Slice<A> whole, Slice<A> part) {
    numbers(Kind.SCATTER, root, part, null, c -> BlockCollectives.scatter(c, root, whole, part));
  }

  /** Fills the {@link Slice#block}s of the root's whole with the members' parts. */
  public <A> void gather(int root, Slice<A> part, Slice<A> whole) {
    numbers(Kind.GATHER, root, part, null, c -> BlockCollectives.gather(c, root, part, whole));
  }

  /** Fills the {@link Slice#block}s of the whole, at all members, with the members' parts. */
  public <A> void allGather(Slice<A> part, Slice<A> whole) {
    numbers(Kind.ALL_GATHER, -1, part, null, c -> BlockCollectives.allGather(c, part, whole));
  }

  /**
   * Gives each member a {@link Slice#block} of each.
   *
   * @param parts as long as {@code received}, which is a multiple of the group's size
   */
  public <A> void allToAll(Slice<A> parts, Slice<A> received) {
    numbers(
        Kind.ALL_TO_ALL,
        -1,
        parts,
        null,
        c -> {
          checkAllToAll(parts, received);
          BlockCollectives.allToAll(c, parts, received);
        });
  }

  private void checkAllToAll(Slice<?> parts, Slice<?> received) {
    if (parts.length() != received.length() || parts.length() % size() != 0) {
      throw new IllegalArgumentException(
          "allToAll among %d members was given %d numbers to send and room for %d; both must be"
                  .formatted(size(), parts.length(), received.length())
              + " the same multiple of "
              + size()
              + ", or lists of arrays");
    }
  }

  /** Combines all members' slices, number by number, into the root's. */
  public void reduce(int root, Slice<?> slice, Operation by) {
    numbers(Kind.REDUCE, root, slice, by, c -> ArrayCollectives.reduce(c, root, slice, by));
  }

  /** Combines all members' slices, number by number, into all of them. */
  public void allReduce(Slice<?> slice, Operation by) {
    numbers(Kind.ALL_REDUCE, -1, slice, by, c -> ArrayCollectives.allReduce(c, slice, by));
  }

  /** Combines into each member's slice those of all lower ranks. */
  public void scan(Slice<?> slice, Operation by) {
    numbers(Kind.SCAN, -1, slice, by, c -> ArrayCollectives.scan(c, slice, by));
  }

  private void numbers(
      Kind kind, int root, Slice<?> slice, Operation by, Consumer<CollectiveOperation> part) {
    together(
        kind,
        root,
        slice.element(),
        by,
        c -> {
          part.accept(c);
          return null;
        });
  }

  /**
   * Returns a call that all members make together: their arguments are combined, in the order of
   * ranks, and the object is called once. All members say the same of what becomes of the answer.
   *
   * @param target a stub, the same object for all
   * @param call {@code (target, argument) -> target.take(argument)}; makes exactly one call
   */
  public <A, Q, V> Invocation<V> combined(
      A argument, Reduction<A> reduction, Q target, WithPart<? super Q, A, V> call) {
    return new CollectiveCall<>(this, argument, reduction, target, call);
  }

  // Other groups

  /**
   * Returns the group of those members that give the same colour, by their ranks here. This one
   * remains, and is what {@link #here} returns; the part goes when nobody keeps it.
   */
  public Spmd<T> split(int colour) {
    var key = Collectives.current().newKey();
    List<long[]> all = allGather(new long[] {colour, key.origin(), key.number()});
    var ranks = IntStream.range(0, size()).filter(each -> all.get(each)[0] == colour).toArray();
    var first = all.get(ranks[0]);
    return enrolled(new Key(first[1], first[2]), ranks, true);
  }

  private Spmd<T> enrolled(Key itsKey, int[] ranks, boolean isPart) {
    var stubs = IntStream.of(ranks).mapToObj(communicator::stub).toArray();
    var clusters = IntStream.of(ranks).mapToObj(each -> communicator.clusters()[each]);
    return attachedHere(
        new CommunicatorExtension(itsKey, stubs, clusters.toArray(String[]::new), isPart));
  }

  private Spmd<T> attachedHere(CommunicatorExtension extension) {
    Collectives.current().attachToCurrent(extension);
    return new Spmd<>(type, extension.taken(), algorithm, limit);
  }

  private void leave() {
    communicator.barriers().close();
    Collectives.current().detachFromCurrent(communicator.key());
  }

  /**
   * Takes more objects into the group. All members call this; from now on they use the group that
   * it returns, and so do the joiners from their next request on. Waits for the barriers that this
   * member has reached; calls that it awaits are awaited no longer.
   *
   * @param joiners those that rank 0 gives; they get the next ranks
   */
  public Spmd<T> reconfigure(List<? extends T> joiners) {
    var words =
        this.<Object[]>together(
            Kind.RECONFIGURE,
            0,
            c -> {
              communicator.barriers().join(limit);
              return ObjectCollectives.broadcast(
                  c, 0, rank() == 0 ? CommunicatorFactory.joined(communicator, joiners) : null);
            });
    var extension =
        new CommunicatorExtension(
            new Key((Long) words[0], (Long) words[1]),
            (Object[]) words[2],
            (String[]) words[3],
            communicator.isPart());
    leave();
    return attachedHere(extension);
  }

  /**
   * Returns the group of those members that are not lost, by their ranks here; all of them agree on
   * who that is. All that are left call this; from now on they use the group that it returns.
   */
  public Spmd<T> survivors() {
    try (var c =
        new CollectiveOperation(
            communicator, algorithm, Kind.SURVIVORS, -1, Object.class, null, limit)) {
      var decision = new SurvivorAgreement(communicator, c).reach();
      var group = enrolled(decision.key(), decision.ranks(), communicator.isPart());
      leave();
      return group;
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "member %d of %d %s", rank(), size(), type.getSimpleName());
  }
}
