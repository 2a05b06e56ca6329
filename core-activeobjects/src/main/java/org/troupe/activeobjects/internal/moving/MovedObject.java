package org.troupe.activeobjects.internal.moving;

import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.peer.ArrivingExchange;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.OneWayAccount;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.peer.Relocations;
import org.troupe.activeobjects.internal.peer.UnackedFrame;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.ObjectWhereabouts;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.relocation.RelocationNetwork;
import org.troupe.activeobjects.internal.relocation.Route;
import org.troupe.activeobjects.internal.relocation.Routed;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;

/**
 * The part of this node in the moves of one object that has moved or is about to: serializes the
 * access to its whereabouts.
 */
final class MovedObject implements RelocationNetwork<Parcel>, Relocations.SettledObject {

  private static final int MOST_HELD = 10_000;
  private static final long MOST_HELD_BYTES = 64L << 20;
  private static final long SETTLE_MILLIS = 10;
  private static final int HEADER_BYTES = 64; // of a call that waits
  private static final long LONG_NANOS = TimeUnit.HOURS.toNanos(1);

  private final ObjectIdentity identity;
  private final MovedObjects node;
  private final ObjectWhereabouts<Parcel> whereabouts; // guarded by this
  private final NavigableMap<Integer, Guest> guests = new TreeMap<>(); // by epochs; guarded by this
  private volatile @Nullable NumberedParcels numbered; // if it keeps calls; guarded by this
  private final Set<Long> unanswered = ConcurrentHashMap.newKeySet(); // for ExpectedAnswers
  private @Nullable ArrivingExchange arriving; // of the call being taken; guarded by this
  private boolean isToSettle; // soon; guarded by this
  private final Set<CallOrigin> sentAgain = new HashSet<>(); // of untaken calls; guarded by this
  private boolean hasLostSome; // of the kept calls, perhaps, with a node; guarded by this
  private boolean isWaiting; // for marks; guarded by this
  private boolean isOver; // guarded by this
  private long heldBytes; // by the route of the callers; guarded by this
  private volatile String story = ""; // how the object was lost and made anew
  private volatile @Nullable End lostEnd; // if it was given up
  private volatile boolean isLost;
  private volatile @Nullable Guest last; // the last one here
  private volatile int epoch; // of that guest
  private volatile Place lostAt;
  private volatile Place place; // the last one known; written under the monitor of this
  private final CompletableFuture<End> end = new CompletableFuture<>(); // if it was here
  private final AwaitedEnd awaited = new AwaitedEnd();
  private @Nullable CompletableFuture<Boolean> flush; // that lasts; guarded by this
  private @Nullable CompletableFuture<Void> decision; // on a move to this node; guarded by this

  /**
   * Creates the knowledge of an object.
   *
   * @param place where the object is, as far as is known
   */
  MovedObject(ObjectIdentity identity, MovedObjects node, Place place) {
    this.identity = identity;
    this.node = node;
    this.place = place;
    this.lostAt = place;
    whereabouts = new ObjectWhereabouts<>(node.id(), place, this);
  }

  ObjectIdentity identity() {
    return identity;
  }

  /**
   * Returns the ids of the unanswered calls of this node, which {@link ExpectedAnswers} changes.
   */
  Set<Long> unanswered() {
    return unanswered;
  }

  /** Returns the body of the object if it is here. */
  @Nullable Body body() {
    var guest = last;
    return guest == null || guest.hasLeft() ? null : guest.body();
  }

  /** Returns whether the object was here and has left. */
  boolean hasLeft() {
    var guest = last;
    return guest != null && guest.hasLeft();
  }

  /** Returns where the object is, as far as this node knows. Takes no lock. */
  Place place() {
    return place;
  }

  /** Returns the same, also if the object has just left and {@link #place} does not say so yet. */
  synchronized Place placeNow() {
    updatePlace();
    return place;
  }

  /** Handles the news that the object has moved, for a route of this node. */
  synchronized void relocated(int route, Place next) {
    with(its -> its.relocated(route, next));
    updatePlace(next); // the route may lead there later
  }

  private void updatePlace() {
    updatePlace(whereabouts.place());
  }

  /** Records the place with the highest epoch that this node knows. */
  private void updatePlace(Place heard) {
    var next = heard;
    if (last != null) {
      var own =
          whereabouts.isHere(epoch) ? new Place(node.id(), epoch) : whereabouts.placeAfter(epoch);
      next = own.epoch() > next.epoch() ? own : next;
    }
    if (next.epoch() > place.epoch()) {
      place = next;
    }
  }

  /** Returns whether the object is or was here, or its image has arrived. */
  synchronized boolean hasBeenHere() {
    return !guests.isEmpty();
  }

  /**
   * Returns a future of the end of an object that is or was here. The future holds no reference to
   * the object.
   */
  CompletableFuture<End> end() {
    return end.copy();
  }

  /** Returns the end of an object that was here, or {@code null}. */
  @Nullable End knownEnd() {
    return end.getNow(null);
  }

  /** Returns the callers of this node that wait for the end of the object, without its bodies. */
  AwaitedEnd awaited() {
    return awaited;
  }

  /**
   * Records the end of an object that is or was here. Callers that wait for it learn of it on
   * another thread.
   */
  void ended(End how) {
    node.loopback()
        .execute(
            () -> {
              if (end.complete(how)) {
                Thread.startVirtualThread(() -> tell(how));
              }
              node.ended().reviewSoon(this);
            });
  }

  private void tell(End how) {
    List<Guest> left;
    synchronized (this) {
      left = guests.values().stream().filter(Guest::hasLeft).toList();
    }
    left.forEach(each -> each.endedElsewhere(how));
    awaited.settle(how);
  }

  /**
   * Returns whether this node can forget the object when that has ended: nothing of the node refers
   * to a body in which the object was, no call is unanswered, and neither a message nor a mark
   * waits.
   */
  synchronized boolean isUnused() {
    return unanswered.isEmpty()
        && guests.values().stream().allMatch(each -> each.body() == null)
        && (numbered == null || numbered.size() == 0)
        && whereabouts.isSettled();
  }

  /** Returns the body in which the object was created; {@code null} if that was elsewhere. */
  synchronized @Nullable Body bodyOfBirth() {
    var first = guests.get(0);
    return first == null ? null : first.body();
  }

  /** Forgets an image that has arrived for nothing. */
  synchronized void dismiss(int itsEpoch) {
    var dismissed = guests.remove(itsEpoch);
    if (dismissed != null) {
      dismissed.dismissed();
    }
    whereabouts.dismiss(itsEpoch);
    checkDecision();
  }

  /**
   * Forgets the images that have arrived for nothing, as their former node was lost before the
   * grant. Called under the monitor of this.
   */
  void dismissLost() {
    for (var each : List.copyOf(guests.keySet())) {
      if (!whereabouts.isHere(each) && !guest(each).hasLeft()) {
        dismiss(each);
      }
    }
  }

  /**
   * Returns a future that completes when the object has arrived whose move is granted; one that is
   * not known has ended since.
   */
  synchronized CompletableFuture<Void> settled(int itsEpoch) {
    var guest = guests.get(itsEpoch);
    return guest == null ? CompletableFuture.completedFuture(null) : guest.settled();
  }

  /** Returns where the object was when it was lost. */
  Place lostAt() {
    return lostAt;
  }

  /** Records that the object is lost for good. */
  synchronized void lost(Place at, @Nullable End end) {
    if (numbered != null) {
      numbered.clear();
    }
    lostAt = at;
    lostEnd = end;
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  /** Returns the end of the object if it was given up, or {@code null}. */
  @Nullable End lostEnd() {
    return lostEnd;
  }

  /** Returns how the object was lost and made anew; empty if it was not. */
  String story() {
    return story;
  }

  void story(String known) {
    story = known;
  }

  /** Returns whether messages have arrived, or are about to, that wait before they are queued. */
  synchronized boolean holdsArrivals() {
    return whereabouts.holdsArrivals();
  }

  /** Returns whether the object is here, in an epoch. */
  boolean isHereIn(int itsEpoch) {
    var guest = last;
    return epoch == itsEpoch && guest != null && !guest.hasLeft();
  }

  /** Returns whether the object was here in an epoch and has left. */
  boolean hasPassed(int itsEpoch) {
    var guest = last;
    return guest != null && (epoch > itsEpoch || epoch == itsEpoch && guest.hasLeft());
  }

  /** Returns the epoch of the body that is here. */
  int epoch() {
    return epoch;
  }

  /**
   * Forgets the earlier stays on this node that nothing needs any more; the first one of an object
   * that was born here remains.
   *
   * @return whether no other one is left
   */
  synchronized boolean forgetStays() {
    with(its -> its.forgetStays(this::isNeeded).forEach(guests::remove));
    return guests.tailMap(0, false).size() <= 1;
  }

  private boolean isNeeded(int stay) {
    if (stay == 0) {
      return true;
    }
    var left = guest(stay);
    left.succeededBy(guest(epoch));
    return left.body() != null; // until the JVM has cleared it
  }

  /** Returns how many stays of the object this node knows of its own. */
  synchronized int stays() {
    return guests.size();
  }

  /** Returns whether the object was here in an epoch and has left, even if it has come back. */
  synchronized boolean hasForwarder() {
    return guests.values().stream().anyMatch(Guest::hasLeft);
  }

  /** Returns whether a former body here has not yet forwarded all requests. */
  synchronized boolean forwards() {
    return guests.values().stream().anyMatch(Guest::forwards);
  }

  /** Runs an action on the whereabouts, alone. */
  synchronized void with(Consumer<ObjectWhereabouts<Parcel>> action) {
    action.accept(whereabouts);
    updatePlace();
    checkDecision();
    if (flush != null && !whereabouts.awaitsMarks()) {
      endFlush(whereabouts.isFlushed());
    }
    if (heldBytes > 0 && whereabouts.held() == 0) {
      heldBytes = 0;
      notifyAll();
    }
  }

  /** Returns whether something of this node may refer to a body here that the object has left. */
  synchronized boolean isReferredTo() {
    return guests.values().stream().anyMatch(Guest::isReferredTo);
  }

  /**
   * Sends marks behind all messages that this node has sent to the object until now, or forwards.
   *
   * @return completes with whether all have arrived; {@code false} if that is not known
   */
  CompletableFuture<Boolean> flush() {
    CompletableFuture<?>[] queues;
    synchronized (this) {
      queues = guests.values().stream().map(Guest::flushed).toArray(CompletableFuture<?>[]::new);
    }
    return CompletableFuture.allOf(queues).thenCompose(_ -> flushRoutes());
  }

  private synchronized CompletableFuture<Boolean> flushRoutes() {
    if (flush != null) {
      endFlush(false); // whoever waited for it has given up
    }
    if (!whereabouts.flush()) {
      return CompletableFuture.completedFuture(false);
    }
    var begun = new CompletableFuture<Boolean>();
    flush = begun;
    node.repeatMarksLater(this);
    return begun;
  }

  private void endFlush(boolean isFlushed) {
    var ended = Objects.requireNonNull(flush, "the flush that lasts");
    flush = null;
    node.loopback().execute(() -> ended.complete(isFlushed)); // without locks
  }

  /** Records that the object outlives its node with all calls that it has taken. */
  synchronized void keepsCalls() {
    if (numbered == null) {
      numbered = new NumberedParcels();
    }
  }

  /**
   * Returns whether the object outlives its node with all calls that it has taken. Takes no lock,
   * since the threads that ask this encode a reference to the object in a call to another one,
   * whose lock they have.
   */
  @Override
  public boolean isKeepingCalls() {
    return numbered != null;
  }

  /** Handles the answer of a call, which the object has therefore taken. */
  void answered(long callId) {
    var name = forget(callId);
    if (name != null && name.origin() instanceof CallOrigin.Logged) {
      node.endedCallers().taken(identity, name.origin(), name.number());
    }
  }

  /**
   * Handles the arrival of a call at the object on this node, which reports later that it took it.
   */
  void arrivedHere(long callId) {
    forget(callId);
  }

  /** Handles a call whose answer the caller does not want any more. */
  synchronized void abandoned(long callId) {
    if (numbered != null) {
      numbered.abandoned(callId);
    }
  }

  /** Forgets a call whose answer this node needs no more; returns its name if it was kept. */
  private @Nullable CallName forget(long callId) {
    CallName name;
    boolean settles;
    synchronized (this) {
      name = numbered == null ? null : numbered.answered(callId);
      if (name == null) {
        return null;
      }
      settles = !isToSettle;
      isToSettle = true;
    }
    if (settles) {
      settleLater();
    }
    return name;
  }

  private void settleLater() {
    node.objects().timer().schedule(this::settle, SETTLE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Tells the object which answers are not needed any more, if no call has done so before. */
  private void settle() {
    long settled;
    synchronized (this) {
      isToSettle = false;
      if (isOver || numbered == null) { // its host may be unknown in the grid that the node is in
        return;
      }
      settled = numbered.settled(node.id());
    }
    node.messages().sendSettled(this, place(), settled);
  }

  /** Handles the news that the object will not need calls of this node in a range again. */
  synchronized void taken(CallOrigin origin, long first, long last) {
    if (numbered != null) {
      numbered.taken(origin, first, last);
    }
  }

  /** Returns whether this node keeps a call of an origin. */
  synchronized boolean keeps(CallOrigin origin) {
    return numbered != null && numbered.keeps(origin);
  }

  /** Returns whether this node has ever sent a call of a logged caller again. */
  synchronized boolean hasSentAgain(CallOrigin origin) {
    return sentAgain.contains(origin) || numbered != null && numbered.hasSentAgain(origin);
  }

  /** Returns whether the answer of a call will come, also after a loss of the object. */
  synchronized boolean awaits(long callId) {
    return numbered != null && numbered.awaits(callId);
  }

  /**
   * Handles the place of the object after a death.
   *
   * @param untaken the calls of logged objects by this route that the object may lack; none if it
   *     outlives its node
   */
  void located(int route, Place next, List<Parcel> untaken) {
    with(
        whereabouts -> {
          var known = numbered;
          if (known != null && route == Route.OF_CALLERS) {
            whereabouts.sendAgain(route, known::again);
            hasLostSome = false;
          } else if (!untaken.isEmpty()) {
            untaken.forEach(each -> sentAgain.add(nameOf(each).origin())); // first: UntakenCalls
            whereabouts.sendAgain(route, held -> UntakenCalls.before(held, untaken));
          }
          whereabouts.located(route, next);
        });
  }

  private static CallName nameOf(Parcel named) {
    return Objects.requireNonNull(named.name(), "the name of a call of a logged object");
  }

  /**
   * Records that a node was lost which may have been on the way of calls of this node. They are
   * {@linkplain #sendAgain sent again} when the way was probed. Only former hosts know all nodes on
   * the way, so any node may have been.
   */
  synchronized void mayHaveLostCalls() {
    hasLostSome |= numbered != null && numbered.size() > 0;
  }

  /**
   * Sends the kept calls of this node again if a node was lost since they were sent. The calls that
   * were sent before have arrived, or never will. Called under the monitor of this.
   */
  void sendAgain() {
    if (hasLostSome && numbered != null) {
      hasLostSome = false;
      numbered.again(List.of()).forEach(whereabouts::send);
    }
  }

  /** Returns whether calls of this node may have been lost that it keeps. */
  synchronized boolean hasToSendAgain() {
    return hasLostSome;
  }

  /** Forgets the kept calls of an origin that another node has, too. */
  synchronized void forget(CallOrigin origin) {
    sentAgain.remove(origin);
    if (numbered != null) {
      numbered.forget(origin);
    }
  }

  /** Handles a message to the object that is not sent. */
  synchronized void notSent(Parcel parcel) {
    if (numbered != null && parcel.name() != null) {
      numbered.notSent(parcel);
    }
  }

  /** Returns how many calls this node keeps for the object. */
  synchronized int kept() {
    return numbered == null ? 0 : numbered.size();
  }

  /** Gives a call its name, if it needs one, and keeps it. Called under the monitor of this. */
  Parcel named(Parcel parcel, boolean isInTurn) {
    var known = numbered;
    if (known == null || !isInTurn) {
      return parcel;
    }
    return parcel.name() == null ? known.add(node.id(), parcel) : known.add(parcel);
  }

  /** Sends a message of a caller on this node. */
  void send(Parcel unnamed, boolean isInTurn, Runnable before) {
    with(
        its -> {
          before.run(); // in one step, so that the host is not asked for a call that was not sent
          var held = its.held();
          var parcel = named(unnamed, isInTurn);
          try {
            its.send(parcel);
          } catch (RuntimeException | Error failure) {
            notSent(parcel);
            throw failure;
          }
          if (its.held() > held) {
            var payload = parcel.payload();
            heldBytes += HEADER_BYTES + (payload == null ? 0 : payload.bytes());
          }
        });
  }

  @Override
  public @Nullable Peer host() {
    var host = place.node();
    return host.equals(node.id()) || node.isDead(host) ? null : node.peer(host);
  }

  @Override
  public @Nullable UnackedFrame number(
      Peer host,
      Message.Call call,
      @Nullable Payload payload,
      CallResult result,
      boolean isInTurn,
      boolean mayKeep) {
    var callId = node.idOf(result);
    var unnamed = new Parcel(node.id(), "", callId, call, payload, null, null, OneWayAccount.NONE);
    UnackedFrame sent;
    synchronized (this) {
      sent = isKeepingCalls() && !mayKeep ? null : number(host, unnamed, result, isInTurn);
    }
    if (sent != null) {
      node.sent(this, callId, result);
    }
    return sent;
  }

  private @Nullable UnackedFrame number(
      Peer host, Parcel unnamed, CallResult result, boolean isInTurn) {
    var parcel = named(unnamed, isInTurn);
    UnackedFrame sent = null;
    try {
      var message = whereabouts.sentTo(host.id(), parcel);
      if (message != null) {
        node.expected().add(this, parcel.callId(), result); // in one step, as in send
        used();
        sent = node.messages().number(this, host, message, parcel);
      }
      return sent;
    } catch (NodeLostException e) {
      return null;
    } finally {
      if (sent == null) {
        notSent(parcel);
        node.expected().remove(parcel.callId());
      }
    }
  }

  /** Returns how many bytes of calls of this node wait for the object. */
  synchronized long heldBytes() {
    return heldBytes;
  }

  /**
   * Waits while as many calls of this node wait for the object as may.
   *
   * @return {@code false} if the time was over before
   */
  synchronized boolean awaitRoom(long nanos) throws InterruptedException {
    var began = System.nanoTime();
    while (!isOver && (whereabouts.held() >= MOST_HELD || heldBytes >= MOST_HELD_BYTES)) {
      var left = nanos == Long.MAX_VALUE ? LONG_NANOS : nanos - (System.nanoTime() - began);
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /** Ends all waiting, because this node has left the grid. */
  synchronized void isOver() {
    isOver = true;
    checkDecision();
    notifyAll();
  }

  /** Returns whether this node has left the grid of the object. */
  synchronized boolean hasLeftGrid() {
    return isOver;
  }

  /** Returns whether a route awaits a mark, and nothing has waited for that yet. */
  synchronized boolean beginsToWait() {
    var begins = !isWaiting && whereabouts.holdsMessages();
    isWaiting |= begins;
    return begins;
  }

  synchronized void endsToWait() {
    isWaiting = false;
  }

  /** Records the body in which the object was born here. */
  synchronized void born(Body born) {
    if (last == null) {
      last = guest(0, born, null);
      whereabouts.born(0, guest(0));
    }
  }

  /** Records the body in which the object is made anew here, by a grant. */
  synchronized void embodied(int itsEpoch, Body made) {
    epoch = itsEpoch;
    last = guest(itsEpoch, made, null);
    whereabouts.born(itsEpoch, guest(itsEpoch));
    updatePlace();
  }

  /** Records the body of an object whose image has arrived. */
  synchronized void arrived(int itsEpoch, Body arriving, NodeId from, Arrival arrival) {
    var guest = guest(itsEpoch, arriving, arrival);
    guest.hold();
    whereabouts.arrived(itsEpoch, guest, from);
  }

  /** Records the grant of a move to this node. */
  synchronized void granted(int itsEpoch) {
    var guest = guests.get(itsEpoch);
    if (guest != null) {
      epoch = itsEpoch;
      last = guest;
      whereabouts.granted(itsEpoch);
      updatePlace();
      checkDecision();
    }
  }

  /**
   * Returns a future that completes when this node knows whether the object has come; {@code null}
   * if it knows. Other nodes may hear of a grant earlier.
   */
  synchronized @Nullable CompletableFuture<Void> decision() {
    if (decision == null && whereabouts.awaitsGrant() && !isOver) {
      decision = new CompletableFuture<>();
    }
    return decision;
  }

  private void checkDecision() {
    var awaited = decision;
    if (awaited != null && (isOver || !whereabouts.awaitsGrant())) {
      decision = null;
      node.loopback().execute(() -> awaited.complete(null)); // without locks
    }
  }

  /** Records that the image was made and is on its way. */
  synchronized void departs(Departure departure, NodeId to) {
    guest(epoch).departure(departure);
    whereabouts.depart(epoch, to);
  }

  private Guest guest(int itsEpoch) {
    return Objects.requireNonNull(guests.get(itsEpoch), "the body in an epoch");
  }

  private Guest guest(int itsEpoch, Body its, @Nullable Arrival arrival) {
    var made = new Guest(node, this, its, itsEpoch, arrival);
    guests.put(itsEpoch, made);
    its.onEnd(
        how -> {
          made.ended();
          ended(how);
        });
    return made;
  }

  /**
   * Takes a message.
   *
   * @param exchange in which it has arrived, or {@code null}
   * @return {@code false} if the object was never here in that epoch
   */
  synchronized boolean arrive(
      NodeId sender, Routed<Parcel> message, @Nullable ArrivingExchange exchange) {
    arriving = exchange;
    try {
      return whereabouts.arrive(sender, message);
    } finally {
      arriving = null;
    }
  }

  /** Returns the exchange of the call that is being taken; called under the monitor of this. */
  @Nullable ArrivingExchange arriving() {
    return arriving;
  }

  @Override
  public long view() {
    return node.grid().appliedView();
  }

  @Override
  public long lastLoss() {
    return node.grid().lastLoss();
  }

  @Override
  public boolean isLost(NodeId other) {
    return node.isLost(other);
  }

  @Override
  public boolean isDead(NodeId other) {
    return node.isDead(other);
  }

  @Override
  public void send(NodeId host, Routed<Parcel> message) {
    if (message.content() instanceof Routed.Content.Message) {
      used(); // in one step: a release finds another version
    }
    node.messages().send(this, host, message);
  }

  /** Lets this node hold the object again if it is here, or about to be. */
  private void used() {
    for (var each : guests.descendingMap().values()) {
      if (each.hasLeft()) {
        return; // and so has it left all earlier ones, of which there may be thousands
      }
      each.used();
    }
  }

  @Override
  public void sendRelocated(NodeId owner, int route, Place next) {
    node.messages().sendRelocated(this, owner, route, next, arriving);
  }

  @Override
  public void sendSwitched(NodeId owner, Routed.Content.Mark<Parcel> mark, Place next) {
    node.messages().sendSwitched(this, owner, mark, next);
  }

  @Override
  public void drop(Routed<Parcel> message) {
    if (message.content() instanceof Routed.Content.Message<Parcel>(Parcel parcel)) {
      parcel.account().served();
    }
  }

  @Override
  public void discard(Routed<Parcel> message) {
    node.undeliverable().discard(this, message);
  }

  /**
   * A call with a name waits for an object that outlives its node with its calls, which would miss
   * it later. Only the calls that this node has numbered itself can be left out, as the next one
   * names the last that was sent.
   */
  @Override
  public boolean isRefusable(Parcel parcel) {
    return parcel.name() == null
        || !isKeepingCalls()
        || parcel.origin().equals(node.id())
            && parcel.name().origin() instanceof CallOrigin.Process;
  }

  @Override
  public void requestPlace(int route) {
    node.locator().request(this, route);
  }
}
