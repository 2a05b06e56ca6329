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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.BodyExtension.Packet;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.DeferredPacket;
import org.troupe.activeobjects.collective.GroupStanding;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.ReceiveBuffer;
import org.troupe.groups.Slice;

/** One member's view of its SPMD group: the other members, and the packets received from them. */
final class Communicator {

  /*
   * Tags
   *
   * The upper three bits of a packet's tag are its channel; the channel defines the others.
   *
   * Descriptions are made on demand. To describe each collective in words, for the case of an error,
   * took a tenth of the time of exchanging one number (./troupe bench groups, 02caae3, 2026-11-22).
   */
  static final int COLLECTIVE = 0;
  static final int BARRIER = 1;
  static final int ABORT = 2;
  static final int AGREEMENT = 3;
  static final int PROBE = 4;
  static final int POSITION = 5;
  static final int NOTICE = 6;
  static final int POINT_TO_POINT = 7;
  private static final int CHANNEL_SHIFT = Long.SIZE - 3;
  private static final long TAG_MASK = (1L << CHANNEL_SHIFT) - 1;

  /**
   * A bit of a position: the member waits to receive a point-to-point message; the rank of the
   * sender is in the bits of a collective's root.
   */
  private static final long RECEIVING = 1L << CHANNEL_SHIFT - 1;

  /**
   * The tag of a notice about the group's board; another tag is the rank of a terminated member.
   */
  private static final long OF_BOARD = 1L << Integer.SIZE;

  /** The tag of a notice about a checkpoint of the group. */
  private static final long OF_CHECKPOINT = 1L << Integer.SIZE + 1;

  /** The question in a warning about missing members. */
  static final String ALL_CALLED_QUESTION = "do all members call it?";

  /**
   * The largest number of members of one node that get platform threads, which wake each other in
   * half the time of virtual threads, but cannot be had by thousands.
   */
  private static final int MOST_PLATFORM_THREADS = 4 * Runtime.getRuntime().availableProcessors();

  private static final String TERMINATED = "it has been terminated";

  private static final System.Logger LOG = System.getLogger("org.troupe.groups");

  private final Key key;
  private final boolean isSubgroup;
  private final int rank;
  private final Object[] stubs;
  private final Ref<?>[] refs;
  private final NodeId[] nodes;
  private final MemberHierarchy hierarchy;
  private final boolean canHaveHostBoards;
  private final Mailbox mailbox;
  private final BarrierTable barriers;
  private final PointToPoint pointToPoint;
  private final BoardSetUp boardSetUp;
  private final ReductionOrders orders;
  private final MemberCheckpoints checkpoints;
  private final OperationCounters counters;
  private final Map<Integer, String> lost = new TreeMap<>(); // reasons by rank; guarded by itself
  private volatile boolean isAnyLost;

  // Guarded by this
  private @Nullable CollectiveOperation operation;
  private long openTag; // its tag without the number, or 0
  private long collectives;
  private final Map<Integer, Long> positions = new HashMap<>(); // as last reported, by rank

  Communicator(Key key, Ref<?> self, Object[] stubs, MemberLocation[] locations, boolean isPart) {
    this.key = key;
    this.isSubgroup = isPart;
    this.stubs = stubs;
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
    this.hierarchy = new MemberHierarchy(rank, nodes, locations);
    var hosts = hierarchy.byHost();
    this.canHaveHostBoards =
        hosts.length > 1
            && Arrays.stream(hosts).anyMatch(each -> BoardSetUp.canShareBoard(each, nodes));
    this.mailbox = new Mailbox(stubs.length);
    this.barriers = new BarrierTable(this);
    this.boardSetUp = new BoardSetUp(this);
    this.pointToPoint = new PointToPoint(this);
    this.orders = new ReductionOrders(nodes);
    this.counters = new OperationCounters(id(), self.type().getName(), stubs.length);
    this.checkpoints = new MemberCheckpoints(this);
    if (Arrays.stream(nodes).filter(each -> each.equals(nodes[rank])).count()
        <= MOST_PLATFORM_THREADS) {
      Collectives.current().expectComputing(self);
    }
  }

  Key key() {
    return key;
  }

  /** Returns whether the group is a subgroup of another. */
  boolean isSubgroup() {
    return isSubgroup;
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

  /** Returns whether the group has these members, in this order. */
  boolean isOf(Object[] members) {
    return Arrays.equals(stubs, members);
  }

  /** Returns where the members are. */
  MemberHierarchy hierarchy() {
    return hierarchy;
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
    return pointToPoint;
  }

  BoardSetUp boardSetUp() {
    return boardSetUp;
  }

  MemberCheckpoints checkpoints() {
    return checkpoints;
  }

  ReductionOrders orders() {
    return orders;
  }

  /** Returns the place of this member, for reports; called by any thread. */
  GroupStanding standing() {
    return new GroupStanding(id(), rank, size(), openWait());
  }

  /** Returns the id of the group, which is the same at all members. */
  String id() {
    return Long.toHexString(key.origin()) + "-" + key.number();
  }

  /** Returns the counters of the member's parts in collectives. */
  OperationCounters counters() {
    return counters;
  }

  private GroupStanding.@Nullable OpenWait openWait() {
    var collective = mailbox.openWait();
    if (collective != null) {
      return openWait(GroupStanding.Kind.COLLECTIVE, collective);
    }
    var receive = pointToPoint.openWait();
    if (receive != null) {
      return openWait(GroupStanding.Kind.RECEIVE, receive);
    }
    var barrier = barriers.openBarrier();
    return barrier == null
        ? null
        : openWait(
            GroupStanding.Kind.BARRIER,
            barrier.barrier().toString(),
            barrier.missing(),
            barrier.sinceNanos(),
            barrier.barrier().joining());
  }

  private GroupStanding.OpenWait openWait(GroupStanding.Kind kind, Mailbox.OpenWait open) {
    return openWait(
        kind, open.operation().describe(), open.missing(), open.sinceNanos(), open.thread());
  }

  private GroupStanding.OpenWait openWait(
      GroupStanding.Kind kind,
      String operation,
      List<Integer> missing,
      long sinceNanos,
      @Nullable Thread thread) {
    var first = missing.isEmpty() ? null : refs[missing.getFirst()];
    return new GroupStanding.OpenWait(kind, operation, missing, first, sinceNanos, thread);
  }

  /** Returns whether a member is on the node of this one. */
  boolean isLocal(int index) {
    return nodes[index].equals(nodes[rank]);
  }

  /** Returns the nodes of the members, by rank. */
  NodeId[] nodes() {
    return nodes;
  }

  /**
   * Returns whether the members are on several hosts of which any can have a board, so that its
   * leader exchanges messages for the others. Depends only on where the members are, so all of them
   * agree.
   */
  boolean canHaveHostBoards() {
    return canHaveHostBoards;
  }

  /** Returns {@code member 2 on node 'n1'}. */
  String describe(int index) {
    return "member " + index + " on node '" + nodes[index].name() + "'";
  }

  /** Describes members with the positions that they have reported. */
  synchronized String describeWithPositions(List<Integer> ranks) {
    return String.join(
        ", ", ranks.stream().map(each -> describe(each) + position(positions.get(each))).toList());
  }

  private static String position(@Nullable Long position) {
    if (position == null) {
      return "";
    }
    if ((position & RECEIVING) != 0) {
      return " (which waits to receive from member "
          + (int) ((position ^ RECEIVING) >>> Integer.SIZE)
          + ", and has been in "
          + position.intValue()
          + " of the group)";
    }
    return " (which is "
        + (CollectiveOperation.isTag(position)
            ? "in " + CollectiveOperation.describe(position)
            : "in no collective, and has been in " + position + " of the group")
        + ")";
  }

  /** Returns {@code member 0 on node 'n1', member 2 on node 'n2'}. */
  String describe(List<Integer> ranks) {
    return String.join(", ", ranks.stream().map(this::describe).toList());
  }

  // Packets

  void send(int to, int channel, long tag, @Nullable Object value) {
    Collectives.current()
        .send(refs[to], key, rank, (long) channel << CHANNEL_SHIFT | tag & TAG_MASK, value);
  }

  /**
   * Returns a packet to a member on another node that can be deferred.
   *
   * @param tag supplies the tag, or -1 if the packet is not needed any more
   */
  DeferredPacket deferredPacket(int to, int channel, LongSupplier tag) {
    return Collectives.current()
        .deferredPacket(
            refs[to],
            key,
            rank,
            () -> {
              var known = tag.getAsLong();
              return known == -1 ? -1 : (long) channel << CHANNEL_SHIFT | known & TAG_MASK;
            });
  }

  /** Sends an array of numbers and transfers its ownership. */
  void transfer(int to, int channel, long tag, Object array) {
    Collectives.current()
        .transfer(refs[to], key, rank, (long) channel << CHANNEL_SHIFT | tag & TAG_MASK, array);
  }

  /** Sends a slice of a user's array zero-copy; the user may change it when this returns. */
  void sendZeroCopy(int to, int channel, long tag, Slice<?> slice) {
    Collectives.current()
        .sendZeroCopy(
            refs[to],
            key,
            rank,
            (long) channel << CHANNEL_SHIFT | tag & TAG_MASK,
            new Frame.Slice(slice.array(), slice.offset(), slice.length()));
  }

  @Nullable ReceiveBuffer receiveBuffer(int from, long tag, Class<?> element, int length) {
    if (from < 0 || from >= size()) {
      return null;
    }
    return switch ((int) (tag >>> CHANNEL_SHIFT)) {
      case COLLECTIVE -> mailbox.acquireBuffer(from, tag & TAG_MASK, element, length);
      case POINT_TO_POINT -> pointToPoint.receiveBuffer(from, tag & TAG_MASK, element, length);
      default -> null;
    };
  }

  void received(int from, long tag, Packet packet) {
    if (from < 0 || from >= size()) {
      return; // not from a member; an exception would end the thread that has read it
    }
    var rest = tag & TAG_MASK;
    switch ((int) (tag >>> CHANNEL_SHIFT)) {
      case COLLECTIVE -> mailbox.put(from, new Mailbox.Message(from, rest, packet));
      case BARRIER ->
          barriers.received(from, rest, packet.value() instanceof String name ? name : null);
      case ABORT -> mailbox.abort(new Mailbox.Message(from, rest, packet));
      case POINT_TO_POINT -> pointToPoint.received(from, rest, packet);
      case PROBE -> probed(from, rest);
      case POSITION -> {
        synchronized (this) {
          positions.put(from, rest);
        }
      }
      case NOTICE -> {
        if (rest == OF_BOARD) {
          boardSetUp.received(from, packet.value() instanceof byte[] details ? details : null);
        } else if (rest == OF_CHECKPOINT) {
          if (packet.value() instanceof long[] notice) {
            checkpoints.received(from, notice);
          }
        } else if (rest < size() && rest != rank) {
          markLost((int) rest, TERMINATED);
        }
      }
      default -> mailbox.agree(new Mailbox.Message(from, rest, packet));
    }
  }

  /** Offers a board to a member, or answers the offer of one. */
  void sendBoard(int to, byte @Nullable [] details) {
    send(to, NOTICE, OF_BOARD, details);
  }

  /** Sends a notice about a checkpoint to a member. */
  void sendOfCheckpoint(int to, long... notice) {
    send(to, NOTICE, OF_CHECKPOINT, notice);
  }

  /**
   * Asks a member for its position and reports the operation of this member.
   *
   * @param tag the tag of this member's collective, or 0
   */
  void probe(int of, long tag) {
    synchronized (this) {
      positions.remove(of);
    }
    send(of, PROBE, tag, null);
  }

  /**
   * Answers a waiting member's question with this member's position: its collective, or the number
   * of collectives so far. If the two members are in different collectives, neither can complete.
   */
  private void probed(int from, long tag) {
    CollectiveOperation current;
    long position;
    var awaited = pointToPoint.awaited();
    synchronized (this) {
      current = operation;
      position = current == null ? collectives & 0xffff_ffffL : current.tag();
    }
    if (current == null && awaited >= 0) {
      position |= RECEIVING | (long) awaited << Integer.SIZE;
    }
    send(from, POSITION, position, null);
    checkpoints.awaitedBy(from);
    if (current != null) {
      current.probed(from, tag);
    }
  }

  // Loss

  void lost(NodeId node, String why) {
    for (var i = 0; i < nodes.length; i++) {
      if (nodes[i].equals(node) && i != rank) {
        markLost(i, why);
      }
    }
  }

  private void markLost(int index, String why) {
    synchronized (lost) {
      if (lost.putIfAbsent(index, why) != null) {
        return;
      }
      isAnyLost = true;
    }
    boardSetUp.lost();
    mailbox.wake();
    pointToPoint.wake();
    barriers.lost(index);
    checkpoints.lost(index, why);
  }

  boolean isLost(int index) {
    if (!isAnyLost) {
      return false;
    }
    synchronized (lost) {
      return lost.containsKey(index);
    }
  }

  boolean isAnyLost() {
    return isAnyLost;
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

  // Collectives of this member

  /**
   * Begins a collective and returns its number in the group.
   *
   * @param what its tag without the number
   */
  long begin(long what) {
    synchronized (this) {
      if (openTag != 0) {
        throw new IllegalStateException(
            describe(rank)
                + " is in "
                + CollectiveOperation.describe(openTag)
                + " already, on another thread; a member runs the collectives of a group one after the"
                + " other");
      }
      openTag = what;
      positions.clear();
      return ++collectives;
    }
  }

  /** Returns the number of collectives that have begun. */
  synchronized long collectives() {
    return collectives;
  }

  /** Sets the operation that has begun. */
  void setOperation(@Nullable CollectiveOperation with) {
    synchronized (this) {
      operation = with;
    }
  }

  void end() {
    synchronized (this) {
      operation = null;
      openTag = 0;
    }
  }

  /**
   * Logs a long wait with the missing members, and checks whether they still exist.
   *
   * @param question a question that helps the user to find the cause
   * @param limit the time limit of the wait, or {@code null}
   */
  void warn(
      String what,
      List<Integer> missing,
      String question,
      long waitedNanos,
      @Nullable Duration limit) {
    warn(
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
    missing.forEach(this::checkTerminated);
  }

  /** Logs a long wait for calls that have not been made. */
  void warnOfCalls(String what, List<Integer> missing, long waitedNanos, @Nullable Duration limit) {
    warn(
        waitedNanos,
        " in "
            + what
            + " for calls "
            + (missing.isEmpty() ? "of any member" : "of " + describe(missing))
            + "; all others are held until then, "
            + (limit == null
                ? "for ever if not within(..) a time"
                : "at most " + limit.toMillis() / 1000.0 + " s"));
    missing.forEach(this::checkTerminated);
  }

  /** Marks a member as lost if it has been terminated. */
  private void checkTerminated(int index) {
    // On its own thread: a stage would be a request of this object, behind the one that waits here.
    Thread.startVirtualThread(
        () -> {
          // The communicator receives the loss of a node from core.
          refs[index]
              .end()
              .thenAccept(
                  end -> {
                    if (end.how() != End.How.LOST) {
                      memberTerminated(index);
                    }
                  });
        });
  }

  /**
   * Logs a long wait for a request that a member sent before a barrier, which all members have
   * reached.
   */
  void warnOfRequest(String barrier, int sender, String request, long waitedNanos) {
    warn(
        waitedNanos,
        " since all reached "
            + barrier
            + " to serve a request that "
            + describe(sender)
            + " sent before it: "
            + request
            + " is still in the queue. Requests behind the barrier are held until it has begun");
  }

  private void warn(long waitedNanos, String how) {
    LOG.log(
        Level.WARNING,
        describe(rank)
            + " has waited "
            + TimeUnit.NANOSECONDS.toSeconds(waitedNanos)
            + " s"
            + how
            + " (-Dtroupe.groups.patience=SECONDS)");
  }

  /**
   * Marks a terminated member as lost and tells the others, which may wait for members that wait
   * for it. Unlike the loss of a node, a termination is not reported to all.
   */
  private void memberTerminated(int index) {
    if (!isLost(index)) {
      markLost(index, TERMINATED);
      for (var each = 0; each < size(); each++) {
        if (each != rank && !isLost(each)) {
          send(each, NOTICE, index, null);
        }
      }
    }
  }

  List<Integer> allLost() {
    synchronized (lost) {
      return new ArrayList<>(lost.keySet());
    }
  }
}
