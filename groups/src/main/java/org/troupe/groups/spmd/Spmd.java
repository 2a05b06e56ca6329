package org.troupe.groups.spmd;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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

/**
 * A member's view of its SPMD group: its rank, its neighbours, barriers, point-to-point messages
 * and collective operations.
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="member"}
 *
 * <p>There are collective operations on objects, on numbers, and on {@link Slice}s of arrays:
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="objects"}
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="arrays"}
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="groups"}
 *
 * <p>Point-to-point messages reach a member while it runs a method, when a call would wait in its
 * queue. The messages of each pair of members arrive in order, independently of collectives:
 *
 * {@snippet file="org/troupe/groups/snippets/SpmdSnippets.java" region="point-to-point"}
 *
 * <p>{@link #survivors} and {@link #reconfigure} drop all messages that have not been received.
 *
 * <p>Collectives block: all members call the same collectives in the same order, each while it
 * serves a request. If members call different ones, or a member is lost, the collective fails at
 * all members, and the exception names them. A long wait is logged, first after 10 s ({@code
 * -Dtroupe.groups.patience=SECONDS}) and then in growing intervals.
 *
 * <p>Members in one JVM combine their values in memory. Members in several JVMs of one host share
 * memory for broadcasts and reductions of numbers, and for small slices that one member sends to
 * another, if the transport permits it. Between clusters, data crosses once in each direction,
 * between one member of each cluster; for scans and reductions of objects, only if the members of
 * each cluster have consecutive ranks.
 *
 * <p>Each member counts the collectives of a group. A member whose method throws before a
 * collective has not called it: the others wait for this member, without limit unless {@link
 * #within} sets one, and the member stays one collective behind. Errors and the log name the
 * collective that each member has reached. After {@link #survivors}, all remaining members count
 * from zero again. A member that only contributes a value, such as one that is not the root of a
 * {@code reduce}, does not wait. It learns from the next collective that others have not called the
 * previous one; a {@link #barrier} at the end makes sure that there is a next one.
 *
 * <p>Objects that are sent are copied, except where a member keeps its own. A view belongs to its
 * object, which runs one collective at a time, and cannot be sent.
 *
 * @param <T> the type of the members
 */
public final class Spmd<T> {

  private final Class<T> type;
  private final Communicator communicator;
  private final CollectiveRunner collectives;

  private Spmd(Class<T> type, CollectiveRunner collectives) {
    this.type = type;
    this.communicator = collectives.communicator();
    this.collectives = collectives;
  }

  /**
   * Returns the view of the object that the current thread serves.
   *
   * @throws IllegalStateException if the object is in no SPMD group of this type, or the thread
   *     serves no object
   */
  public static <T> Spmd<T> here(Class<T> type) {
    for (var each :
        Collectives.current().extensionsOfCurrent(CommunicatorExtension.class).reversed()) {
      var its = each.communicator();
      if (!each.isSubgroup() && its != null && type.isInstance(its.stub(its.rank()))) {
        return new Spmd<>(type, new CollectiveRunner(its, CollectiveAlgorithm.BEST, null));
      }
    }
    throw new IllegalStateException(
        "this object is in no group of "
            + type.getName()
            + " that is an SPMD group; create it with Groups.on(nodes).spmd("
            + type.getSimpleName()
            + ".class, ..), make existing objects members with Groups.spmd(..), or add it to a group"
            + " with reconfigure(..)");
  }

  /** Returns the same view restricted to one algorithm. */
  Spmd<T> by(CollectiveAlgorithm only) {
    return new Spmd<>(type, collectives.with(only));
  }

  /**
   * Returns this view with a time limit, after which a wait ends with a {@link
   * CollectiveException}.
   */
  public Spmd<T> within(Duration time) {
    var nanos = FutureRuntime.nanos(time);
    if (nanos <= 0) {
      throw new IllegalArgumentException("nothing ends within " + time + "; give a positive time");
    }
    var isUnlimited = nanos == Long.MAX_VALUE;
    return new Spmd<>(type, collectives.within(isUnlimited ? null : time));
  }

  // Members

  /** Returns this member's rank, from 0. */
  public int rank() {
    return communicator.rank();
  }

  /** Returns the number of members. */
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
   * Holds back this member's requests until all members have reached this barrier, except requests
   * that other members sent before they reached it. Does not block: the request that calls this
   * method continues.
   *
   * @throws IllegalStateException in an immediate method, which passes barriers
   */
  public Barrier barrier() {
    return communicator.barriers().reachAll(collectives.limit());
  }

  /** Reaches a barrier of this member and its neighbours. */
  public Barrier barrier(Neighbours<T> neighbours) {
    if (neighbours.spmd().communicator != communicator) {
      throw new IllegalArgumentException(
          neighbours + " is of another group than " + this + "; take neighbours of this one");
    }
    return reach("barrier(" + neighbours.name() + ")", neighbours.array());
  }

  /**
   * Reaches a barrier of some members.
   *
   * @param name identifies the barrier together with the ranks, each time it is reached
   * @param ranks the members of the barrier, including this one
   */
  public Barrier barrier(String name, int... ranks) {
    var all = IntStream.of(ranks).sorted().distinct().toArray();
    for (var each : all) {
      checkRank(each, "the barrier '" + name + "'");
    }
    if (Arrays.binarySearch(all, rank()) < 0) {
      throw new IllegalArgumentException(
          "member %d reached the barrier '%s', which is for %s only; give its rank, too, or let it not reach this one"
              .formatted(rank(), name, Arrays.toString(all)));
    }
    return reach("barrier('" + name + "' of " + Arrays.toString(all) + ")", all);
  }

  private Barrier reach(String name, int[] ranks) {
    var others = IntStream.of(ranks).filter(each -> each != rank()).toArray();
    return communicator.barriers().reach(name, others, collectives.limit());
  }

  /**
   * Holds back this member's requests, except calls of some methods, until a call of each of these
   * methods has begun; if ranks are given, a call from each of these members.
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
    return communicator.barriers().awaitCalls(methods, fromRanks, collectives.limit());
  }

  private void checkRank(int rank, String what) {
    if (rank < 0 || rank >= size()) {
      throw new IllegalArgumentException(
          "there is no member %d for %s in a group of %d, whose ranks are 0 to %d"
              .formatted(rank, what, size(), size() - 1));
    }
  }

  // Point-to-point messages

  /**
   * Sends an object to a member, which must {@link #receive(int) receive} it. Returns at once; the
   * member's node keeps the object until then.
   *
   * @param value copied
   * @throws MemberLostException if that member is lost
   */
  public void send(int to, @Nullable Object value) {
    checkRank(to, "a send");
    communicator.pointToPoint().send(to, value);
  }

  /**
   * Sends numbers to a member, which must {@link #receive(int, Slice) receive} them into a slice of
   * the same type and length. Returns when the slice may be changed: at once, with more than 100
   * KiB when they have been written to the other JVM, with more than 1 MiB when they have arrived
   * there. The member's node keeps them until they are received.
   *
   * @throws MemberLostException if that member is lost
   */
  public void send(int to, @Nullable Slice<?> slice) {
    checkRank(to, "a send");
    if (slice == null) { // the compiler chooses this method for a null
      communicator.pointToPoint().send(to, (Object) null);
    } else {
      communicator.pointToPoint().send(to, slice);
    }
  }

  /**
   * Receives the next object that a member sends to this one; waits for it.
   *
   * @throws MemberLostException if that member, or any other, is lost before it has arrived
   * @throws CollectiveException if the member sent a slice, or nothing in time
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // sender and receiver agree on V, perhaps nullable
  public <V> V receive(int from) {
    checkRank(from, "a receive");
    return (V) communicator.pointToPoint().receive(from, collectives.limit());
  }

  /**
   * Receives the next numbers that a member sends to this one into a slice; waits for them. After a
   * failure, a part of the slice may have been filled.
   *
   * @throws MemberLostException if that member, or any other, is lost before they have arrived
   * @throws CollectiveException if the member sent an object, or numbers of another type or count,
   *     which are dropped, or nothing in time
   */
  public <A> void receive(int from, Slice<A> into) {
    checkRank(from, "a receive");
    communicator.pointToPoint().receive(from, into, collectives.limit());
  }

  /**
   * Sends numbers to a member and receives numbers from the same or another one: {@link #send(int,
   * Slice)} and {@link #receive(int, Slice)} in one wait, with one time limit. Numbers from another
   * JVM of this machine that arrive meanwhile are read directly into the slice, which saves a copy
   * of large slices. The slices may belong to one array and may overlap. After a failure, a part of
   * the slice to fill may have been filled.
   *
   * @throws MemberLostException if one of these members is lost, or any other before the numbers
   *     have arrived
   * @throws CollectiveException if the numbers received are not as expected, or not in time
   */
  public <A> void exchange(int to, Slice<?> slice, int from, Slice<A> into) {
    checkRank(to, "an exchange");
    checkRank(from, "an exchange");
    communicator.pointToPoint().exchange(to, slice, from, into, collectives.limit());
  }

  // Collectives on objects

  /**
   * Broadcasts the root's value to all members.
   *
   * @param value ignored at the other members
   * @return a copy of the value; at the root, the value itself
   */
  public <V> V broadcast(int root, V value) {
    return collectives.run(
        OperationKind.BROADCAST,
        root,
        c -> ObjectCollectives.broadcast(c, root, rank() == root ? value : null));
  }

  /**
   * Distributes the root's parts, one to each member.
   *
   * @param parts one for each member; ignored at the other members
   */
  public <V> V scatter(int root, @Nullable List<? extends V> parts) {
    return collectives.run(
        OperationKind.SCATTER,
        root,
        c -> {
          if (rank() == root) {
            checkParts(parts, "scatter"); // in the operation, so that it fails at all members
          }
          return ObjectCollectives.scatter(c, root, parts);
        });
  }

  private void checkParts(@Nullable List<?> parts, String what) {
    if (parts == null || parts.size() != size()) {
      throw new IllegalArgumentException(
          "%s was given %s parts for %d members; give one part for each"
              .formatted(what, parts == null ? "no" : parts.size(), size()));
    }
  }

  /** Returns the members' values by rank at the root; elsewhere an empty list. */
  public <V> List<V> gather(int root, V value) {
    return list(
        collectives.run(OperationKind.GATHER, root, c -> ObjectCollectives.gather(c, root, value)));
  }

  /** Returns the values of all members, by rank. */
  public <V> List<V> allGather(V value) {
    return list(
        collectives.run(OperationKind.ALL_GATHER, c -> ObjectCollectives.allGather(c, value)));
  }

  /**
   * Exchanges parts: each member sends one part to each member.
   *
   * @param parts one for each member, by rank
   * @return the parts received, by rank of their senders
   */
  public <V> List<V> allToAll(List<? extends V> parts) {
    return list(
        collectives.run(
            OperationKind.ALL_TO_ALL,
            c -> {
              checkParts(parts, "allToAll");
              return ObjectCollectives.allToAll(c, parts);
            }));
  }

  @SuppressWarnings("unchecked") // all members call the same
  private static <V> List<V> list(@Nullable Object all) {
    return all == null
        ? List.of()
        : (List<V>) Collections.unmodifiableList(Arrays.asList((Object[]) all));
  }

  /**
   * Combines the members' values in the order of ranks.
   *
   * @param by associative
   * @return the combined value at the root; {@code null} elsewhere
   */
  public <V> @Nullable V reduce(int root, V value, BinaryOperator<V> by) {
    return collectives.run(
        OperationKind.REDUCE, root, c -> ObjectCollectives.reduce(c, root, value, by));
  }

  /** Combines the values of all members in the order of ranks and returns the result to all. */
  public <V> V allReduce(V value, BinaryOperator<V> by) {
    return collectives.run(
        OperationKind.ALL_REDUCE, c -> ObjectCollectives.allReduce(c, value, by));
  }

  /** Combines the values of this member and of all lower ranks, in the order of ranks. */
  public <V> V scan(V value, BinaryOperator<V> by) {
    return collectives.run(OperationKind.SCAN, c -> ObjectCollectives.scan(c, value, by));
  }

  /** Returns the runner of this member's collectives, for combined calls. */
  CollectiveRunner collectives() {
    return collectives;
  }

  // Collectives on single numbers

  /**
   * Combines a number of each member; returns the result at the root, and the own number elsewhere.
   */
  public double reduce(int root, double value, Operation by) {
    return collectives.runOnNumbers(OperationKind.REDUCE, root, by, value, by::on);
  }

  /**
   * Combines a number of each member; returns the result at the root, and the own number elsewhere.
   */
  public long reduce(int root, long value, Operation by) {
    return collectives.runOnNumbers(OperationKind.REDUCE, root, by, value, by::on);
  }

  /**
   * Combines a number of each member; returns the result at the root, and the own number elsewhere.
   */
  public int reduce(int root, int value, Operation by) {
    return collectives.runOnNumbers(OperationKind.REDUCE, root, by, value, by::on);
  }

  /** Combines a number of each member and returns the result to all. */
  public double allReduce(double value, Operation by) {
    return collectives.runOnNumbers(OperationKind.ALL_REDUCE, -1, by, value, by::on);
  }

  /** Combines a number of each member and returns the result to all. */
  public long allReduce(long value, Operation by) {
    return collectives.runOnNumbers(OperationKind.ALL_REDUCE, -1, by, value, by::on);
  }

  /** Combines a number of each member and returns the result to all. */
  public int allReduce(int value, Operation by) {
    return collectives.runOnNumbers(OperationKind.ALL_REDUCE, -1, by, value, by::on);
  }

  /** Combines the numbers of this member and of all lower ranks. */
  public double scan(double value, Operation by) {
    return collectives.runOnNumbers(OperationKind.SCAN, -1, by, value, by::on);
  }

  /** Combines the numbers of this member and of all lower ranks. */
  public long scan(long value, Operation by) {
    return collectives.runOnNumbers(OperationKind.SCAN, -1, by, value, by::on);
  }

  /** Combines the numbers of this member and of all lower ranks. */
  public int scan(int value, Operation by) {
    return collectives.runOnNumbers(OperationKind.SCAN, -1, by, value, by::on);
  }

  // Collectives on arrays of numbers

  /** Fills the slice of each member with the numbers of the root's slice. */
  public void broadcast(int root, Slice<?> slice) {
    collectives.runOnSlices(
        OperationKind.BROADCAST,
        root,
        slice,
        null,
        c -> BoardCollectives.broadcast(c, root, slice));
  }

  /**
   * Fills each member's part with its {@link Slice#block} of the root's whole.
   *
   * @param whole ignored at the other members
   */
  public <A> void scatter(int root, Slice<A> whole, Slice<A> part) {
    collectives.runOnSlices(
        OperationKind.SCATTER,
        root,
        part,
        null,
        c -> BlockCollectives.scatter(c, root, whole, part));
  }

  /** Fills the {@link Slice#block}s of the root's whole with the members' parts. */
  public <A> void gather(int root, Slice<A> part, Slice<A> whole) {
    collectives.runOnSlices(
        OperationKind.GATHER, root, part, null, c -> BlockCollectives.gather(c, root, part, whole));
  }

  /** Fills the {@link Slice#block}s of the whole, at all members, with the members' parts. */
  public <A> void allGather(Slice<A> part, Slice<A> whole) {
    collectives.runOnSlices(
        OperationKind.ALL_GATHER, -1, part, null, c -> BlockCollectives.allGather(c, part, whole));
  }

  /**
   * Exchanges {@linkplain Slice#block blocks}: each member sends one block to each member.
   *
   * @param parts the blocks to send; as long as {@code received}, a multiple of the group's size
   */
  public <A> void allToAll(Slice<A> parts, Slice<A> received) {
    collectives.runOnSlices(
        OperationKind.ALL_TO_ALL,
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
          "allToAll among %d members was given %d numbers to send and a slice for %d; both must be"
                  .formatted(size(), parts.length(), received.length())
              + " the same multiple of "
              + size()
              + ", or lists of arrays");
    }
  }

  /** Combines all members' slices, number by number, into the root's. */
  public void reduce(int root, Slice<?> slice, Operation by) {
    collectives.runOnSlices(
        OperationKind.REDUCE, root, slice, by, c -> BoardCollectives.reduce(c, root, slice, by));
  }

  /** Combines all members' slices, number by number, into all of them. */
  public void allReduce(Slice<?> slice, Operation by) {
    collectives.runOnSlices(
        OperationKind.ALL_REDUCE, -1, slice, by, c -> BoardCollectives.allReduce(c, slice, by));
  }

  /** Combines the slices of all lower ranks, number by number, into each member's slice. */
  public void scan(Slice<?> slice, Operation by) {
    collectives.runOnSlices(
        OperationKind.SCAN, -1, slice, by, c -> ArrayCollectives.scan(c, slice, by));
  }

  /**
   * Prepares a call that all members make together: their arguments are combined in the order of
   * ranks, and the object is called once. All members must treat the answer in the same way.
   *
   * @param target a stub, of the same object at all members
   * @param call {@code (target, argument) -> target.take(argument)}; makes exactly one call
   */
  public <A, Q, V> Invocation<V> combined(
      A argument, Reduction<A> reduction, Q target, WithPart<? super Q, A, V> call) {
    return new CollectiveCall<>(this, argument, reduction, target, call);
  }

  // Derived groups

  /**
   * Returns the group of the members that give the same colour, in the order of their ranks here.
   * This group remains, and {@link #here} returns it; the subgroup exists as long as a member keeps
   * its view.
   */
  public Spmd<T> split(int colour) {
    return of(new DerivedCommunicators(collectives).split(colour));
  }

  /**
   * Returns the group of the members and further objects. All members call this method and use the
   * new group from then on; so do the joiners, from their next request on. Waits for the barriers
   * that this member has reached, and ends its {@link #awaitCalls}.
   *
   * @param joiners given by rank 0, ignored elsewhere; they get the next ranks
   */
  public Spmd<T> reconfigure(List<? extends T> joiners) {
    return of(new DerivedCommunicators(collectives).withJoiners(joiners));
  }

  /**
   * Returns the group of the members that are not lost, in the order of their ranks here, on which
   * they agree. All remaining members call this method and use the new group from then on.
   */
  public Spmd<T> survivors() {
    return of(new DerivedCommunicators(collectives).survivors());
  }

  private Spmd<T> of(Communicator derived) {
    return new Spmd<>(type, collectives.of(derived));
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "member %d of %d %s", rank(), size(), type.getSimpleName());
  }
}
