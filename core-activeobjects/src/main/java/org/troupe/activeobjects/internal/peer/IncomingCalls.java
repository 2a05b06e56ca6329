package org.troupe.activeobjects.internal.peer;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.body.CallRequest;
import org.troupe.activeobjects.internal.body.LoggedBody;
import org.troupe.activeobjects.internal.body.NamedReply;
import org.troupe.activeobjects.internal.body.QueuePlace;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.call.IdTable;
import org.troupe.activeobjects.internal.call.ServicePolicy;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.RemoteCaller;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.internal.replay.CallOrigin;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Exchange;
import org.troupe.futures.FutureResult;

/**
 * The calls of another node to this one: adds them to the queues of bodies, and keeps those that
 * are unanswered.
 */
public final class IncomingCalls {

  private static final Object[] NO_ARGUMENTS = {};

  private final GridNode peer;
  private final NodeObjects node;
  private final Outbox outbox;
  private final MessageCodec wire;
  private final ReceiveStatus received;
  private final DeadlockSearch deadlocks;
  private final NumberedRequests numbered;

  private final IdTable<RemoteRequest> serving = new IdTable<>();
  private final Map<String, CallMethod> methods = new HashMap<>(); // under the inbox's lock

  /** By calls that are served concurrently with others: the future that each waits for. */
  private final Map<Long, FutureResult<?>> waitsBeside = new ConcurrentHashMap<>();

  /**
   * By targets with a bounded queue: the number of places that requests of the other node occupy.
   */
  private final Map<Long, Integer> placesTaken = new ConcurrentHashMap<>();

  /**
   * Creates the calls of a node that has made none yet.
   *
   * @param outbox sends the answers
   * @param wire knows the types that the other node has described
   * @param received counts the one-way calls that were served
   */
  IncomingCalls(
      GridNode peer,
      NodeObjects node,
      Outbox outbox,
      MessageCodec wire,
      ReceiveStatus received,
      DeadlockSearch deadlocks,
      NumberedRequests numbered) {
    this.peer = peer;
    this.node = node;
    this.outbox = outbox;
    this.wire = wire;
    this.received = received;
    this.deadlocks = deadlocks;
    this.numbered = numbered;
  }

  /** Returns the other node. */
  GridNode peer() {
    return peer;
  }

  NodeObjects node() {
    return node;
  }

  Outbox outbox() {
    return outbox;
  }

  DeadlockSearch deadlocks() {
    return deadlocks;
  }

  // Under the lock of the inbox

  /**
   * Takes a call.
   *
   * @param mayServe whether the calling thread belongs to the exchange, or has received the frame
   * @return the work to do after the lock is released, or {@code null}
   */
  @Nullable Runnable take(
      Message.Call call, long callId, Frame frame, @Nullable Exchange exchange, boolean mayServe) {
    var body = node.body(call.target());
    if (body == null) {
      refuseEnded(call, 0, callId, exchange);
      return null;
    }
    var method = method(body, call, 0, callId, exchange);
    if (method == null) {
      return null;
    }
    var payload = arguments(call, frame, method);
    var request = request(call, 0, callId, exchange, body, method, payload, caller(call));
    if (mayServe && (exchange != null || method.servedOnReceipt())) {
      var rule = body.type().scheduling().rule(method);
      if (rule instanceof ServicePolicy.Rule.InTurn && body.tryReserve()) {
        return request.servedAtOnce();
      }
      if (rule instanceof ServicePolicy.Rule.AtOnce
          && method.owner().isMiddleware()
          && body.mayServeBeside()) {
        return request.servedBeside(body);
      }
    }
    body.put(request);
    notesMemory(call.target());
    return null;
  }

  /** Takes a multicast: one request to each of its bodies, all with the same arguments. */
  void takeAll(Message.Multicast multicast, long firstCallId, Frame frame) {
    var caller = caller(multicast);
    CallMethod last = null;
    Payload payload = null;
    for (var place = 0; place < multicast.targets().length; place++) {
      var callId = firstCallId == 0 ? 0 : firstCallId + place;
      var body = node.body(multicast.target(place));
      if (body == null) {
        refuseEnded(multicast, place, callId, null);
        continue;
      }
      var method = method(body, multicast, place, callId, null);
      if (method == null) {
        continue;
      }
      if (method != last) {
        last = method;
        payload = arguments(multicast, frame, method);
        payload = payload == null ? null : payload.forSeveral();
      }
      var request = request(multicast, place, callId, null, body, method, payload, caller);
      request.stamp = multicast.stamp();
      body.put(request);
    }
    if (multicast.targets().length > 0) {
      notesMemory(multicast.target(0));
    }
  }

  /** Takes a call that is served once, however often it arrives. */
  void takeNumbered(Message.Numbered message, long callId, Frame frame) {
    var call = message.call();
    var body = node.body(call.target());
    var origin = body == null ? null : body.origin();
    var object =
        origin != null
            ? origin
            : new ObjectIdentity(node.id(), peer.access().address(), call.target());
    if (body == null) {
      var end = node.recordedEnd(call.target());
      refuseNumbered(call, callId, refusal(call, end));
      if (!node.mayBeLost(call.target())) {
        hasEnded(message.name(), object);
      }
      return;
    }
    var request = numbered(message.name(), object, call, callId, body, frame);
    if (request == null) {
      return;
    }
    request.accountedIn(OneWayAccount.NONE); // the caller's node does not count it
    numbered.inOrder(
        body,
        () -> {
          if (isToQueue(message.name(), object, body, request)) {
            body.put(request);
            notesMemory(call.target());
          }
        });
  }

  /** Makes the request for a numbered call; {@code null} if it has been refused. */
  private @Nullable RemoteRequest numbered(
      CallName name,
      ObjectIdentity object,
      Message.Call call,
      long callId,
      Body body,
      Frame frame) {
    CallMethod method;
    try {
      method = method(body, call.method());
    } catch (RuntimeException | LinkageError e) {
      var why = String.valueOf(e.getMessage());
      if (!(body instanceof LoggedBody)) {
        refuseNumbered(call, callId, why);
        takeRefused(name, object, body);
        return null;
      }
      if (call.counted()) {
        outbox.send(0, new Message.Credit(call.target(), 1), null); // it occupies no place
      }
      return unservable(call, callId, why);
    }
    var payload = arguments(call, frame, method);
    return request(call, 0, callId, null, body, method, payload, caller(call));
  }

  /** Makes a request of a logged object that is refused in its turn, as the log will say. */
  private RemoteRequest unservable(Message.Call call, long callId, String why) {
    var request = new UnservableRequest(this, call, callId, why);
    if (callId != 0) {
      serving.put(callId, request);
    }
    return request;
  }

  /**
   * Gives a call its name.
   *
   * @return whether it is to be queued; else it has been served before, and is answered here
   */
  boolean isToQueue(CallName name, ObjectIdentity object, Body body, CallRequest request) {
    if (body instanceof LoggedBody || body.hasLeft()) { // it, or its next node, finds out later
      request.replyTo(new NamedReply(name, this::taken, request.receiver()));
      return true;
    }
    if (numbered.take(name, object, body, this::taken, request)) {
      return true;
    }
    request.freePlace();
    return false;
  }

  /** Accounts for a call of a method that an object without a log does not have. */
  private void takeRefused(CallName name, ObjectIdentity object, Body body) {
    numbered.inOrder(body, () -> numbered.takeRefused(name, object, body, this::taken));
  }

  /**
   * Lets the caller's node forget a call to an object that has ended, and all before it, of which
   * none is to be sent again: the object goes on neither elsewhere nor in another run.
   */
  public void hasEnded(CallName name, ObjectIdentity object) {
    taken(object, name.origin(), 0, name.number());
  }

  /** Implements {@link NamedReply.Sender} for the callers of the other node. */
  public void taken(ObjectIdentity object, CallOrigin origin, long first, long last) {
    outbox.send(0, new Message.Taken(object, origin, first, last), null);
  }

  private RemoteRequest request(
      Message.Request call,
      int place,
      long callId,
      @Nullable Exchange exchange,
      Body body,
      CallMethod method,
      @Nullable Payload payload,
      @Nullable RemoteCaller caller) {
    var queuePlace =
        call.counted() && body.takesPlace(method) ? new Place(call.target(place), null) : null;
    var values = payload == null ? NO_ARGUMENTS : null;
    var request =
        new RemoteRequest(
            this, call, callId, body, exchange, method, values, payload, caller, queuePlace);
    request.place = place;
    if (callId != 0) {
      serving.put(callId, request);
    }
    return request;
  }

  private @Nullable RemoteCaller caller(Message.Request call) {
    return call.caller() == 0 ? null : RemoteCaller.of(peer, call.caller(), call.callerType());
  }

  /** Lets the other node know that the queues of this one are full, if they are. */
  private void notesMemory(long target) {
    if (node.memory().isFull() && !NodeObjects.isService(target)) {
      node.memory().isSending(peer);
    }
  }

  /**
   * Lets its node hold the caller of a one-way call for as long as this node lives. The call has
   * moved, or is about to, so it may be served on a node that its caller's node does not ask.
   */
  void holdCaller(Message.Request call) {
    if (call.caller() != 0) {
      outbox.send(0, new Message.ObjectKept(call.caller()), null);
    }
  }

  /**
   * Makes the request for a call that has come to an object after a move.
   *
   * @param object the identity of the object, which the body has at present
   * @param name of a call that its origin has numbered, or {@code null}
   * @param account that of a one-way call
   * @param arriving in which the caller's thread waits for the answer, or {@code null}
   * @return {@code null} if the call was refused, has been served before, or is served by the
   *     current thread
   */
  public @Nullable CallRequest relocated(
      ObjectIdentity object,
      Body body,
      Message.Call call,
      long callId,
      @Nullable Payload payload,
      @Nullable CallName name,
      OneWayAccount account,
      @Nullable ArrivingExchange arriving) {
    var here = call.to(body.number());
    CallMethod method;
    try {
      method =
          arriving == null // else under the lock of this node's inbox, which guards the methods
              ? node.method(body, call.method())
              : method(body, call.method());
    } catch (RuntimeException | LinkageError e) {
      if (call.counted()) {
        vacate(object);
      }
      var why = String.valueOf(e.getMessage());
      if (name == null || !(body instanceof LoggedBody)) {
        refuse(here, callId, why, account);
        if (name != null) {
          takeRefused(name, object, body);
        }
        return null;
      }
      var unservable = unservable(here, callId, why);
      unservable.accountedIn(account);
      if (unservable.isOneWay()) {
        holdCaller(call); // as below
      }
      return isToQueue(name, object, body, unservable) ? unservable : null;
    }
    var arguments = method.parameters() == 0 ? null : payload;
    var request =
        new RemoteRequest(
            this,
            here,
            callId,
            body,
            arriving == null ? null : arriving.take(),
            method,
            arguments == null ? NO_ARGUMENTS : null,
            arguments == null ? null : arguments.with(node.marshaller().argumentCodec(method)),
            caller(call),
            call.counted() ? new Place(here.target(), object) : null);
    request.accountedIn(account);
    if (request.isOneWay()) {
      holdCaller(call); // also if the node that forwarded the call is lost
    } else {
      serving.put(callId, request);
    }
    if (name != null && !isToQueue(name, object, body, request)) {
      return null;
    }
    if (arriving != null
        && arriving.mayServe()
        && body.type().scheduling().rule(method) instanceof ServicePolicy.Rule.InTurn
        && !body.hasEnded()
        && body.tryReserve()) {
      arriving.serve(request.servedAtOnce());
      return null;
    }
    return request;
  }

  /**
   * Fails a call to an object that has moved and cannot be reached.
   *
   * @param account that of a one-way call
   */
  public void fail(Message.Call call, long callId, RuntimeException why, OneWayAccount account) {
    var refused = refused(call, callId);
    refused.accountedIn(account);
    refused.threw(why);
    if (refused.isOneWay()) {
      served(refused);
    }
  }

  private void refuse(Message.Call call, long callId, String why, OneWayAccount account) {
    fail(call, callId, new ObjectTerminatedException(why), account);
  }

  @SuppressWarnings("NullAway") // a request that is only refused has no method
  private RemoteRequest refused(Message.Call call, long callId) {
    return new RemoteRequest(this, call, callId, null, null, null, NO_ARGUMENTS, null, null, null);
  }

  /** Returns the account that the other node has of the one-way calls that it sends here itself. */
  public OneWayAccount account() {
    return received::servedOneWay;
  }

  /** Returns whether a call of the other node waits here or is being served. */
  public boolean hasUnanswered(long callId) {
    return serving.get(callId) != null;
  }

  /** A place that a request of the other node occupies in a bounded queue. */
  private final class Place implements QueuePlace {

    private final long target;
    private final @Nullable ObjectIdentity moved; // null: the other node knows the target
    private boolean hasLeft; // a request is handled by one thread at a time

    Place(long target, @Nullable ObjectIdentity moved) {
      this.target = target;
      this.moved = moved;
      placesTaken.merge(target, 1, Integer::sum);
    }

    @Override
    public void free() {
      leaves();
      if (moved == null) {
        outbox.send(0, new Message.Credit(target, 1), null);
      } else {
        vacate(moved);
      }
    }

    @Override
    public void leaves() {
      if (!hasLeft) {
        hasLeft = true;
        placesTaken.computeIfPresent(target, (number, places) -> places == 1 ? null : places - 1);
      }
    }
  }

  /** Gives back a place in the queue of an object that has moved. */
  public void vacate(ObjectIdentity object) {
    outbox.send(0, new Message.Vacated(object), null);
  }

  /**
   * Returns whether a queue has no capacity for requests of the other node until one is taken from
   * it.
   *
   * @param places how many places are needed at once
   */
  public boolean fills(long target, int places) {
    var body = node.body(target);
    return body != null
        && (body.queueBound() > 0
                && placesTaken.getOrDefault(target, 0) > body.queueBound() - places
            || node.memory().holdsBack(peer, body));
  }

  private @Nullable Payload arguments(Message.Request call, Frame frame, CallMethod method) {
    return frame.body().length == 0 && method.parameters() == 0
        ? null
        : wire.payload(frame, call.side(), node.marshaller().argumentCodec(method));
  }

  /**
   * Returns the method of a call; {@code null} if the body has none such and the call is refused.
   */
  private @Nullable CallMethod method(
      Body body, Message.Request call, int place, long callId, @Nullable Exchange exchange) {
    try {
      return method(body, call.method());
    } catch (RuntimeException | LinkageError e) {
      refuse(call, place, callId, exchange, String.valueOf(e.getMessage()));
      return null;
    }
  }

  private CallMethod method(Body body, String symbol) {
    var known = methods.get(symbol);
    if (known == null || !known.owner().type().isAssignableFrom(body.type().type())) {
      known = node.method(body, symbol);
      methods.put(symbol, known);
    }
    return known;
  }

  private void refuseEnded(
      Message.Request call, int place, long callId, @Nullable Exchange exchange) {
    var end = node.recordedEnd(call.target(place));
    refuse(call, place, callId, exchange, refusal(call, end));
  }

  private String refusal(Message.Request call, End end) {
    return "%s was not served: %s".formatted(RemoteRequest.text(call.method(), node), end.why());
  }

  /** Answers a call with a name that reaches no queue; the caller's node does not count it. */
  private void refuseNumbered(Message.Call call, long callId, String why) {
    refuse(call, callId, why, OneWayAccount.NONE);
    if (call.counted()) {
      outbox.send(0, new Message.Credit(call.target(), 1), null); // it occupies no place
    }
  }

  /** Answers a call that reaches no body; over the link, because locks are held. */
  @SuppressWarnings("NullAway") // a request that is only refused has no method
  private void refuse(
      Message.Request call, int place, long callId, @Nullable Exchange exchange, String why) {
    RemoteRequest.decline(exchange);
    var refused =
        new RemoteRequest(this, call, callId, null, null, null, NO_ARGUMENTS, null, null, null);
    refused.place = place;
    refused.threw(new ObjectTerminatedException(why));
    if (refused.isOneWay()) {
      served(refused); // the sender knows its outcome
    }
    if (call.counted()) {
      outbox.send(
          0, new Message.Credit(refused.target(), 1), null); // it occupies no place in a queue
    }
  }

  /** Handles a call that its caller has given up. */
  void abandoned(long callId) {
    var reply = serving.remove(callId);
    if (reply != null) {
      reply.abandon();
    }
  }

  /** Handles the failure of the exchange of a call. */
  void unexchanged(long callId) {
    var reply = serving.get(callId);
    if (reply != null) {
      reply.unexchanged();
    }
  }

  // Without the lock

  /** Completes the account of a call that was served. */
  void served(RemoteRequest request) {
    if (!request.isOneWay()) {
      serving.remove(request.callId());
    } else if (request.account() instanceof OneWayAccount account) {
      account.served();
    } else if (!NodeObjects.isService(request.target())) {
      received.servedOneWay();
    }
  }

  /** Returns a call of the other node that has no answer yet, or {@code null}. */
  public @Nullable RemoteRequest unanswered(long callId) {
    return serving.get(callId);
  }

  /**
   * Records the future that a request waits for while it is served concurrently with others.
   *
   * @param awaited the future, or {@code null} to remove the record
   * @return the future recorded before, or {@code null}
   */
  public @Nullable FutureResult<?> waits(RemoteRequest request, @Nullable FutureResult<?> awaited) {
    return awaited == null
        ? waitsBeside.remove(request.callId())
        : waitsBeside.put(request.callId(), awaited);
  }

  /**
   * Returns the future that delays the answer of a call served concurrently with others, or {@code
   * null}.
   */
  public @Nullable FutureResult<?> waitBeside(RemoteRequest request) {
    return waitsBeside.get(request.callId());
  }

  /** Returns how many one-way calls of users were served. */
  public long oneWayServed() {
    return received.oneWayServed();
  }

  /** Returns a future that completes when so many one-way calls of users were served. */
  public CompletableFuture<Boolean> whenServedOneWay(long calls) {
    return received.whenServedOneWay(calls);
  }

  /** Returns how many calls have no answer yet. */
  int size() {
    return serving.size();
  }

  /** Drops all calls when the other node is lost; their answers are no longer awaited. */
  void lose() {
    serving.removeAll().forEach(RemoteRequest::abandon);
  }
}
