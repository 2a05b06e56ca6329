package org.troupe.mpj.comm;

import static org.troupe.mpj.comm.NamedConstants.ANY_SOURCE;
import static org.troupe.mpj.comm.NamedConstants.ANY_TAG;
import static org.troupe.mpj.comm.NamedConstants.PROC_NULL;
import static org.troupe.mpj.comm.NamedConstants.UNDEFINED;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.matching.Completion;
import org.troupe.mpj.matching.MessageEngine;
import org.troupe.mpj.matching.MessageOperation;
import org.troupe.mpj.matching.SendMode;

/** Ranks with a context of their own, in which no other messages are. */
public final class Communicator {

  /*
   * An intracommunicator has one group, whose ranks are both the senders and the receivers. An intercommunicator has two:
   * its own ranks are counted in the local group, and those it sends to in the remote one. For decisions on which its
   * local group has to agree, it has a private communicator of that group.
   *
   * Even contexts are for point to point, the odd one above is for collectives.
   */

  /** The property with which a ready send without a posted receive fails. */
  private static final String STRICT = "troupe.mpj.strict";

  /** The way of a send. */
  public enum Mode {
    STANDARD,
    BUFFERED,
    SYNCHRONOUS,
    READY
  }

  private final World world;
  private final int context;
  private final RankGroup local;
  private final RankGroup peers; // the local group, unless this is an intercommunicator
  private final @Nullable Communicator within; // of an intercommunicator: its local group
  private final @Nullable Topology topology;
  private final int rank;
  private final CollectiveCalls collectives;
  private final CommunicatorBoard board;
  private volatile boolean isFreed;

  Communicator(
      World world,
      int context,
      RankGroup local,
      @Nullable Communicator within,
      @Nullable Topology topology) {
    this(world, context, local, local, within, topology);
  }

  private Communicator(
      World world,
      int context,
      RankGroup local,
      RankGroup peers,
      @Nullable Communicator within,
      @Nullable Topology topology) {
    this.world = world;
    this.context = context;
    this.local = local;
    this.peers = peers;
    this.within = within;
    this.topology = topology;
    this.rank = local.placeOf(world.engine().rank());
    this.collectives = new CollectiveCalls(this);
    this.board = new CommunicatorBoard(this);
    world.opened(this, local.union(peers).ranks());
  }

  // Facts

  MessageEngine engine() {
    return world.engine();
  }

  World world() {
    return world;
  }

  int context() {
    return context;
  }

  CommunicatorBoard board() {
    return board;
  }

  int ownRank() {
    return rank;
  }

  RankGroup ownGroup() {
    return local;
  }

  /** Returns whether this is the communicator of all ranks, in their order. */
  boolean isOfAll() {
    return context == World.WORLD_CONTEXT;
  }

  /** Returns the rank of the caller. */
  public int rank() {
    check();
    return rank;
  }

  /** Returns the number of ranks in the local group. */
  public int size() {
    check();
    return local.size();
  }

  /** Returns the local group. */
  public RankGroup group() {
    check();
    return local;
  }

  /** Returns the group to whose ranks messages go. */
  public RankGroup remoteGroup() {
    check();
    return peers;
  }

  /** Returns whether there are two groups. */
  public boolean isInter() {
    check();
    return within != null;
  }

  /** Returns the topology; {@code null} if there is none. */
  public @Nullable Topology topology() {
    check();
    return topology;
  }

  /** Returns the collective operations. */
  public CollectiveCalls collectives() {
    check();
    if (within != null) {
      throw MessagingError.of(
          ErrorClass.COMM,
          "collective operations need an intracommunicator; call Merge of the intercommunicator"
              + " first");
    }
    return collectives;
  }

  void check() {
    if (isFreed) {
      throw MessagingError.of(
          ErrorClass.COMM, "the communicator has been freed; use another one, or free it later");
    }
  }

  /** Compares with another communicator. */
  public RankGroup.Likeness compare(Communicator other) {
    check();
    other.check();
    if (this == other) {
      return RankGroup.Likeness.IDENTICAL;
    }
    var here = local.compare(other.local);
    var there = peers.compare(other.peers);
    var worse = here.compareTo(there) >= 0 ? here : there;
    return worse == RankGroup.Likeness.IDENTICAL ? RankGroup.Likeness.CONGRUENT : worse;
  }

  /** Names a rank of the peers with its node. */
  String describe(int peer) {
    var ofRun = peers.at(peer);
    var described = engine().network().describe(ofRun);
    return ofRun == peer ? described : "rank " + peer + " of its communicator (" + described + ")";
  }

  int ofRun(int peer) {
    return peers.at(peer);
  }

  // Point to point

  /** Sends, and waits until the array may be changed. */
  public void send(MessageBuffer data, int to, int tag, Mode mode) {
    var operation = begin(data, to, tag, mode);
    if (!operation.isDone()) {
      engine().await(operation);
    }
    var failure = operation.completion().failure();
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  /** Begins a send. */
  public MessageRequest beginSend(MessageBuffer data, int to, int tag, Mode mode) {
    return MessageRequest.begun(this, begin(data, to, tag, mode));
  }

  private MessageOperation begin(MessageBuffer data, int to, int tag, Mode mode) {
    check();
    checkTag(tag, false);
    if (to == PROC_NULL) {
      return MessageOperation.ended(NOTHING_SENT);
    }
    checkPeer(to, ErrorClass.RANK, "destination");
    var ofRun = peers.at(to);
    switch (mode) {
      case STANDARD, SYNCHRONOUS, READY -> {
        return engine().send(context, ofRun, tag, data, modeOfEngine(mode));
      }
      case BUFFERED -> {
        world.buffered().send(context, ofRun, tag, data);
        return MessageOperation.ended(NOTHING_SENT);
      }
    }
    throw new AssertionError(mode);
  }

  private static SendMode modeOfEngine(Mode mode) {
    return mode == Mode.SYNCHRONOUS
        ? SendMode.SYNCHRONOUS
        : mode == Mode.READY && Boolean.getBoolean(STRICT) ? SendMode.READY : SendMode.STANDARD;
  }

  private static final Completion NOTHING_SENT =
      new Completion(MessageEngine.ANY, MessageEngine.ANY, 0, null, false, null);

  /** Receives a message. */
  public MessageStatus receive(MessageBuffer into, int from, int tag) {
    var operation = post(into, from, tag);
    return operation == null ? MessageStatus.NO_RANK : status(engine().await(operation));
  }

  /** Begins a receive. */
  public MessageRequest beginReceive(MessageBuffer into, int from, int tag) {
    return MessageRequest.begun(this, posted(into, from, tag));
  }

  private MessageOperation posted(MessageBuffer into, int from, int tag) {
    var operation = post(into, from, tag);
    return operation == null ? MessageOperation.ended(FROM_NO_RANK) : operation;
  }

  private static final int NO_RANK = -3; // of the run
  private static final Completion FROM_NO_RANK =
      new Completion(NO_RANK, MessageEngine.ANY, 0, null, false, null);

  private @Nullable MessageOperation post(MessageBuffer into, int from, int tag) {
    check();
    checkTag(tag, true);
    if (from == PROC_NULL) {
      return null;
    }
    return engine().receive(context, source(from), ofEngine(tag), into);
  }

  private int source(int from) {
    if (from == ANY_SOURCE) {
      return MessageEngine.ANY;
    }
    checkPeer(from, ErrorClass.RANK, "source");
    return peers.at(from);
  }

  private static int ofEngine(int tag) {
    return tag == ANY_TAG ? MessageEngine.ANY : tag;
  }

  /** Sends and receives at the same time. */
  public MessageStatus exchange(
      MessageBuffer data, int to, int tag, MessageBuffer into, int from, int receiveTag) {
    var receive = posted(into, from, receiveTag);
    try {
      send(data, to, tag, Mode.STANDARD);
    } catch (Throwable failure) { // each dialect has its own exception
      engine().cancel(receive);
      throw MessagingError.again(failure);
    }
    return status(engine().await(receive));
  }

  /** Returns a request for sends to come. */
  public MessageRequest prepareSend(MessageBuffer data, int to, int tag, Mode mode) {
    check();
    checkTag(tag, false);
    if (to != PROC_NULL) {
      checkPeer(to, ErrorClass.RANK, "destination");
    }
    return MessageRequest.persistent(this, () -> begin(data, to, tag, mode));
  }

  /** Returns a request for receives to come. */
  public MessageRequest prepareReceive(MessageBuffer into, int from, int tag) {
    check();
    checkTag(tag, true);
    if (from != PROC_NULL) {
      source(from);
    }
    return MessageRequest.persistent(this, () -> posted(into, from, tag));
  }

  /** Waits for a message that a receive would take. */
  public MessageStatus probe(int from, int tag) {
    check();
    checkTag(tag, true);
    return from == PROC_NULL
        ? MessageStatus.NO_RANK
        : status(engine().awaitMessage(context, source(from), ofEngine(tag)));
  }

  /** Returns the message that a receive would take; {@code null} if there is none. */
  public @Nullable MessageStatus probeNow(int from, int tag) {
    check();
    checkTag(tag, true);
    if (from == PROC_NULL) {
      return MessageStatus.NO_RANK;
    }
    var found = engine().probe(context, source(from), ofEngine(tag));
    return found == null ? null : status(found);
  }

  private MessageStatus status(MessageEngine.Probed found) {
    return new MessageStatus(
        peers.placeOf(found.source()), found.tag(), found.elements(), found.element(), false);
  }

  /** Returns the status of a completion, or throws its failure. */
  MessageStatus status(Completion how) {
    var failure = how.failure();
    if (failure != null) {
      throw MessagingError.of(failure);
    }
    if (how.source() == NO_RANK) {
      return MessageStatus.NO_RANK;
    }
    return new MessageStatus(
        how.source() == MessageEngine.ANY ? ANY_SOURCE : peers.placeOf(how.source()),
        how.tag() == MessageEngine.ANY ? ANY_TAG : how.tag(),
        how.elements(),
        how.element(),
        how.isCancelled());
  }

  private static void checkTag(int tag, boolean mayBeAny) {
    if (tag < 0 && !(mayBeAny && tag == ANY_TAG) || tag > MessageEngine.MOST_TAG) {
      throw MessagingError.of(
          ErrorClass.TAG,
          "the tag is "
              + tag
              + "; it must be from 0 to "
              + MessageEngine.MOST_TAG
              + (mayBeAny ? ", or ANY_TAG" : ""));
    }
  }

  void checkPeer(int peer, ErrorClass kind, String what) {
    if (peer < 0 || peer >= peers.size()) {
      throw MessagingError.of(
          kind,
          "the "
              + what
              + " is rank "
              + peer
              + ", but the communicator has the ranks 0 to "
              + (peers.size() - 1));
    }
  }

  // Other communicators

  /** Returns a communicator of the same ranks with another context; collective. */
  public Communicator duplicate() {
    check();
    var made = world.newContext(agreement());
    return new Communicator(
        world, made, local, peers, within == null ? null : within.duplicate(), topology);
  }

  /** Forgets the communicator; collective. Messages that were not received are dropped. */
  public void free() {
    check();
    if (this == world.all() || this == world.self()) {
      throw MessagingError.of(
          ErrorClass.COMM, "COMM_WORLD and COMM_SELF last until Finalize; free others only");
    }
    if (within != null) {
      agreement().max(0);
      within.free();
    } else {
      collectives.barrier();
    }
    isFreed = true;
    board.close();
    world.closed(this);
  }

  /** Returns the agreement of all ranks of both groups. */
  World.Agreement agreement() {
    var here = within == null ? this : within;
    if (within == null) {
      return own -> here.collectives.max(own);
    }
    return own -> {
      var most = new int[] {here.collectives.max(own)};
      if (rank == 0) {
        var other = new int[1];
        exchangePrivately(most, other);
        most[0] = Math.max(most[0], other[0]);
      }
      here.collectives.broadcast(ints(most), 0);
      return most[0];
    };
  }

  /** Exchanges arrays between the first ranks of both groups, apart from the program's messages. */
  private void exchangePrivately(int[] own, int[] other) {
    var receive = engine().receive(context | 1, peers.at(0), MessageEngine.ANY, ints(other));
    engine().await(engine().send(context | 1, peers.at(0), 0, ints(own), SendMode.STANDARD));
    var failure = engine().await(receive).failure();
    if (failure != null) {
      throw MessagingError.of(failure);
    }
  }

  static MessageBuffer ints(int... numbers) {
    return MessageBuffer.range(ElementType.INT, numbers, 0, numbers.length);
  }

  /** Returns the communicator of a part of the ranks; {@code null} outside of it. Collective. */
  public @Nullable Communicator create(@Nullable RankGroup part) {
    var made = RankGroup.given(part);
    collectives();
    for (var each : made.ranks()) {
      if (local.placeOf(each) < 0) {
        throw MessagingError.of(
            ErrorClass.GROUP, "the group has ranks that are not in the communicator");
      }
    }
    return create(made, null);
  }

  private @Nullable Communicator create(RankGroup made, @Nullable Topology its) {
    var number = world.newContext(agreement());
    if (made.placeOf(engine().rank()) < 0) {
      return null;
    }
    return new Communicator(world, number, made, null, its);
  }

  /**
   * Divides the ranks by their colours, each part ordered by keys and then ranks; {@code null} for
   * the colour {@link NamedConstants#UNDEFINED}. Collective.
   */
  public @Nullable Communicator split(int colour, int key) {
    if (colour < 0 && colour != UNDEFINED) {
      throw MessagingError.of(
          ErrorClass.ARG, "the colour is " + colour + "; it must be at least 0, or UNDEFINED");
    }
    return split(colour, key, null);
  }

  @Nullable Communicator split(int colour, int key, @Nullable Supplier<Topology> its) {
    var all = new int[2 * size()];
    collectives().gatherToAll(ints(colour, key), all);
    List<Integer> part = new ArrayList<>();
    for (var i = 0; i < size(); i++) {
      if (all[2 * i] == colour) {
        part.add(i);
      }
    }
    part.sort(
        (a, b) ->
            all[2 * a + 1] != all[2 * b + 1]
                ? Integer.compare(all[2 * a + 1], all[2 * b + 1])
                : Integer.compare(a, b));
    var made =
        colour == UNDEFINED
            ? RankGroup.EMPTY
            : new RankGroup(part.stream().mapToInt(local::at).toArray());
    return create(made, its == null || colour == UNDEFINED ? null : its.get());
  }

  /** Returns the communicator of the first ranks with a topology; {@code null} outside. */
  @Nullable Communicator arranged(int places, Topology its) {
    var first = new int[places];
    for (var i = 0; i < places; i++) {
      first[i] = local.at(i);
    }
    return create(new RankGroup(first), its);
  }

  /**
   * Returns an intercommunicator of two groups; collective over both.
   *
   * @param group the local group
   * @param localLeader a rank in it, which is in this communicator
   * @param remoteLeader the rank in this communicator of the other group's leader
   * @param tag for the leaders' messages
   */
  public Communicator createInter(
      @Nullable Communicator group, int localLeader, int remoteLeader, int tag) {
    if (group == null || group.isInter()) {
      throw MessagingError.of(
          ErrorClass.COMM, "the local communicator must be an intracommunicator, not null");
    }
    group.checkPeer(localLeader, ErrorClass.RANK, "local leader");
    checkTag(tag, false);
    var leads = group.rank() == localLeader;
    var sizes = new int[1];
    if (leads) {
      check();
      checkPeer(remoteLeader, ErrorClass.RANK, "remote leader");
      exchange(ints(group.size()), remoteLeader, tag, ints(sizes), remoteLeader, tag);
    }
    group.collectives.broadcast(ints(sizes), localLeader);
    var theirs = new int[sizes[0]];
    if (leads) {
      exchange(ints(group.local.ranks()), remoteLeader, tag, ints(theirs), remoteLeader, tag);
    }
    group.collectives.broadcast(ints(theirs), localLeader);
    var remote = new RankGroup(theirs);
    if (remote.intersection(group.local).size() > 0) {
      throw MessagingError.of(
          ErrorClass.COMM, "the two groups of an intercommunicator must have no rank in common");
    }
    World.Agreement both =
        own -> {
          var most = new int[] {group.collectives.max(own)};
          if (leads) {
            var other = new int[1];
            exchange(ints(most), remoteLeader, tag, ints(other), remoteLeader, tag);
            most[0] = Math.max(most[0], other[0]);
          }
          group.collectives.broadcast(ints(most), localLeader);
          return most[0];
        };
    var number = world.newContext(both);
    return new Communicator(world, number, group.local, remote, group.duplicate(), null);
  }

  /** Returns the intracommunicator of both groups; those that say so come behind. Collective. */
  public Communicator merge(boolean isHigh) {
    var here = Objects.requireNonNull(within, "checked by the dialect");
    var own = new int[] {isHigh ? 1 : 0, local.at(0)};
    var other = new int[2];
    if (rank == 0) {
      exchangePrivately(own, other);
    }
    here.collectives.broadcast(ints(own), 0);
    here.collectives.broadcast(ints(other), 0);
    var isFirst = own[0] != other[0] ? own[0] < other[0] : own[1] < other[1];
    var all = isFirst ? local.union(peers) : peers.union(local);
    return new Communicator(world, world.newContext(agreement()), all, null, null);
  }

  /** Returns the size in bytes that items take when they are packed; for objects nominal. */
  public static int packedSize(int count, @Nullable DataLayout type) {
    if (count < 0) {
      throw MessagingError.of(ErrorClass.COUNT, "the count is " + count + "; give at least 0");
    }
    var bytes = BufferedSends.packedBytes(count, DataLayout.given(type));
    if (bytes > Integer.MAX_VALUE) {
      throw MessagingError.of(
          ErrorClass.BUFFER, count + " items take " + bytes + " bytes; pack fewer at a time");
    }
    return (int) bytes;
  }

  /** The bytes that a buffered send needs besides its data. */
  public static final int BUFFERED_OVERHEAD = BufferedSends.OVERHEAD;

  @Override
  public String toString() {
    return "communicator " + context + " of the ranks " + local;
  }
}
