package org.troupe.activeobjects.internal.moving;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.BodyFactory;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.Departure;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.QueuePlace;
import org.troupe.activeobjects.internal.body.QueuedRequest;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.CopyCount;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.peer.Message;
import org.troupe.activeobjects.internal.peer.OneWayAccount;
import org.troupe.activeobjects.internal.peer.RemoteRequest;
import org.troupe.activeobjects.internal.relocation.Embodiment;
import org.troupe.activeobjects.internal.relocation.Route;
import org.troupe.activeobjects.internal.relocation.Routed;

/** A body of this node in which an object spends one epoch. */
final class Guest implements Embodiment<Parcel> {

  /*
   * Design: references of a guest
   *
   * A node keeps the first and the last guest of an object until that has ended and is forgotten (EndedObjects), and
   * each other one until a later one has taken its place (forgetStays). A guest must therefore hold nothing of the
   * object when that has left or ended: it forgets the image when the object begins to serve, its departure when the
   * object has left, and the body when the object has ended, or has come back to a later one.
   *
   * If the copies of references to the object are counted, others hold the body as long as it is needed: ExportedBodies
   * on the node of the birth, and RemoteObjects on another one. When the object leaves, a body remains held whose end
   * something of this node awaits.
   */
  private final MovedObjects node;
  private final MovedObject object;
  private final int epoch;
  private final ActiveType<?> type;
  private volatile WeakReference<Body> body;
  private volatile @Nullable Body held; // until the object has ended, unless others hold it
  private volatile boolean hasLeft;
  private volatile @Nullable End loss; // of the object, after it had left
  private final @Nullable CompletableFuture<Void> settled; // of an object that has arrived
  private @Nullable Arrival arrival; // until it serves; holds the image; guarded by the object
  private @Nullable Departure departure; // guarded by the object

  /**
   * Creates the guest.
   *
   * @param arrival of an object that comes from another node; {@code null} if it was made here
   */
  Guest(MovedObjects node, MovedObject object, Body body, int epoch, @Nullable Arrival arrival) {
    this.node = node;
    this.object = object;
    this.epoch = epoch;
    this.type = body.type();
    this.body = new WeakReference<>(body);
    this.held = body.origin() == null || body.copies() != null ? null : body;
    this.arrival = arrival;
    this.settled = arrival == null ? null : arrival.settled();
  }

  /** Returns the body; {@code null} if the object has ended and nothing refers to the body. */
  @Nullable Body body() {
    var known = held;
    return known == null ? body.get() : known;
  }

  /** Returns whether the object has left this body. */
  boolean hasLeft() {
    var known = hasLeft ? null : body();
    return hasLeft || known != null && known.hasLeft();
  }

  /** Returns whether something of this node may refer to the body, which the object has left. */
  boolean isReferredTo() {
    return hasLeft() && body() != null;
  }

  /** Lets the node hold the object until it may be collected. */
  void hold() {
    var copies = copies();
    if (copies != null) {
      copies.arrived(Objects.requireNonNull(body(), "the body of an image"));
    }
  }

  /**
   * Lets the node hold the body of a later stay instead of this one, which the object has left. It
   * holds both while something waits for the end of this one.
   */
  void succeededBy(Guest later) {
    var its = body();
    var next = later.body();
    if (its != null && next != null && !node.objects().exports().isEndAwaited(its)) {
      node.objects().exports().succeeded(its, next);
      held = null;
    }
  }

  /** Lets the node hold the object again if it is here. */
  void used() {
    var copies = copies();
    if (copies != null) {
      copies.used();
    }
  }

  /** Returns a future that completes when the object has arrived. */
  CompletableFuture<Void> settled() {
    return settled == null ? CompletableFuture.completedFuture(null) : settled;
  }

  /** Forgets an object that does not come. */
  void dismissed() {
    letGo();
    held = null;
    var its = body();
    if (its != null) {
      node.objects().exports().letGo(its);
    }
    var coming = arrival;
    arrival = null;
    if (coming != null) {
      coming.forget().run();
    }
  }

  /** Lets the node hold a body no longer that the object has left, or in which it has ended. */
  void letGo() {
    var copies = copies();
    var its = body();
    if (copies != null && its != null) {
      copies.left(its);
    }
  }

  private @Nullable CopyCount copies() {
    var its = body();
    return its != null && its.copies() instanceof CopyCount copies ? copies : null;
  }

  /** Returns a future that completes when the body has forwarded all requests that it has now. */
  CompletableFuture<Void> flushed() {
    var left = hasLeft() ? body() : null;
    var flushed = new CompletableFuture<Void>();
    if (left == null) { // without a queue
      flushed.complete(null);
    } else {
      left.put(new QueuedRequest.Passage(() -> flushed.complete(null)));
    }
    return flushed;
  }

  /** Makes another body of the object, which has left this node; only for its node of birth. */
  private Body again() {
    var made = BodyFactory.create(node.objects(), type, Options.STANDARD);
    made.succeeds(object.identity().number());
    made.onEnd(object::ended);
    made.forwards(request -> forward(made, request));
    body = new WeakReference<>(made);
    var known = loss; // read later: a loss at this moment finds the body, or is found
    if (known != null) {
      made.lostElsewhere(known);
    }
    return made;
  }

  /** Returns whether the object has left, and some of its requests have not been forwarded. */
  boolean forwards() {
    var left = hasLeft() ? body() : null;
    return left != null && left.hasQueued();
  }

  /** Forgets the body, because the object has ended. */
  void ended() {
    held = null;
    letGo();
  }

  void departure(Departure begun) {
    departure = begun;
  }

  @Override
  public void take(Parcel parcel) {
    var its = body();
    if (its == null) {
      node.undeliverable().refuse(object, routed(parcel));
      return;
    }
    take(its, parcel);
  }

  private Routed<Parcel> routed(Parcel parcel) {
    return new Routed<>(
        new Routed.Content.Message<>(parcel), epoch, 0, List.of(), Route.OF_CALLERS);
  }

  private void take(Body body, Parcel parcel) {
    switch (parcel.content()) {
      case Message.Terminate(long _, boolean now) -> {
        if (now) {
          body.terminateNow();
        } else {
          body.terminate();
        }
      }
      case Message.Call call when parcel.origin().equals(node.id()) -> takeOwn(body, call, parcel);
      case Message.Call call -> {
        var request =
            node.peer(parcel.origin())
                .incoming()
                .relocated(
                    object.identity(),
                    body,
                    call,
                    parcel.callId(),
                    parcel.payload(),
                    parcel.name(),
                    parcel.account(),
                    object.arriving());
        if (request != null) {
          put(body, request);
        }
      }
      default -> throw new AssertionError(parcel.content());
    }
  }

  private static void put(Body body, CallRequest request) {
    if (body.hasEnded()) {
      request.refuse(body);
    } else {
      body.put(request);
    }
  }

  /** Takes a call that this node itself has made. */
  private void takeOwn(Body body, Message.Call call, Parcel parcel) {
    var result = parcel.callId() == 0 ? null : node.arrivedHere(parcel.callId());
    QueuePlace place = call.counted() ? () -> node.vacated(object.identity()) : null;
    var name = parcel.name();
    if (parcel.callId() != 0 && result == null && name == null) { // it was given up
      if (place != null) {
        place.free();
      }
      return;
    }
    var method = result == null ? node.objects().method(body, call.method()) : result.method();
    var payload = method.parameters() == 0 ? null : parcel.payload();
    var request =
        new CallRequest(
            method,
            payload == null ? new Object[0] : null,
            payload == null
                ? null
                : payload.with(node.objects().marshaller().argumentCodec(method)),
            name == null || !(body instanceof LoggedBody)
                ? result
                : new NamedReply(name, node::taken, result),
            call.caller() == 0 ? null : node.objects().body(call.caller()),
            place);
    if (name != null
        && !(body instanceof LoggedBody)
        && !node.objects().host().isFirst(name, body, node::taken, request)) {
      request.freePlace();
      return;
    }
    put(body, request);
  }

  @Override
  public void take(NodeId sender, Routed<Parcel> message) {
    var left = body();
    if (left == null) { // it has ended, and has no queue that the message could overtake
      forward(sender, message);
    } else {
      left.forward(new QueuedRequest.Passage(() -> forward(sender, message)));
    }
  }

  private void forward(NodeId sender, Routed<Parcel> message) {
    object.with(whereabouts -> whereabouts.forward(epoch, sender, message));
  }

  @Override
  public void depart() {
    var begun = Objects.requireNonNull(departure, "the departure");
    var body = begun.body();
    departure = null;
    if (body.keepsCalls()) {
      object.keepsCalls(); // those of this node, which are no longer lost together with it
    }
    if (body instanceof LoggedBody) {
      node.forgetCallsOf(object.identity()); // its next node has them
    }
    begun.complete(request -> forward(body, request));
    hasLeft = true;
    body.forward(
        new QueuedRequest.Passage(
            () -> object.with(whereabouts -> whereabouts.tailPassedOn(epoch))));
    letGo();
    if (node.objects().exports().isEndAwaited(body)) {
      held = body;
    }
    if (body.origin() == null) {
      node.objects().exports().departed(body, this::again);
    }
    object.with(whereabouts -> node.ends().follow(object, whereabouts.placeAfter(epoch).node()));
  }

  /** Handles the end of the object, which has left. */
  void endedElsewhere(End end) {
    loss = end.how() == End.How.LOST ? end : null;
    if (epoch == 0) {
      node.objects().exports().endedElsewhere(object.identity().number(), end);
    }
    var its = body();
    if (its == null) {
      object.ended(end);
    } else if (end.how() == End.How.LOST) {
      its.lostElsewhere(end);
    } else {
      its.endedElsewhere(end);
    }
  }

  @Override
  public void resume() {
    if (departure != null) {
      departure.cancel();
      departure = null;
      return;
    }
    var coming = arrival;
    arrival = null;
    if (coming != null) {
      coming.begin().run();
    }
  }

  /** Forwards a request of the queue. */
  private void forward(Body body, QueuedRequest request) {
    switch (request) {
      case QueuedRequest.Passage passage -> passage.forward();
      case QueuedRequest.Termination end ->
          pass(
              new Parcel(
                  node.id(),
                  "",
                  0,
                  new Message.Terminate(0, body.isDying()),
                  null,
                  null,
                  null,
                  OneWayAccount.NONE));
      case CallRequest part when part.method.isOnward() -> {
        part.failPart(
            body,
            new IllegalStateException(
                part.method
                    + " cannot be combined with the answers of "
                    + body
                    + ", because it has moved to another node; call again"));
        if (part instanceof RemoteRequest remote) {
          node.relocated(object, remote.peer().id(), epoch);
        }
      }
      case RemoteRequest remote -> forward(body, remote);
      case CallRequest local -> forward(body, local);
      default -> throw new AssertionError(request);
    }
  }

  private void forward(Body body, RemoteRequest request) {
    var payload = request.takeEncoded(body);
    var account = request.leaves();
    var name = request.receiver() instanceof NamedReply named ? named.name() : null;
    if (name == null && request.isAbandoned()) {
      request.freePlace();
      return;
    }
    var origin = request.peer().id();
    if (!request.isOneWay()) {
      node.moved(object, origin, request.id(), epoch);
    }
    pass(
        new Parcel(
            origin,
            node.address(origin),
            request.id(),
            request.message(),
            payload,
            null,
            null,
            account,
            name));
    if (request.isOneWay()) {
      node.relocated(object, origin, epoch);
    }
  }

  private void forward(Body body, CallRequest request) {
    var named = request.receiver() instanceof NamedReply its ? its : null;
    var receiver = named == null ? request.receiver() : named.receiver();
    var result = receiver instanceof CallResult known ? known : null;
    if (receiver != null && result == null) {
      request.refuse(body);
      return;
    }
    var payload = request.takeEncoded(body);
    if (named == null && receiver != null && receiver.isAbandoned()) {
      request.freePlace();
      return;
    }
    var side = payload == null ? List.of() : payload.values().side();
    var caller = request.caller;
    var number =
        switch (caller) {
          case null -> 0L;
          case Body its -> heldNumber(its);
          default -> 0L;
        };
    var name = caller instanceof Body its && number != 0 ? RemoteCaller.nameOf(its) : "";
    var call =
        new Message.Call(
            0,
            request.method.symbol(),
            result != null && result.isValueWanted(),
            request.occupiesPlace(),
            number,
            name,
            side,
            request.context());
    var callId = result == null ? 0 : node.idOf(result);
    var parcel =
        new Parcel(
            node.id(),
            "",
            callId,
            call,
            payload,
            result == null && named == null ? request.method : null, // no account has a named call
            caller instanceof Body its ? its : null,
            OneWayAccount.NONE,
            named == null ? null : named.name());
    object.with(
        whereabouts -> {
          if (result != null) {
            node.expected().add(object, callId, result);
          }
          whereabouts.sendAfter(epoch, object.named(parcel, isInTurn(body, request)));
        });
    node.sent(object, callId, result);
  }

  private static boolean isInTurn(Body body, CallRequest request) {
    return body.type().scheduling().rule(request.method) instanceof ServicePolicy.Rule.InTurn;
  }

  private void pass(Parcel parcel) {
    object.with(whereabouts -> whereabouts.passOn(epoch, parcel));
  }

  /** Returns the number of a caller, to which a node may make a reference at any time. */
  private static long heldNumber(Body caller) {
    caller.holdForCalls();
    return caller.number();
  }
}
