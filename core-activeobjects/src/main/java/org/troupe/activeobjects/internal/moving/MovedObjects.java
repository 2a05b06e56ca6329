package org.troupe.activeobjects.internal.moving;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.capacity.CallQueue;
import org.troupe.activeobjects.internal.capacity.QueueCapacity;
import org.troupe.activeobjects.internal.listing.GrowingPauses;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.CopyCount;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.peer.ArrivingExchange;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.OneWayAccount;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.Relocations;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.ObjectWhereabouts;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.Route;
import org.troupe.activeobjects.internal.relocation.Routed;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.futures.FutureResult;
import org.troupe.futures.WaitInterruptedException;

/** The objects that have moved, as one node knows them. */
public final class MovedObjects implements Relocations {

  /*
   * Design: where messages to moved objects go
   *
   * Objects that never moved are unknown here. The first news that an object has moved creates a MovedObject and
   * marks the object's number in the outbox to the node of its birth: from then on every message to it takes the
   * way through its whereabouts. A message that was about to be sent on the old way was either numbered before the
   * mark, or fails and takes the new way, so the mark of the protocol is behind all messages on the old way.
   * If the first news is the image of the object, which comes from its birthplace, no mark of the protocol is needed: the
   * birthplace takes the messages on the old way before the answer to the image, without which the object does not leave.
   *
   * References that were made on a node of the object, above all on that of its birth, stand for its body there. When the
   * object has left, their calls still enter that body, whose thread sends them by the route of its forwarder (Guest).
   * Calls of this node may therefore be on several ways, all of which are searched after a loss (LostOnTheWay).
   *
   * Users hear of a death when it is announced, which is before it is applied. Their later messages must not be on the way to the
   * dead node, where they would count as lost: its objects that live on elsewhere, or are to be made anew, count as moved at once, and
   * the routes that lead there hold messages until the death is applied.
   *
   * Lock order: the lock of an inbox, the monitor of a MovedObject, the monitor of the definitions sent to a node,
   * the lock of an outbox. Messages of this node to itself are delivered by a task, never under a monitor.
   */

  private static final long REPEAT_MARKS_MILLIS = 1_000;

  private final NodeObjects node;
  private final Peers peers;
  private final Map<ObjectIdentity, MovedObject> objects = new ConcurrentHashMap<>();
  private final ExpectedAnswers expected;
  private final PassedOnCalls passedOn;
  private final RelocationMessages messages;
  private final MovedEnds ends;
  private final Undeliverable undeliverable;
  private final LostOnTheWay lostCalls;
  private final CallsToLostNodes callsToLostNodes;
  private final ObjectLocator locator;
  private final HostedObjects hosted;
  private final GuestReleases releases;
  private final EndedObjects ended;
  private final EndedCallers endedCallers;
  private final UntakenCalls untakenCalls;
  private final GrowingPauses<MovedObject> returned = new GrowingPauses<>(); // with earlier stays
  private final Map<NodeId, String> addresses = new ConcurrentHashMap<>();
  private final Set<NodeId> dead = ConcurrentHashMap.newKeySet();
  private final Set<NodeId> dying = ConcurrentHashMap.newKeySet(); // their deaths are not applied
  private final Set<NodeId> left = ConcurrentHashMap.newKeySet(); // lost, and objects had left them

  /**
   * The objects of the grid that this node has left that outlive their nodes with their calls.
   * Objects of this node may still log references to them, which their next embodiments call.
   */
  private final Set<ObjectIdentity> keepingAfterEnd = ConcurrentHashMap.newKeySet();

  private final SerialTasks loopback;
  private volatile @Nullable RelocationGrid grid;
  private volatile boolean isOver = true; // whether this node has left that grid, or joined none

  /** The other nodes. */
  public interface Peers {

    /** Returns a node, which may be new. */
    Peer named(NodeId node, Membership membership, String address);

    /** Returns a node if this one has dealt with it; else {@code null}. */
    @Nullable Peer known(NodeId node);

    /** Returns all nodes that this one has dealt with. */
    Iterable<Peer> all();
  }

  public MovedObjects(NodeObjects node, Peers peers) {
    this.node = node;
    this.peers = peers;
    this.loopback =
        new SerialTasks(
            failure -> node.failures().background("a message about a moved object", failure));
    this.expected = new ExpectedAnswers();
    this.passedOn = new PassedOnCalls(this, node);
    this.messages = new RelocationMessages(this, node, passedOn, loopback);
    this.ends = new MovedEnds(this, node, loopback);
    this.undeliverable = new Undeliverable(this, node);
    this.lostCalls = new LostOnTheWay(this, node, loopback);
    this.callsToLostNodes = new CallsToLostNodes(this, lostCalls);
    this.locator = new ObjectLocator(this, node, lostCalls);
    this.hosted = new HostedObjects(this, node);
    this.releases = new GuestReleases(this, node);
    this.ended = new EndedObjects(this, node);
    this.endedCallers = new EndedCallers(this);
    this.untakenCalls = new UntakenCalls(this, node);
  }

  NodeId id() {
    return node.id();
  }

  RelocationGrid grid() {
    return Objects.requireNonNull(grid, "the grid of a moved object");
  }

  /** Sets the grid in which the objects of this node move: the first that the node joins. */
  public void joined(RelocationGrid joined) {
    if (isOver) {
      dying.clear();
      keepingAfterEnd.clear();
      grid = joined;
      isOver = false;
    }
  }

  /** Returns whether the objects of this node move in a grid. */
  public boolean isIn(RelocationGrid other) {
    return grid == other && !isOver;
  }

  /** Forgets the objects that have moved, and fails the calls to them, at the end of a grid. */
  public void left(RelocationGrid ended, String reason) {
    if (!isIn(ended)) {
      return;
    }
    isOver = true;
    var why = new NodeLostException(reason);
    expected.failAll(why);
    objects.keySet().forEach(each -> withQueue(each, node.queueCapacity()::close));
    objects.values().forEach(MovedObject::isOver);
    for (var each : objects.values()) { // before they are forgotten: references are being logged
      if (each.isKeepingCalls()) {
        keepingAfterEnd.add(each.identity());
      }
    }
    objects.clear();
    this.ended.clear();
    endedCallers.clear();
    returned.clear();
    passedOn.clear();
    left.clear();
    dead.clear();
    dying.clear();
    addresses.clear();
  }

  /** Returns another node. */
  Peer peer(NodeId other) {
    var known = peers.known(other);
    return known != null ? known : peers.named(other, grid().access(), address(other));
  }

  @Override
  public String address(NodeId host) {
    if (host.equals(node.id())) {
      return grid().access().address();
    }
    var known = peers.known(host);
    return known == null ? addresses.getOrDefault(host, "") : known.address();
  }

  /** Records the address of a node. */
  public void knows(NodeId host, String address) {
    if (!address.isEmpty()) {
      addresses.put(host, address);
    }
  }

  boolean isOver() {
    return isOver;
  }

  /** Returns the part of this node in moves of objects to it and from it. */
  public HostedObjects hosted() {
    return hosted;
  }

  /** Returns what lets objects that have moved be collected. */
  public GuestReleases releases() {
    return releases;
  }

  EndedObjects ended() {
    return ended;
  }

  /** Returns the logged callers of this node that have ended, which called objects may forget. */
  public EndedCallers endedCallers() {
    return endedCallers;
  }

  /** Forgets what this node does not need: objects that have ended, and earlier stays of others. */
  public void review() {
    ended.review();
    for (var each : returned.due()) {
      if (each.forgetStays()) {
        returned.remove(each);
      }
      repeatMarksLater(each);
    }
  }

  /** Lets the next review forget the earlier stays of an object that has come back. */
  void forgetStaysLater(MovedObject object) {
    if (object.stays() > 1) {
      returned.add(object);
      node.tellsLater(); // also if this node tells nothing
    }
  }

  /** Returns which of some objects have ended that were on this node, or were created here. */
  public boolean[] haveEnded(ObjectIdentity[] asked) {
    return ended.haveEnded(asked);
  }

  /** Returns how many objects this node knows that have moved. */
  public int size() {
    return objects.size();
  }

  /** Forgets an object that has ended; returns whether this node knew it. */
  boolean forget(MovedObject object) {
    var identity = object.identity();
    if (!objects.remove(identity, object)) {
      return false;
    }
    returned.remove(object);
    if (peers.known(identity.birth()) instanceof Peer birthplace) {
      birthplace.outbox().unmarkMoved(identity.number());
    }
    return true;
  }

  /** Returns what this node knows of an object; {@code null} if it knows of no move. */
  @Nullable MovedObject objectIfKnown(ObjectIdentity identity) {
    return objects.get(identity);
  }

  /** Returns the nodes of the grid that this one has dealt with, and that are not lost. */
  List<Peer> peers() {
    List<Peer> all = new ArrayList<>();
    for (var each : peers.all()) {
      if (each.access() == grid().access() && !isDead(each.id())) {
        all.add(each);
      }
    }
    return all;
  }

  /** Returns whether a node of the grid has died. */
  boolean knowsDeaths() {
    return !dead.isEmpty();
  }

  boolean isDead(NodeId other) {
    return dead.contains(other);
  }

  /** Returns whether nothing is to be sent to a node any more. */
  boolean isLost(NodeId other) {
    var known = peers.known(other);
    return known != null && known.isLost() || isDying(other);
  }

  @Override
  public boolean isDying(NodeId other) {
    return dying.contains(other);
  }

  // The table

  private MovedObject object(ObjectIdentity identity, Place place) {
    return object(identity, place, _ -> {});
  }

  private MovedObject object(
      ObjectIdentity identity, Place place, Consumer<ObjectWhereabouts<Parcel>> ifNew) {
    var known = objects.get(identity);
    if (known != null) {
      return known;
    }
    var object = add(identity, place, ifNew);
    ended.reviewSoon(object);
    return object;
  }

  /** Returns what this node knows of an object whose image has come. */
  MovedObject arriving(ObjectIdentity identity, int epoch, NodeId from) {
    var isFirstMove = epoch == 1 && from.equals(identity.birth());
    return object(
        identity,
        new Place(identity.birth(), 0),
        isFirstMove ? ObjectWhereabouts::callersBegin : _ -> {});
  }

  /** Adds an object that is not reviewed yet, unless it was added meanwhile. */
  MovedObject add(ObjectIdentity identity, Place place) {
    return add(identity, place, _ -> {});
  }

  private MovedObject add(
      ObjectIdentity identity, Place place, Consumer<ObjectWhereabouts<Parcel>> ifNew) {
    if (!identity.birth().equals(node.id())) { // before others find it, and send a mark
      birthplace(identity).outbox().markMoved(identity.number());
    }
    var made = new MovedObject(identity, this, place);
    made.with(ifNew);
    var before = objects.putIfAbsent(identity, made);
    if (before != null) {
      return before;
    }
    if (isDead(place.node())) {
      made.with(whereabouts -> whereabouts.died(place.node()));
    }
    return made;
  }

  /** Returns what this node knows of an object, from now on also of one that was not known. */
  MovedObject object(ObjectIdentity identity) {
    return object(identity, new Place(identity.birth(), 0));
  }

  private @Nullable MovedObject known(NodeId birth, long number) {
    return objects.isEmpty() ? null : objects.get(new ObjectIdentity(birth, "", number));
  }

  @Override
  public @Nullable Body here(NodeId birth, long number) {
    var known = known(birth, number);
    return known == null ? null : known.body();
  }

  /**
   * Returns a future that completes when this node knows whether an object has come whose image is
   * here; {@code null} if it knows. A node that is asked for something about an object has to look
   * at this first, and then at the {@linkplain #place place} and the {@linkplain #here body}.
   */
  public @Nullable CompletableFuture<Void> decision(ObjectIdentity identity) {
    var known = objects.get(identity);
    return known == null ? null : known.decision();
  }

  /** Returns whether an object is or was here whose end this node does not know. */
  public boolean mayLive(ObjectIdentity identity) {
    var known = objects.get(identity);
    return known != null && known.hasBeenHere() && known.knownEnd() == null;
  }

  /**
   * Returns where an object is that has left this node, perhaps just now; {@code null} if it is
   * here, or unknown.
   */
  public @Nullable Place placeElsewhere(ObjectIdentity identity) {
    var known = objects.get(identity);
    var place = known == null ? null : known.placeNow();
    return place == null || place.node().equals(node.id()) ? null : place;
  }

  @Override
  public @Nullable Place place(NodeId birth, long number) {
    var known = known(birth, number);
    return known == null ? null : known.place();
  }

  /** Implements {@code NodeHost.movedWith}. */
  public @Nullable Body bodyWith(CallResult call) {
    var target = call.target().target();
    var body = here(target.birth(), target.number());
    if (body == null) {
      return null;
    }
    var callId = node.idOf(call);
    return expected.has(callId)
            || peers().stream().anyMatch(each -> each.outgoing().isUnanswered(callId))
        ? null // it is on its way, or a former node of the object owes the answer
        : body;
  }

  /** Implements {@code NodeHost.mayHave}. */
  public Set<Peer> mayHave(CallResult call) {
    Set<Peer> all = new LinkedHashSet<>();
    if (call.peer() != null) {
      all.add(Peer.of(call.peer()));
    }
    var target = call.target().target();
    var object = known(target.birth(), target.number());
    if (object != null && !isOver) {
      var callId = node.idOf(call);
      var host = object.place().node();
      for (var each : peers()) {
        if (each.id().equals(host) || each.outgoing().isUnanswered(callId)) {
          all.add(each);
        }
      }
    }
    return all;
  }

  @Override
  public void learn(ObjectIdentity identity, Place place, String address, Membership access) {
    if (place.node().equals(node.id())) {
      return;
    }
    knows(place.node(), address);
    var known = objects.get(identity);
    if (known == null) {
      var birth = identity.birth();
      var mayHaveSent = peers.known(birth) != null && !isDead(birth) && !grid().isGone(birth);
      if (!mayHaveSent) {
        object(identity, place);
        return;
      }
    }
    relocated(object(identity), Route.OF_CALLERS, place);
  }

  /** Repeats the marks of an object each second until all have arrived. */
  void repeatMarksLater(MovedObject object) {
    if (object.beginsToWait()) {
      node.timer().schedule(() -> repeatMarks(object), REPEAT_MARKS_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void repeatMarks(MovedObject object) {
    object.endsToWait();
    if (object.hasLeftGrid()) {
      return; // its hosts have ended, and their addresses may be those of other nodes
    }
    object.with(whereabouts -> whereabouts.repeatMarks());
    repeatMarksLater(object);
  }

  // Callers

  @Override
  public boolean mayHaveLeft(NodeId lost) {
    return left.contains(lost);
  }

  @Override
  public void send(
      RemoteNode home,
      long number,
      Message content,
      @Nullable Payload payload,
      @Nullable CallResult result,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller,
      @Nullable CallName name,
      boolean isInTurn) {
    if (isOver) {
      if (content instanceof Message.Terminate) {
        return;
      }
      throw left();
    }
    var object = object(new ObjectIdentity(home.id(), Peer.of(home).address(), number));
    var callId = result == null ? 0 : node.idOf(result);
    var parcel =
        new Parcel(
            node.id(), "", callId, content, payload, oneWayCall, caller, OneWayAccount.NONE, name);
    object.send(
        parcel,
        isInTurn,
        () -> {
          if (result != null) {
            expected.add(object, callId, result);
          }
        });
    sent(object, callId, result);
  }

  @Override
  public @Nullable SettledObject settled(RemoteNode home, long number) {
    return isOver ? null : known(home.id(), number);
  }

  /** Ends a call that has just been sent if its answer cannot come, or is not awaited any more. */
  void sent(MovedObject object, long callId, @Nullable CallResult result) {
    if (isOver || objects.get(object.identity()) != object) { // it may be forgotten as ended
      var isOfGrid = !isOver && !object.hasLeftGrid();
      expected.fail(callId, isOfGrid ? ended.refusal(object.identity()) : left());
    }
    if (result != null && result.isLimited() && !result.isAwaited()) {
      abandoned(callId); // its time was over before it was sent
    }
  }

  private static NodeLostException left() {
    return new NodeLostException("this node has left the grid");
  }

  @Override
  public boolean awaitCapacity(RemoteNode home, long number, CallMethod method, long nanos) {
    var object = known(home.id(), number);
    if (object == null) {
      return true;
    }
    try {
      if (!object.awaitRoom(nanos)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WaitInterruptedException(
          method + " was not sent: its thread was interrupted while it waited for its object");
    }
    awaitLink(object.place());
    return true;
  }

  @Override
  public void requireMemory(RemoteNode home, long number, CallResult call) {
    var object = known(home.id(), number);
    var held = object == null ? 0 : object.heldBytes();
    if (held > QueueCapacity.MOST_DEFERRED_BYTES) {
      throw QueueCapacity.overflow(
          call.describe(),
          "calls that wait for their object to be restarted",
          held,
          QueueCapacity.MOST_DEFERRED_BYTES);
    }
  }

  /** Waits, in the sending user's thread, while the link to a node is full. */
  private void awaitLink(Place place) {
    if (place.node().equals(node.id()) || isDead(place.node())) {
      return;
    }
    try {
      peer(place.node()).outgoing().awaitCapacity();
    } catch (NodeLostException e) {
      // The route finds out where the object is.
    }
  }

  @Override
  public void lost(
      RemoteNode home,
      Supplier<? extends Collection<CallResult>> calls,
      Consumer<List<CallResult>> others) {
    callsToLostNodes.lost(home, calls, others);
  }

  @Override
  public @Nullable CallResult answered(long callId) {
    return ended(callId, MovedObject::answered);
  }

  /** Handles the arrival of a call of this node at its object here; returns the expected result. */
  @Nullable CallResult arrivedHere(long callId) {
    return ended(callId, MovedObject::arrivedHere);
  }

  @Override
  public @Nullable CallResult abandoned(long callId) {
    return ended(callId, MovedObject::abandoned);
  }

  private @Nullable CallResult ended(long callId, ObjLongConsumer<MovedObject> how) {
    ExpectedAnswers.Expected known;
    synchronized (expected) { // a call may just be filed anew
      known = expected.take(callId);
      if (known == null) {
        for (var each : peers.all()) {
          var result = each.outgoing().answered(callId);
          if (result != null) {
            return result;
          }
        }
      }
    }
    if (known == null) {
      return null;
    }
    var object = known.object();
    if (object != null) {
      how.accept(object, callId); // without the lock, which comes after its monitor
    }
    return known.result();
  }

  // Objects that outlive their nodes with their calls

  @Override
  public void keepsCalls(ObjectIdentity identity) {
    if (!isOver) {
      if (identity.birth().equals(node.id())) {
        return; // its body knows that
      }
      object(identity).keepsCalls();
    }
    if (isOver) { // perhaps just now
      keepingAfterEnd.add(identity);
    }
  }

  @Override
  public boolean isKeepingCalls(NodeId birth, long number) {
    var known = known(birth, number);
    return known != null && known.isKeepingCalls()
        || isOver && keepingAfterEnd.contains(new ObjectIdentity(birth, "", number));
  }

  @Override
  public boolean isLost(NodeId birth, long number) {
    var known = known(birth, number);
    return known != null && known.isLost();
  }

  @Override
  public @Nullable CompletableFuture<Boolean> findLoss(NodeId birth, long number) {
    var home = peers.known(birth);
    if (isOver || home == null || !isDead(birth) || !mayHaveLeft(birth)) {
      return null;
    }
    var identity = new ObjectIdentity(birth, home.address(), number);
    return objects.containsKey(identity) // then its routes find out
        ? null
        : grid()
            .locate(identity)
            .handle(
                (located, failure) -> {
                  if (failure != null) {
                    return false; // without the coordinator, this node is about to leave the grid
                  }
                  if (!located.isLost()) {
                    object(identity); // is not looked for again
                  }
                  return located.isLost();
                });
  }

  @Override
  public void taken(ObjectIdentity identity, CallOrigin origin, long first, long last) {
    var known = objects.get(identity);
    if (known != null) {
      known.taken(origin, first, last);
    }
    if (origin instanceof CallOrigin.Logged(ObjectIdentity caller)
        && bodyHere(caller) instanceof LoggedBody own) { // it writes its log
      own.withLog(log -> log.taken(identity, first, last));
    }
    if (first == 0) {
      endedCallers.taken(identity, origin, last);
    }
  }

  @Override
  public void settled(ObjectIdentity identity, CallOrigin origin, long upTo) {
    var known = objects.get(identity);
    var place = known != null && known.hasLeft() ? known.place() : null;
    if (known != null && place != null && !place.node().equals(node.id())) {
      messages.sendSettled(identity, place, origin, upTo);
    } else if (bodyHere(identity) instanceof LoggedBody called) {
      called.withLog(log -> log.settled(origin, upTo));
    }
  }

  /** Forgets the calls of a logged object that has left, and sends them again itself. */
  void forgetCallsOf(ObjectIdentity caller) {
    var origin = new CallOrigin.Logged(caller);
    eachLater(object -> object.forget(origin));
  }

  private @Nullable Body bodyHere(ObjectIdentity identity) {
    var guest = here(identity.birth(), identity.number());
    return guest != null || !identity.birth().equals(node.id())
        ? guest
        : node.body(identity.number());
  }

  /** Returns the unanswered calls of this node to objects that have moved, in no order. */
  public List<CallResult> pending() {
    return expected.results();
  }

  /** Returns how many calls this node keeps, since it may have to send them again. */
  public int keptCalls() {
    return objects.values().stream().mapToInt(MovedObject::kept).sum();
  }

  /** Files a call anew that has moved with its object; its answer comes from another node. */
  private void refile(MovedObject object, Peer former, long callId) {
    synchronized (expected) {
      var result = former.outgoing().answered(callId);
      if (result != null) {
        expected.add(object, callId, result);
      }
    }
  }

  NodeObjects objects() {
    return node;
  }

  /** Returns a node if this one has dealt with it; else {@code null}. */
  @Nullable Peer known(NodeId other) {
    return peers.known(other);
  }

  Undeliverable undeliverable() {
    return undeliverable;
  }

  /** Returns what runs tasks of this node one after the other, without locks. */
  Executor loopback() {
    return loopback;
  }

  ObjectLocator locator() {
    return locator;
  }

  /** Returns what sends calls of logged objects again whose queue was lost behind its object. */
  UntakenCalls untakenCalls() {
    return untakenCalls;
  }

  MovedEnds ends() {
    return ends;
  }

  /** Returns the id by which other nodes know a call. */
  long idOf(CallResult result) {
    return node.idOf(result);
  }

  ExpectedAnswers expected() {
    return expected;
  }

  RelocationMessages messages() {
    return messages;
  }

  // Bodies of this node

  /** Returns the node on which an object was created, another one. */
  private Peer birthplace(ObjectIdentity identity) {
    var known = peers.known(identity.birth());
    return known == null
        ? peers.named(identity.birth(), grid().access(), identity.address())
        : known;
  }

  /**
   * Records that the object of a body was created in another one: in a body that it has left here,
   * or on another node.
   *
   * @param copies counts the copies of references to the object; {@code null} if they are not
   *     counted
   */
  public void comesFrom(Body body, ObjectIdentity identity, @Nullable CopyCount copies) {
    if (copies != null) { // and its queue has no bound, so that no account of it exists
      body.comesFrom(identity, null, copies);
      return;
    }
    var isBornHere = identity.birth().equals(node.id());
    var first = isBornHere ? node.body(identity.number()) : null; // made again if it was cleared
    if (first != null) {
      node.exports().holdForGood(first);
    }
    body.comesFrom(identity, isBornHere ? bodyOfBirth(identity) : birthplace(identity), null);
  }

  /** Gives back a place of this node in the queue of an object that has moved. */
  void vacated(ObjectIdentity identity) {
    withQueue(identity, queue -> node.queueCapacity().release(queue, 1));
  }

  /** Runs an action on the queue of an object, if this node may have an account of it. */
  void withQueue(ObjectIdentity identity, Consumer<CallQueue> action) {
    var isBornHere = identity.birth().equals(node.id());
    var home = isBornHere ? bodyOfBirth(identity) : peers.known(identity.birth());
    if (home != null) {
      action.accept(new CallQueue(home, isBornHere ? 0 : identity.number()));
    }
  }

  /**
   * Returns the body of this node in which an object was created, even after its end: calls may
   * still wait for a place in its queue.
   */
  private @Nullable Body bodyOfBirth(ObjectIdentity identity) {
    var known = objects.get(identity);
    return known == null ? null : known.bodyOfBirth();
  }

  /** Returns the identity of the object of a body, which may move from now on. */
  public ObjectIdentity identityOf(Body body) {
    var origin = body.origin();
    return origin != null
        ? origin
        : new ObjectIdentity(node.id(), grid().access().address(), body.number());
  }

  /** Returns the identity of an object. */
  public ObjectIdentity identityOf(Reference.Target object) {
    return switch (object) {
      case Reference.Target.Here(Body body) -> identityOf(body);
      case Reference.Target.Elsewhere there -> {
        var home = Peer.of(there.home());
        yield new ObjectIdentity(home.id(), home.address(), there.number());
      }
    };
  }

  /** Reports to the caller's node that a call has moved with its object. */
  void moved(MovedObject object, NodeId origin, long callId, int epoch) {
    object.with(
        whereabouts ->
            messages.sendRelocated(
                object, origin, Route.OF_CALLERS, whereabouts.placeAfter(epoch), callId));
  }

  /** Reports to a caller's node that an object has moved. */
  void relocated(MovedObject object, NodeId origin, int epoch) {
    moved(object, origin, 0, epoch);
  }

  /** Returns the end of an object that is or was here after a move. */
  public CompletableFuture<End> endHere(ObjectIdentity identity) {
    return ends.ofHere(identity);
  }

  /** Returns the end of an object that has moved; {@code null} if it has not. */
  public @Nullable FutureResult<End> end(Reference.Target target, Runnable whenMadeAgain) {
    var known = known(target.birth(), target.number());
    return known == null || known.place().epoch() == 0 ? null : ends.of(known, whenMadeAgain);
  }

  @Override
  public @Nullable FutureResult<End> endAfterLoss(
      RemoteNode home, long number, Runnable whenMadeAgain) {
    return mayHaveLeft(home.id())
        ? ends.of(
            object(new ObjectIdentity(home.id(), Peer.of(home).address(), number)), whenMadeAgain)
        : null;
  }

  // Messages between nodes

  /** Handles the news that an object has moved, for a route of this node. */
  void relocated(MovedObject object, int route, Place next) {
    object.relocated(route, next);
    repeatMarksLater(object);
  }

  /** Handles the arrival of a mark of this node. */
  void switched(MovedObject object, int route, long mark, Place place) {
    object.with(
        whereabouts -> {
          whereabouts.switched(route, mark, place);
          lostCalls.fail(object, whereabouts);
        });
  }

  @Override
  public void take(
      RemoteNode node,
      Message.Relocation message,
      long callId,
      Frame frame,
      @Nullable ArrivingExchange exchange) {
    var sender = Peer.of(node);
    switch (message) {
      case Message.Routed routed -> take(sender, routed, callId, frame, exchange);
      case Message.Relocated(var identity, int route, var host, String address, int epoch) -> {
        knows(host, address);
        var object = object(identity);
        if (callId != 0) {
          refile(object, sender, callId);
        }
        relocated(object, route, new Place(host, epoch));
        if (callId != 0) {
          lostCalls.search(object); // the death of that host may be known already
        }
      }
      case Message.Switched(
              var identity,
              int route,
              long mark,
              var host,
              String address,
              int epoch) -> {
        knows(host, address);
        switched(object(identity), route, mark, new Place(host, epoch));
      }
      case Message.Vacated(var identity) -> vacated(identity);
      case Message.PassedOnServed(var origin) -> passedOn.served(sender.id(), origin);
    }
  }

  private void take(
      Peer sender,
      Message.Routed routed,
      long callId,
      Frame frame,
      @Nullable ArrivingExchange exchange) {
    if (!routed.origin().equals(sender.id())) {
      knows(routed.origin(), routed.address());
    }
    var message = messages.received(sender, routed, callId, frame);
    arrive(object(routed.object()), sender.id(), message, exchange);
  }

  /**
   * Takes a message to an object.
   *
   * @param exchange in which it has arrived, or {@code null}
   */
  void arrive(
      MovedObject object,
      NodeId sender,
      Routed<Parcel> message,
      @Nullable ArrivingExchange exchange) {
    var isBornHere = object.identity().birth().equals(node.id());
    if (isBornHere && message.epoch() == 0 && !object.hasBeenHere()) {
      var body = node.body(object.identity().number());
      if (body != null) {
        node.exports().leaves(body.number()); // it is held from now on
        object.born(body);
      }
    }
    if (!object.arrive(sender, message, exchange)) {
      undeliverable.refuse(object, message);
    }
  }

  /** Implements {@link RelocationGrid#missing} for a host. */
  public long @Nullable [] missing(
      Peer caller, ObjectIdentity identity, long[] callIds, int epoch, long view)
      throws InterruptedException {
    var object = objects.get(identity);
    return object == null
        ? null
        : ExpectedAnswers.missing(object, grid(), caller, callIds, epoch, view);
  }

  // The end of this node

  /** Tells other nodes where the objects are that have left this one; returns whether any has. */
  public boolean tellPlaces(List<NodeId> others) {
    var hasTold = false;
    for (var object : objects.values()) {
      var place = object.place();
      if (place.epoch() > 0 && !place.node().equals(node.id())) {
        hasTold = true;
        others.forEach(each -> messages.sendRelocated(object, each, Route.OF_CALLERS, place, 0));
      }
    }
    return hasTold;
  }

  /** Returns how often an object of this node has moved. */
  public int epoch(ObjectIdentity identity) {
    var known = objects.get(identity);
    return known == null ? 0 : known.epoch();
  }

  /** Returns the number of objects that have left this node and have a forwarder here. */
  public long forwarders() {
    return objects.values().stream().filter(MovedObject::hasForwarder).count();
  }

  /** Returns how many stays of objects on this node it knows, also of those that have ended. */
  public int stays() {
    return objects.values().stream().mapToInt(MovedObject::stays).sum();
  }

  /** Returns the one-way calls that this node has passed on. */
  PassedOnCalls passedOn() {
    return passedOn;
  }

  /** Returns whether messages wait here to be forwarded. */
  public boolean forwards() {
    return objects.values().stream().anyMatch(MovedObject::forwards);
  }

  // Changes of the grid

  /** Records, before a node is lost, that objects had left it which callers may look for. */
  public void hadMoved(NodeId lost) {
    left.add(lost);
  }

  /**
   * Lets messages to the objects of a node wait until its death is applied, which was announced;
   * {@link #hadMoved} is recorded.
   */
  public void dies(NodeId node) {
    if (isOver) {
      return;
    }
    dying.add(node);
    if (peers.known(node) instanceof Peer known) { // another one finds out when it is made
      known.outbox().markAllMoved();
    }
  }

  /** Records that no frame of a node is taken any more, before the view counts as applied. */
  public void takesNothingFrom(NodeId lost) {
    dead.add(lost);
    dying.remove(lost);
  }

  /** Handles the loss of a node, from which no frame is taken any more. */
  public void died(NodeId lost) {
    if (isOver) {
      return;
    }
    dead.add(lost);
    eachLater(object -> died(object, lost));
    loopback.execute(() -> passedOn.lost(lost));
    if (mayHaveLeft(lost)) {
      var address = address(lost);
      Thread.startVirtualThread(() -> untakenCalls.follow(lost, address));
    }
  }

  private void died(MovedObject object, NodeId lost) {
    object.with(
        whereabouts -> {
          whereabouts.died(lost);
          object.dismissLost();
          object.mayHaveLostCalls(); // in its queue, if it was a host between two others
          lostCalls.search(object); // in the same step: calls that are sent again follow a mark
        });
    withQueue(object.identity(), node.queueCapacity()::forget);
  }

  /** Handles a change of the grid that this node has applied. */
  public void viewApplied() {
    if (!objects.isEmpty()) {
      eachLater(object -> object.with(its -> its.viewApplied()));
    }
  }

  /** Runs a step for all objects in one task; a step that fails concerns its object only. */
  private void eachLater(Consumer<MovedObject> step) {
    loopback.execute(
        () -> objects.values().forEach(each -> loopback.attempt(() -> step.accept(each))));
  }
}
