package org.troupe.activeobjects.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.troupe.activeobjects.DeathCertificate;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.spi.Attachment;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.activeobjects.spi.Transport.Exchange;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.serialization.CallCodec;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.SerializationException;

/** Another node, as this one deals with it: the calls there and back, and what is owed. */
final class Peer {

  /*
   * Threads: users' threads encode their calls, and send or exchange them on their own; what cannot go at once goes
   * with the pump of the outbox. Readers of the transport, and the threads of its exchanges, bring what comes through the
   * inbox; under its lock no user code runs and nothing is waited for.
   *
   * Locks are taken in this order: the monitor of Access, the lock of an inbox, that of a reply, that of any outbox, the
   * locks of bodies and of the set of live nodes. The node's own calls (membership, suspicion) are never held back,
   * because they are made under the first of these, or by timers and readers.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int MOST_EXCHANGES = 64;

  /**
   * Few virtual callers gain by an exchange each, as the other node serves them without a switch of
   * threads. Many gain by the link that they share: there one write carries the calls of all.
   */
  private static final int MOST_BEGUN_EXCHANGES = 4;

  private static final long LONGEST_PAUSE_MILLIS = 20;
  private static final int MOST_LISTED = 8;

  /**
   * For the first sign the other node may have to find a way here, be it over a relay, with a cold
   * start and TLS: that takes several times as long as any later sign on a busy machine.
   */
  private static final int FIRST_SIGN = 3;

  private static final int[] NO_TYPES = {};
  private static final Object[] NO_ARGUMENTS = {};
  private static final Outcome<Object> NULL = new Outcome.Success<>(null);

  private final NodeRuntime node;
  private final NodeId id;
  private final Access access;
  private final Wire wire;
  private final Inbox inbox;
  private final Outbox outbox;
  private volatile Vitals vitals = Vitals.NONE; // as it told last
  private final Rhythm rhythm = new Rhythm(); // touched only by the heartbeat
  private volatile String address;

  private final Semaphore exchanges = new Semaphore(MOST_EXCHANGES);
  private final Semaphore begunExchanges = new Semaphore(MOST_BEGUN_EXCHANGES);
  private final Numbered<CallResult> calls = new Numbered<>();
  private final Numbered<RemoteRequest> serving = new Numbered<>();
  private final Map<Long, Holder> holders = new ConcurrentHashMap<>();
  private final Map<Long, FutureResult<?>> owedFutures = new ConcurrentHashMap<>();
  private final Map<Long, Credits> credits = new ConcurrentHashMap<>();
  private final Map<String, Message.Call> lastCalls = new ConcurrentHashMap<>(); // by methods
  private final Map<String, CallMethod> methods = new HashMap<>(); // under the inbox's lock
  private final AtomicLong oneWayServedHere = new AtomicLong();
  private long multicastsSent; // under the lock of Multicasts
  private volatile long multicastsTaken; // written under the inbox's lock

  Peer(NodeRuntime node, NodeId id, Access access, String address) {
    this.node = node;
    this.id = id;
    this.access = access;
    this.address = address;
    this.wire = new Wire(this);
    this.inbox = new Inbox(this, wire);
    this.outbox = new Outbox(this, wire, inbox);
  }

  NodeRuntime node() {
    return node;
  }

  NodeId id() {
    return id;
  }

  Access access() {
    return access;
  }

  String address() {
    return address;
  }

  Outbox outbox() {
    return outbox;
  }

  Inbox inbox() {
    return inbox;
  }

  boolean isLost() {
    return outbox.lost() != null;
  }

  /** The service of the other node itself. */
  RemoteService service() {
    return new RemoteService(node, this);
  }

  // Calls

  /** Sends a one-way call. */
  void post(Reference.Target.Elsewhere target, CallMethod method, Object[] arguments, Body caller) {
    var payload = arguments.length == 0 ? null : node.copies().borrowArguments(method, arguments);
    var mayWait = target.bound() > 0 || outbox.isCrowded(); // when the arrays might change
    var isLent = payload != null && !mayWait && isToBeLent(payload);
    if (payload != null && !isLent) {
      payload = payload.withArraysCopied();
    }
    admit(target, Long.MAX_VALUE);
    var call = call(target, method, false, caller, payload);
    var toldOf = isOwn(target.number()) ? null : method;
    if (isLent) {
      outbox.lend(ordered(call), payload, toldOf, caller, false);
    } else {
      outbox.send(0, ordered(call), payload, toldOf, caller);
    }
  }

  /** Says whether large arrays go straight from where they are, for which nobody has to wait. */
  private static boolean isToBeLent(Payload payload) {
    var arrays = payload.values().arrays();
    return !arrays.isEmpty()
        && payload.values().bytes().length + arrays.stream().mapToLong(Frame::bytes).sum()
            <= SendWindow.MUCH_BYTES / 2;
  }

  /** Says whether a call is to the node itself: no user's, so in no account of users' calls. */
  private static boolean isOwn(long target) {
    return target == NodeService.NUMBER;
  }

  /** Sends a call whose answer goes to the result. */
  void ask(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller) {
    var payload = arguments.length == 0 ? null : node.copies().encodeArguments(method, arguments);
    if (!admit(target, result.limitNanos())) {
      return; // its time is over
    }
    expect(result);
    var call = call(target, method, result.isValueWanted(), caller, payload);
    outbox.send(result.callId, ordered(call), payload, null, null);
    withdrawIfOver(result);
  }

  /**
   * Sends a call for whose answer the current thread is about to wait. A platform thread reads it
   * itself, so it may be here on return; for a virtual one the transport reads it.
   */
  void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller) {
    var way = outbox.connection();
    // An interrupted thread can neither connect nor read.
    if (way == null || !inbox.hasHeard() || Thread.currentThread().isInterrupted()) {
      ask(target, method, arguments, result, caller);
      return;
    }
    var isVirtual = Thread.currentThread().isVirtual();
    var places = isVirtual ? begunExchanges : exchanges;
    if (isVirtual && !way.canBegin() || !places.tryAcquire()) {
      ask(target, method, arguments, result, caller);
      return;
    }
    var isOver = true;
    try {
      // The caller waits until they have arrived.
      var payload = arguments.length == 0 ? null : node.copies().borrowArguments(method, arguments);
      admit(target, Long.MAX_VALUE); // calls with a limit are not exchanged
      expect(result);
      var call = call(target, method, result.isValueWanted(), caller, payload);
      var sent = outbox.number(result.callId, ordered(call), payload);
      var exchange = new ExchangedCall(sent, result.callId);
      if (isVirtual) {
        isOver = false; // it gives the place back itself
        exchange.begin(way);
      } else {
        exchange.make(way);
      }
    } finally {
      if (isOver) {
        places.release();
      }
    }
  }

  /** A call that is sent in an exchange. */
  private final class ExchangedCall implements Transport.Caller {

    private final Sent sent;
    private final long callId;

    ExchangedCall(Sent sent, long callId) {
      this.sent = sent;
      this.callId = callId;
    }

    /** Waits for the answer, and takes it. */
    void make(Connection way) {
      var hasArrived = false;
      var isOver = false;
      try {
        var answer = way.exchange(sent.frame());
        hasArrived = true;
        take(answer);
        isOver = true;
      } catch (IOException e) {
        logBreak(e);
      } finally {
        if (!isOver) {
          // So also if this thread had no more stack or memory: a number that never comes would
          // keep back all that follows.
          tryAgain(hasArrived);
        }
      }
    }

    /** Lets the transport wait for the answer. */
    void begin(Connection way) {
      var hasBegun = false;
      try {
        way.begin(sent.frame(), this);
        hasBegun = true;
      } catch (IOException e) {
        logBreak(e);
      } finally {
        if (!hasBegun) {
          begunExchanges.release();
          tryAgain(false);
        }
      }
    }

    @Override
    public void ended(Frame answer) {
      begunExchanges.release();
      var isTaken = false;
      try {
        take(answer);
        isTaken = true;
      } finally {
        if (!isTaken) {
          tryAgain(true);
        }
      }
    }

    @Override
    public void broke(IOException why) {
      begunExchanges.release();
      logBreak(why);
      tryAgain(false);
    }

    private void take(Frame answer) {
      sent.exchanged(); // it may become another frame from now on
      if (answer != null) {
        receive(answer);
      }
    }

    /**
     * Nobody knows whether the call, or its answer, has gone down with the exchange: both go over
     * the link, which may well be sound, and where what has arrived is recognised by its number.
     */
    private void tryAgain(boolean hasArrived) {
      if (!hasArrived) {
        outbox.sendAgain(sent);
      }
      send(callId, new Message.Unexchanged(), null);
    }

    private void logBreak(IOException why) {
      LOG.log(Level.DEBUG, () -> "an exchange with node '" + id + "' broke: " + why);
    }
  }

  /** Notes, before a call is sent, who gets its answer. */
  void expect(CallResult result) {
    var callId = node.idOf(result);
    calls.put(callId, result);
    if (isLost() && calls.remove(callId) != null) {
      outbox.throwIfLost();
    }
  }

  /** Of a call whose time was over before it had gone the other node has not been told. */
  void withdrawIfOver(CallResult result) {
    if (result.isLimited() && !result.isAwaited()) {
      calls.remove(result.callId);
      send(result.callId, new Message.Abandon(), null);
    }
  }

  /** The message for a call: that of the last one, if it is the same again. */
  private Message.Call call(
      Reference.Target.Elsewhere target,
      CallMethod method,
      boolean valueWanted,
      Body caller,
      Payload payload) {
    var symbol = method.symbol();
    var callerNumber = caller == null ? 0 : caller.number();
    var counted = target.bound() > 0;
    var side = payload == null ? List.of() : payload.values().side();
    var isPlain = side.isEmpty();
    var last = isPlain ? lastCalls.get(symbol) : null;
    if (last != null && last.is(target.number(), symbol, valueWanted, counted, callerNumber)) {
      return last;
    }
    var call =
        new Message.Call(
            target.number(),
            symbol,
            valueWanted,
            counted,
            callerNumber,
            caller == null ? "" : caller.type().type().getName(),
            side);
    if (isPlain) {
      lastCalls.put(symbol, call);
    }
    return call;
  }

  /**
   * Waits, in the sending user's thread, while a bounded queue or the link itself is full.
   *
   * @param nanos how long at most for the queue
   * @return whether the call may be sent
   */
  boolean admit(Reference.Target.Elsewhere target, long nanos) {
    outbox.throwIfLost();
    if (isOwn(target.number())) {
      return true; // what nodes say of themselves is said under locks, and may end this very wait
    }
    if (target.bound() > 0 && !takeCredit(target, nanos)) {
      return false;
    }
    awaitRoom();
    return true;
  }

  /** Waits, in the sending user's thread, while too much is on the way. */
  void awaitRoom() {
    outbox.awaitRoom();
    outbox.throwIfLost();
  }

  // Multicasts

  /** How many multicasts the other node has got from here, with one that is about to go. */
  long nextMulticast() {
    return ++multicastsSent;
  }

  /** Gives a multicast its place among what goes to the other node. */
  Sent number(
      long firstCallId,
      Message.Multicast multicast,
      Payload payload,
      CallMethod oneWayCall,
      Body caller) {
    var calls = multicast.targets().length;
    return outbox.number(firstCallId, ordered(multicast), payload, oneWayCall, caller, calls);
  }

  /** What is sent while a multicast is served arrives behind that. */
  private Message ordered(Message call) {
    var stamp = Multicasts.current();
    if (stamp == null || stamp.origin().equals(id) || stamp.origin().equals(node.id())) {
      return call; // the origin has taken it before all others, and sends in order itself
    }
    var count = stamp.countFor(id.incarnation());
    return count == 0 ? call : new Message.Behind(stamp.origin(), stamp.address(), count, call);
  }

  /** How many multicasts of the other node have been taken. */
  long multicastsTaken() {
    return multicastsTaken;
  }

  /** Says whether what a call has to follow is here, or will never come. */
  boolean mayTake(Message.Behind call) {
    var origin = node.peer(call.origin(), access, call.address());
    if (origin.isLost() || origin.multicastsTaken >= call.count()) {
      return true;
    }
    origin.outbox.begin(); // were the origin lost, nobody else might find out
    return false;
  }

  private void takeMulticast(Message.Multicast multicast, long firstCallId, Frame frame) {
    node.multicasts()
        .inOneStep(
            () -> {
              for (var i = 0; i < multicast.targets().length; i++) {
                var callId = firstCallId == 0 ? 0 : firstCallId + i;
                takeCall(multicast.call(i), callId, frame, null, false, multicast.stamp(), i);
              }
            });
    multicastsTaken++; // not before: another inbox that sees it lets what follows into the queues
  }

  /**
   * Sends something for an attachment of a body of the other node.
   *
   * @param isGiven whether nobody needs its arrays when it has arrived
   */
  void sendParcel(
      long target, Attachment.Key key, int from, long tag, Payload payload, boolean isGiven) {
    var parcel = new Message.Parcel(target, key, from, tag, payload.values().side());
    if (!isGiven || payload.values().arrays().isEmpty()) {
      send(0, parcel, payload);
      return;
    }
    try {
      var sent = outbox.number(0, parcel, payload, null, null, 1);
      sent.leavesArrays();
      outbox.sendNumbered(sent);
    } catch (NodeLostException e) {
      // Whoever waits for an effect of it has been told.
    }
  }

  /** The same with a slice of an array that is the caller's again when this returns. */
  void lendParcel(long target, Attachment.Key key, int from, long tag, Payload payload) {
    var parcel = new Message.Parcel(target, key, from, tag, payload.values().side());
    try {
      outbox.lend(parcel, payload, null, null, true);
    } catch (NodeLostException e) {
      // As above.
    }
  }

  boolean takeCredit(Reference.Target.Elsewhere target, long nanos) {
    var account =
        credits.compute(
            target.number(),
            (number, known) -> {
              var credit = known == null ? new Credits(target.bound()) : known;
              credit.reserve();
              return credit;
            });
    if (isLost()) {
      account.close(); // it may have been opened too late to be closed by lose
    }
    var taken = account.take(nanos);
    if (!taken) {
      credits.computeIfPresent(
          target.number(), (number, known) -> known == account && known.giveUp() ? null : known);
    }
    return taken;
  }

  /** Gives credit back; an account that nobody owes to is closed. */
  void giveBackCredit(long target, int count) {
    credits.computeIfPresent(target, (number, account) -> account.settle(count) ? null : account);
  }

  /** The caller has given a call up. */
  void abandon(long callId) {
    if (calls.remove(callId) != null) {
      send(callId, new Message.Abandon(), null);
    }
  }

  void terminate(long number, boolean now) {
    send(new Message.Terminate(number, now));
  }

  /** Sends a message of our own; does nothing if the node is lost. */
  void send(Message message) {
    send(0, message, null);
  }

  private void send(long callId, Message message, Payload payload) {
    if (isLost()) {
      return;
    }
    try {
      outbox.send(callId, message, payload, null, null);
    } catch (NodeLostException e) {
      // Whoever waits for an effect of this message has been told.
    }
  }

  // Receiving

  private void receive(Frame frame) {
    var in = Access.header(frame);
    in.readLong(); // the sender: this one
    inbox.receive(frame, in, null);
  }

  /**
   * Takes an ordered message, under the lock of the inbox.
   *
   * @param mayServe whether the calling thread belongs to the exchange
   * @return what remains to be done when that lock is released, or {@code null}
   */
  Runnable take(Message message, long callId, Frame frame, Exchange exchange, boolean mayServe) {
    if (message instanceof Message.Call call) {
      return takeCall(call, callId, frame, exchange, mayServe, null, 0);
    }
    Inbox.decline(exchange);
    switch (message) {
      case Message.Call call -> throw new AssertionError(call);
      case Message.Behind behind -> throw new SerializationException("a call twice behind another");
      case Message.Multicast multicast -> {
        takeMulticast(multicast, callId, frame);
      }
      case Message.Parcel(
              long target,
              Attachment.Key key,
              int from,
              long tag,
              List<Object> side) -> {
        var body = node.body(target);
        if (body != null) {
          var payload = payload(frame, side, null);
          var parcel =
              new Attachments.OwnParcel(
                  () -> payload.decodeLast(node.copies())[0],
                  frame.arrays().isEmpty() ? null : frame.arrays().getFirst());
          body.attachments().receive(key, each -> each.received(from, tag, parcel));
        }
      }
      case Message.Terminate(long target, boolean now) -> {
        var body = node.body(target);
        if (body != null) {
          if (now) {
            body.terminateNow();
          } else {
            body.terminate();
          }
        }
      }
      case Message.Answer(List<Object> side) -> {
        var result = calls.remove(callId);
        if (result != null) { // else it was given up
          var outcome =
              frame.body().length == 0
                  ? NULL
                  : result.decoded(
                      payload(frame, side, node.copies().resultCodec(result.method())));
          return result.arrived(outcome);
        }
      }
      case Message.Simple(Object value) -> {
        var result = calls.remove(callId);
        if (result != null) {
          return result.arrived(new Outcome.Success<>(value));
        }
      }
      case Message.Failed(Failures.Summary summary, List<Object> side) -> {
        var result = calls.remove(callId);
        if (result != null) {
          var form = form(summary, frame, side);
          return result.arrived(node.failures().outcome(form, result));
        }
      }
      case Message.OneWayFailed(
              long caller,
              String call,
              Failures.Summary summary,
              List<Object> side) -> {
        var form = form(summary, frame, side);
        var body = caller == 0 ? null : node.body(caller);
        Thread.startVirtualThread(
            () -> node.failures().report(body, call, node.failures().opened(form, null)));
      }
      case Message.Value(long future, List<Object> side) -> {
        var holder = holders.remove(future);
        if (holder != null) {
          var outcome =
              frame.body().length == 0
                  ? NULL
                  : node.copies().decodedLater(payload(frame, side, null));
          return () -> holder.settle(outcome);
        }
      }
      case Message.ValueFailed(long future, Failures.Summary summary, List<Object> side) -> {
        var holder = holders.remove(future);
        if (holder != null) {
          var form = form(summary, frame, side);
          return () -> holder.settle(node.failures().outcome(form, null));
        }
      }
      case Message.Credit(long target, int count) -> {
        giveBackCredit(target, count);
      }
      case Message.Abandon abandon -> {
        var reply = serving.remove(callId);
        if (reply != null) {
          reply.abandon();
        }
      }
      case Message.Unexchanged broken -> {
        var reply = serving.get(callId);
        if (reply != null) {
          reply.unexchanged();
        }
        outbox.answerAgain();
      }
      case Message.Probe probe -> {
        node.cycles().probed(this, probe);
      }
      case Message.Hello hello -> throw new SerializationException("a numbered greeting");
      case Message.Heartbeat beat -> throw new SerializationException("a numbered heartbeat");
    }
    return null;
  }

  void takeUnordered(Message message) {
    switch (message) {
      case Message.Hello(String name, String itsAddress, long received, boolean missed) -> {
        address = itsAddress;
        outbox.greeted(received, missed);
      }
      case Message.Heartbeat(Vitals told) -> {
        if (!told.equals(Vitals.NONE)) {
          vitals = told;
        }
      }
      default -> throw new SerializationException("a frame without number: " + message);
    }
  }

  private Payload payload(Frame frame, List<Object> side, CallCodec codec) {
    var values = new Encoded(frame.body(), NO_TYPES, side, frame.arrays());
    return new Payload(values, wire.types(), codec);
  }

  private Failures.Form form(Failures.Summary summary, Frame frame, List<Object> side) {
    return new Failures.Form(summary, frame.body().length == 0 ? null : payload(frame, side, null));
  }

  // Serving

  private Runnable takeCall(
      Message.Call call,
      long callId,
      Frame frame,
      Exchange exchange,
      boolean mayServe,
      Multicasts.Stamp stamp,
      int place) {
    var body = node.body(call.target());
    if (body == null) {
      refuse(call, callId, exchange, node.goneMessage(call.target(), call.method()));
      return null;
    }
    CallMethod method;
    try {
      method = method(body, call.method());
    } catch (RuntimeException | LinkageError e) {
      refuse(call, callId, exchange, e.getMessage());
      return null;
    }
    var hasArguments = frame.body().length > 0 || method.parameters() > 0;
    var request =
        new RemoteRequest(
            this,
            call,
            callId,
            exchange,
            method,
            hasArguments ? null : NO_ARGUMENTS,
            hasArguments ? arguments(call, frame, method, stamp != null) : null,
            call.caller() == 0 ? null : new RemoteCaller(this, call.caller(), call.callerType()),
            call.counted() ? () -> send(new Message.Credit(call.target(), 1)) : null);
    request.stamp = stamp;
    request.place = place;
    if (!request.isOneWay()) {
      serving.put(callId, request);
    }
    if (exchange != null
        && mayServe
        && body.type().scheduling().rule(method) instanceof Scheduling.Rule.InTurn
        && body.tryReserve()) {
      return request.servedIn(body);
    }
    body.put(request);
    return null;
  }

  private Payload arguments(Message.Call call, Frame frame, CallMethod method, boolean areShared) {
    var payload = payload(frame, call.side(), node.copies().argumentCodec(method));
    return areShared ? payload.shared() : payload;
  }

  private CallMethod method(Body body, String symbol) {
    var known = methods.get(symbol);
    if (known == null || !known.owner().type().isAssignableFrom(body.type().type())) {
      known = node.method(body, symbol);
      methods.put(symbol, known);
    }
    return known;
  }

  /** Answers a call that reaches no body; over the link, because of the locks that are held. */
  private void refuse(Message.Call call, long callId, Exchange exchange, String why) {
    Inbox.decline(exchange);
    new RemoteRequest(this, call, callId, null, null, NO_ARGUMENTS, null, null, null)
        .threw(new ObjectTerminatedException(why));
    if (call.counted()) {
      send(new Message.Credit(call.target(), 1)); // it takes no room in any queue
    }
  }

  /** Who called, when the caller is a body of another node. */
  record RemoteCaller(Peer home, long number, String type) {}

  /** A call was served. */
  void served(RemoteRequest request) {
    if (!request.isOneWay()) {
      serving.remove(request.callId());
    } else if (!isOwn(request.call().target())) {
      oneWayServedHere.incrementAndGet();
    }
  }

  /** Numbers an answer that goes back in an exchange; {@code null} if the caller is gone. */
  Sent answer(long callId, Message message, Payload payload) {
    try {
      return outbox.number(callId, message, payload);
    } catch (NodeLostException e) {
      return null;
    }
  }

  /** Sends an answer. */
  void reply(long callId, Message message, Payload payload) {
    send(callId, message, payload);
  }

  /** Sends an answer that has its number already. */
  void reply(Sent answer) {
    outbox.send(answer);
  }

  // Futures

  /** Notes that the other node waits for a future of this one, and returns its number there. */
  long owe(FutureResult<?> result) {
    var future = node.nextId();
    owedFutures.put(future, result); // under the lock of the outbox: not lost yet
    result.claim();
    result.onSettled(outcome -> Thread.startVirtualThread(() -> pay(future, outcome)));
    return future;
  }

  private void pay(long future, Outcome<?> outcome) {
    if (owedFutures.remove(future) == null) {
      return; // the other node is gone
    }
    try {
      switch (node.copies().fresh(outcome)) {
        case Outcome.Success<?>(Object value) -> {
          var payload = node.copies().encode(value);
          reply(0, new Message.Value(future, payload.values().side()), payload);
        }
        case Outcome.Failure<?>(Throwable cause) -> payFailure(future, cause);
        case Outcome.Encoded<?> encoded -> throw new AssertionError(encoded);
      }
    } catch (RuntimeException | Error e) {
      payFailure(future, e);
    }
  }

  private void payFailure(long future, Throwable cause) {
    var form = node.failures().form(cause);
    reply(0, new Message.ValueFailed(future, form.summary(), side(form)), form.exception());
  }

  static List<Object> side(Failures.Form form) {
    return form.exception() == null ? List.of() : form.exception().values().side();
  }

  /** A future that the other node owes. */
  Holder holder(long future, String description) {
    var holder = new Holder(node, this, future, description);
    holders.put(future, holder);
    if (isLost() && holders.remove(future) != null) {
      var lost = outbox.lost();
      fail(holder, lost.getMessage() + "; it owed " + description, lost.certificate().orElse(null));
    }
    return holder;
  }

  FutureResult<?> owed(long future) {
    return owedFutures.get(future);
  }

  /** A call of the other node that has no answer yet, or {@code null}. */
  RemoteRequest served(long callId) {
    return serving.get(callId);
  }

  // Life and death

  /** Looks after the link; called by the timer. */
  void beat(long timeoutNanos) {
    if (!outbox.hasBegun() || isLost()) {
      return;
    }
    if (inbox.unreadable() != null) {
      access.suspect(id, inbox.unreadable());
      return;
    }
    var now = access.nanoTime();
    if (outbox.connection() != null && !outbox.hasSentSinceLook()) {
      ping();
    }
    var heard = inbox.lastHeardNanos();
    rhythm.heard(heard);
    var silence = now - heard;
    var allowed = inbox.hasHeard() ? timeoutNanos : FIRST_SIGN * timeoutNanos;
    if (rhythm.isOver(silence, allowed)) {
      access.suspect(id, rhythm.evidence(silence));
    }
    serving.values().stream()
        .map(RemoteRequest::waiting)
        .filter(Objects::nonNull)
        .distinct()
        .forEach(node.cycles()::search);
  }

  /** The number of the ordered frame that is awaited. */
  long nextFrameTaken() {
    return inbox.lastTaken() + 1;
  }

  /** Says whether there is, or was, a connection to the other node. */
  boolean isLinked() {
    return outbox.connection() != null;
  }

  /** How much is kept until the other node acknowledges it. */
  long unacknowledgedBytes() {
    return outbox.unacknowledgedBytes();
  }

  /** This JVM has stood still for a while: it could not have heard the other node. */
  void stoodStill(long nanos) {
    inbox.excuse(nanos);
  }

  /** How long the other node has been silent. */
  long silentNanos() {
    return access.nanoTime() - inbox.lastHeardNanos();
  }

  /** How many calls, futures and accounts are open between the two nodes. */
  int owes() {
    return calls.size() + serving.size() + holders.size() + owedFutures.size() + credits.size();
  }

  /** Gives a sign of life, by which a broken connection is found out. */
  void ping() {
    outbox.sendUnordered(new Message.Heartbeat(Vitals.NONE));
  }

  /** Gives a sign of life, and tells how this node is doing. */
  void tell(Vitals ours) {
    outbox.sendUnordered(new Message.Heartbeat(ours));
  }

  /** What the other node has told of itself, last. */
  Vitals vitals() {
    return vitals;
  }

  long oneWayCallsServed() {
    return oneWayServedHere.get();
  }

  boolean hasUnservedCalls() {
    return outbox.hasUnservedCalls();
  }

  /** Waits until the other node has served our one-way calls; asks less and less often. */
  void settle(long deadlineNanos) {
    try {
      for (var pause = 1L; hasUnservedCalls(); pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
        var left = deadlineNanos - System.nanoTime();
        outbox.acknowledge(0, service().served().get(left, TimeUnit.NANOSECONDS));
        if (hasUnservedCalls()) {
          TimeUnit.MILLISECONDS.sleep(pause);
        }
      }
    } catch (java.util.concurrent.ExecutionException
        | java.util.concurrent.TimeoutException
        | InterruptedException e) {
      // The node is lost, or the time is over: what is known by now is all that will be.
    }
  }

  /** The node is gone: everybody who waits for it hears why. Idempotent. */
  void lose(String reason) {
    lose(reason, null);
  }

  /**
   * The same.
   *
   * @param certificate for all that are lost with it; {@code null} if there is none
   */
  void lose(String reason, DeathCertificate certificate) {
    var lost = new NodeLostException("node '" + id + "' is gone: " + reason, certificate);
    var account = outbox.lose(lost);
    if (account == null) {
      return;
    }
    credits.values().forEach(each -> each.close());
    credits.clear();
    failCalls(reason, certificate);
    var message = lost.getMessage();
    for (var future : List.copyOf(holders.keySet())) {
      var holder = holders.remove(future);
      if (holder != null) {
        fail(holder, message + "; it owed " + holder.describe(), certificate);
      }
    }
    owedFutures.clear();
    serving.removeAll().forEach(RemoteRequest::abandon);
    inbox.lose();
    node.lost(id, message);
    tellOfOneWayCalls(account, reason, certificate);
  }

  private void failCalls(String reason, DeathCertificate certificate) {
    var open = calls.removeAll();
    if (open.isEmpty()) {
      return;
    }
    var counts = new java.util.TreeMap<String, Integer>();
    open.forEach(each -> counts.merge(each.method().toString(), 1, Integer::sum));
    var listed =
        counts.entrySet().stream()
            .limit(MOST_LISTED)
            .map(each -> each.getKey() + " x" + each.getValue())
            .collect(java.util.stream.Collectors.joining(", "));
    var message =
        "node '"
            + id
            + "' is gone: "
            + reason
            + "; "
            + open.size()
            + (open.size() == 1 ? " call to it is" : " calls to it are")
            + " lost: "
            + listed
            + (counts.size() > MOST_LISTED ? " ..." : "");
    open.forEach(each -> fail(each, message, certificate));
  }

  private static void fail(
      FutureResult<Object> result, String message, DeathCertificate certificate) {
    result.settle(new Outcome.Failure<>(new NodeLostException(message, certificate)));
  }

  private void tellOfOneWayCalls(
      SendWindow.OneWayCalls calls, String reason, DeathCertificate certificate) {
    if (calls.sent() == calls.served()) {
      return;
    }
    var unknown = calls.unknown();
    var unknownCalls = unknown.stream().mapToLong(Sent::calls).sum();
    var accepted = calls.sent() - unknownCalls;
    var summary =
        ("node '%s' is gone: %s; of %d one-way calls to it, %d are known to have been served,"
                + " %d were accepted, of %d nothing is known")
            .formatted(
                id, reason, calls.sent(), calls.served(), accepted - calls.served(), unknownCalls);
    for (var each : unknown) {
      node.failures()
          .report(
              each.caller(),
              each.oneWayCall() + " on node '" + id.name() + "'",
              new NodeLostException(summary, certificate));
    }
    if (unknown.isEmpty()) {
      node.failures()
          .report(
              null,
              "one-way calls to node '" + id + "'",
              new NodeLostException(summary, certificate));
    }
  }
}
