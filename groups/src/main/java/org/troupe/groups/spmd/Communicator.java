package org.troupe.groups.spmd;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.BodyExtension.Parcel;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.Slice;

/** One member's view of its SPMD group: the other members, and the parcels received from them. */
final class Communicator {

  /*
   * A parcel's tag says what it is of: three bits for the channel, the rest as the channel likes.
   *
   * What naming an operation costs. To describe each collective in words for a possible error took a
   * tenth of an exchange of one number, so the words are made only when an error needs them (./troupe
   * bench groups, 02caae3, 2026-11-22).
   */
  static final int COLLECTIVE = 0;
  static final int BARRIER = 1;
  static final int ABORT = 2;
  static final int AGREEMENT = 3;
  static final int PROBE = 4;
  static final int POSITION = 5;
  static final int ENDED = 6;
  static final int LETTER = 7;
  private static final int CHANNEL_SHIFT = Long.SIZE - 3;
  private static final long REST = (1L << CHANNEL_SHIFT) - 1;

  /** In a position: the member waits to receive; the rank of whom is below, as in a collective. */
  private static final long RECEIVES = 1L << CHANNEL_SHIFT - 1;

  /** The question for the user if some members are missing. */
  static final String DO_ALL = "do all members call it?";

  /**
   * So many members of a node get platform threads: those wait for each other with half the time of
   * virtual ones, but are not for thousands.
   */
  private static final int MOST_COMPUTING = 4 * Runtime.getRuntime().availableProcessors();

  private static final String TERMINATED = "it has been terminated";

  private static final System.Logger LOG = System.getLogger("org.troupe.groups");

  private final Key key;
  private final boolean isPart;
  private final int rank;
  private final Object[] stubs;
  private final Ref<?>[] refs;
  private final NodeId[] nodes;
  private final String[] clusters;
  private final int[] byPlace;
  private final int[][] byCluster;
  private final Mailbox mailbox;
  private final BarrierTable barriers;
  private final PointToPoint letters;
  private final Map<Integer, String> lost = new TreeMap<>(); // under itself: why, by rank
  private volatile boolean isAnyLost;

  // Touched only by the thread that does a collective
  private int lastRoot = Integer.MIN_VALUE;
  private List<HierarchyLevel> levels;

  // Under this
  private CollectiveOperation busy;
  private long busyWith; // its tag but for the number, or 0
  private int collectives;
  private final Map<Integer, Long> positions = new HashMap<>(); // of others, as they last said

  Communicator(Key key, Ref<?> self, Object[] stubs, String[] clusters, boolean isPart) {
    this.key = key;
    this.isPart = isPart;
    this.stubs = stubs;
    this.clusters = clusters;
    this.refs = new Ref<?>[stubs.length];
    this.nodes = new NodeId[stubs.length];
    var own = -1;
    for (var i = 0; i < stubs.length; i++) {
      refs[i] = ActiveObjects.ref(stubs[i]);
      nodes[i] = refs[i].node();
      if (refs[i].equals(self)) {
        own = i;
      }
    }
    if (own < 0) {
      throw new IllegalArgumentException(self + " is none of the members of its own group");
    }
    this.rank = own;
    this.byPlace =
        HierarchyLevel.byPlace(stubs.length, each -> nodes[each], each -> clusters[each]);
    this.byCluster = HierarchyLevel.clusters(stubs.length, each -> clusters[each]);
    this.mailbox = new Mailbox(stubs.length);
    this.barriers = new BarrierTable(this);
    this.letters = new PointToPoint(this);
    if (Arrays.stream(nodes).filter(each -> each.equals(nodes[rank])).count() <= MOST_COMPUTING) {
      Collectives.current().expectComputing(self);
    }
  }

  Key key() {
    return key;
  }

  /** Says whether the group is a part of another. */
  boolean isPart() {
    return isPart;
  }

  int rank() {
    return rank;
  }

  int size() {
    return refs.length;
  }

  Object stub(int index) {
    return stubs[index];
  }

  Object[] stubs() {
    return stubs;
  }

  String[] clusters() {
    return clusters;
  }

  Ref<?> ref(int index) {
    return refs[index];
  }

  Mailbox mailbox() {
    return mailbox;
  }

  BarrierTable barriers() {
    return barriers;
  }

  PointToPoint pointToPoint() {
    return letters;
  }

  // Where members are

  /** The teams of this member, from near to far. */
  List<HierarchyLevel> levels(int root) {
    if (root != lastRoot) {
      levels =
          HierarchyLevel.levels(rank, size(), root, each -> nodes[each], each -> clusters[each]);
      lastRoot = root;
    }
    return levels;
  }

  /** All members in one team, those near each other side by side. */
  HierarchyLevel ring() {
    return HierarchyLevel.of(byPlace, rank, true);
  }

  /** All members in one team, by rank. */
  HierarchyLevel everybody() {
    var all = new int[size()];
    Arrays.setAll(all, each -> each);
    return new HierarchyLevel(all, rank, true);
  }

  /** The ranks of each cluster, in order; the clusters by their first ranks. */
  int[][] byCluster() {
    return byCluster;
  }

  /** The index of this member's cluster among them. */
  int ownCluster() {
    for (var i = 0; ; i++) {
      if (Arrays.binarySearch(byCluster[i], rank) >= 0) {
        return i;
      }
    }
  }

  /** The ranks of all members of other clusters, in order. */
  int[] ofOtherClusters() {
    return IntStream.range(0, size())
        .filter(each -> !clusters[each].equals(clusters[rank]))
        .toArray();
  }

  /** Says whether teams of neighbours keep the order of ranks. */
  boolean isInOrder() {
    return HierarchyLevel.inOrder(byPlace);
  }

  /** {@code member 2 on node 'n1'}. */
  String describe(int index) {
    return "member " + index + " on node '" + nodes[index].name() + "'";
  }

  /** Describes members with the positions that they have reported. */
  synchronized String describeWithPositions(List<Integer> ranks) {
    return String.join(
        ", ", ranks.stream().map(each -> describe(each) + position(positions.get(each))).toList());
  }

  private static String position(Long position) {
    if (position == null) {
      return "";
    }
    if ((position & RECEIVES) != 0) {
      return " (which waits to receive from member "
          + (int) ((position ^ RECEIVES) >>> Integer.SIZE)
          + ", and has been in "
          + position.intValue()
          + " of the group)";
    }
    return " (which is "
        + (CollectiveOperation.isOne(position)
            ? "in " + CollectiveOperation.describe(position)
            : "in no collective, and has been in " + position + " of the group")
        + ")";
  }

  /** {@code member 0 on node 'n1', member 2 on node 'n2'}. */
  String describe(List<Integer> ranks) {
    return String.join(", ", ranks.stream().map(this::describe).toList());
  }

  // Parcels

  void send(int to, int channel, long tag, Object value) {
    Collectives.current()
        .send(refs[to], key, rank, (long) channel << CHANNEL_SHIFT | tag & REST, value);
  }

  /** Sends an array of numbers and gives it away. */
  void give(int to, int channel, long tag, Object array) {
    Collectives.current()
        .transfer(refs[to], key, rank, (long) channel << CHANNEL_SHIFT | tag & REST, array);
  }

  /** Sends numbers of a user's array without a copy; the user may change them when this returns. */
  void lend(int to, int channel, long tag, Slice<?> slice) {
    Collectives.current()
        .sendZeroCopy(
            refs[to],
            key,
            rank,
            (long) channel << CHANNEL_SHIFT | tag & REST,
            new Frame.Slice(slice.array(), slice.offset(), slice.length()));
  }

  ReceiveBuffer room(int from, long tag, Class<?> element, int length) {
    if (from < 0 || from >= size()) {
      return null;
    }
    return switch ((int) (tag >>> CHANNEL_SHIFT)) {
      case COLLECTIVE -> mailbox.room(from, tag & REST, element, length);
      case LETTER -> letters.room(from, tag & REST, element, length);
      default -> null;
    };
  }

  void received(int from, long tag, Parcel parcel) {
    if (from < 0 || from >= size()) {
      return; // of no member; an exception would harm the thread that has read it
    }
    var rest = tag & REST;
    switch ((int) (tag >>> CHANNEL_SHIFT)) {
      case COLLECTIVE -> mailbox.put(from, new Mailbox.Letter(from, rest, parcel));
      case BARRIER ->
          barriers.received(from, (int) rest, parcel.value() instanceof String name ? name : null);
      case ABORT -> mailbox.abort(new Mailbox.Letter(from, rest, parcel));
      case LETTER -> letters.received(from, rest, parcel);
      case PROBE -> probed(from, rest);
      case POSITION -> {
        synchronized (this) {
          positions.put(from, rest);
        }
      }
      case ENDED -> {
        if (rest < size() && rest != rank) {
          lose((int) rest, TERMINATED);
        }
      }
      default -> mailbox.agree(new Mailbox.Letter(from, rest, parcel));
    }
  }

  /**
   * Asks a member what it is in, and tells it what this one is in.
   *
   * @param tag of a collective, or 0
   */
  void probe(int of, long tag) {
    synchronized (this) {
      positions.remove(of);
    }
    send(of, PROBE, tag, null);
  }

  /**
   * A member that waits says what it is in; where this one is in something else, both are lost. It
   * is told what that is, or how many this one has been in if it is in none.
   */
  private void probed(int from, long tag) {
    CollectiveOperation current;
    long position;
    var awaited = letters.awaited();
    synchronized (this) {
      current = busy;
      position = current == null ? Integer.toUnsignedLong(collectives) : current.tag();
    }
    if (current == null && awaited >= 0) {
      position |= RECEIVES | (long) awaited << Integer.SIZE;
    }
    send(from, POSITION, position, null);
    if (current != null) {
      current.probed(from, tag);
    }
  }

  // Loss

  void lost(NodeId node, String why) {
    for (var i = 0; i < nodes.length; i++) {
      if (nodes[i].equals(node) && i != rank) {
        lose(i, why);
      }
    }
  }

  private void lose(int index, String why) {
    synchronized (lost) {
      if (lost.putIfAbsent(index, why) != null) {
        return;
      }
      isAnyLost = true;
    }
    mailbox.wake();
    letters.wake();
    barriers.lost(index);
  }

  boolean isLost(int index) {
    if (!isAnyLost) {
      return false;
    }
    synchronized (lost) {
      return lost.containsKey(index);
    }
  }

  /** Fails if any member is lost. */
  void checkLost(Supplier<String> during) {
    if (isAnyLost) {
      int first;
      synchronized (lost) {
        first = lost.keySet().iterator().next();
      }
      throw lost(first, during.get());
    }
  }

  MemberLostException lost(int index, String what) {
    String why;
    synchronized (lost) {
      why = lost.get(index);
    }
    return new MemberLostException(
        index,
        nodes[index].name(),
        describe(index)
            + " of "
            + size()
            + " is lost ("
            + why
            + "), so "
            + what
            + " cannot end; the others can go on with survivors()");
  }

  // What this member does with the others

  /** Returns the number of something that all members do, whose tag this is but for that. */
  int begin(long what) {
    synchronized (this) {
      if (busyWith != 0) {
        throw new IllegalStateException(
            describe(rank)
                + " is in "
                + CollectiveOperation.describe(busyWith)
                + " already, on another thread; collectives of one group follow each other in a"
                + " member");
      }
      busyWith = what;
      positions.clear();
      return ++collectives;
    }
  }

  /** It has begun. */
  void busy(CollectiveOperation with) {
    synchronized (this) {
      busy = with;
    }
  }

  void end() {
    synchronized (this) {
      busy = null;
      busyWith = 0;
    }
  }

  /**
   * Waiting has taken long: says who is missing, and finds out whether they still exist.
   *
   * @param question what to ask oneself then
   * @param limit when the wait ends by itself, or {@code null}
   */
  void complain(
      String what, List<Integer> missing, String question, long waitedNanos, Duration limit) {
    complain(
        waitedNanos,
        " in "
            + what
            + " for "
            + describeWithPositions(missing)
            + "; "
            + question
            + " It waits "
            + (limit == null
                ? "on, for ever if not within(..) a time"
                : "at most " + limit.toMillis() / 1000.0 + " s"));
    missing.forEach(this::askWhetherEnded);
  }

  /** Complains that awaited calls have not been made. */
  void complainOfCalls(String what, List<Integer> missing, long waitedNanos, Duration limit) {
    complain(
        waitedNanos,
        " in "
            + what
            + " for calls "
            + (missing.isEmpty() ? "of anybody" : "of " + describe(missing))
            + "; all others are held until then, "
            + (limit == null
                ? "for ever if not within(..) a time"
                : "at most " + limit.toMillis() / 1000.0 + " s"));
    missing.forEach(this::askWhetherEnded);
  }

  /** A member that has been terminated is lost. */
  private void askWhetherEnded(int index) {
    // On its own thread: a stage would be a request of this object, behind the one that waits here.
    Thread.startVirtualThread(
        () -> {
          try {
            refs[index].ended().thenRun(() -> ended(index));
          } catch (NodeLostException e) {
            // The communicator receives this loss from core.
          }
        });
  }

  /** All have reached a barrier, but what a member had sent before is still not served. */
  void complainOfRequest(String barrier, int sender, String request, long waitedNanos) {
    complain(
        waitedNanos,
        " since all reached "
            + barrier
            + " to come to what "
            + describe(sender)
            + " had sent before it"
            + ": "
            + request
            + " is still in its queue. What is behind the barrier is held until then");
  }

  private void complain(long waitedNanos, String how) {
    LOG.log(
        Level.WARNING,
        describe(rank)
            + " has waited "
            + TimeUnit.NANOSECONDS.toSeconds(waitedNanos)
            + " s"
            + how
            + " (-Dtroupe.groups.patience=SECONDS)");
  }

  /** Others may wait for such as wait for it: only nodes that are gone are known to all. */
  private void ended(int index) {
    if (!isLost(index)) {
      lose(index, TERMINATED);
      for (var each = 0; each < size(); each++) {
        if (each != rank && !isLost(each)) {
          send(each, ENDED, index, null);
        }
      }
    }
  }

  /** When to complain next, after a complaint: in growing intervals. */
  static long nextComplaint(long waitedNanos) {
    return waitedNanos < patienceNanos() ? patienceNanos() : 2 * waitedNanos + patienceNanos();
  }

  /** Returns the length of a wait after which it is logged. */
  static long patienceNanos() {
    return TimeUnit.SECONDS.toNanos(Math.max(1, Long.getLong("troupe.groups.patience", 10)));
  }

  List<Integer> allLost() {
    synchronized (lost) {
      return new ArrayList<>(lost.keySet());
    }
  }
}
