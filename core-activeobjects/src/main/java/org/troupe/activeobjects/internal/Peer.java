package org.troupe.activeobjects.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.futures.FutureResult;
import org.troupe.futures.Outcome;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.SerializationException;

/** Another node, as this one deals with it: the frames there and back, and what is owed. */
final class Peer {

  /*
   * Order and reliability are made here, over whatever transport, driver or number of connections. Ordered frames are
   * numbered under the send lock and kept until the other node acknowledges them; it takes them by number, each once.
   * So frames may overtake each other (an exchange uses a connection of its own), and after a reset everything
   * unacknowledged is sent again.
   *
   * Threads: users' threads number and queue frames, and exchange them on their own; one pump thread per peer
   * connects, sends what is queued, and reconnects. Readers of the transport call receive; they take frames in order
   * under the receive lock, which runs no user code and waits for nothing.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int MOST_EXCHANGES = 64;
  private static final int ACKNOWLEDGE_AFTER_FRAMES = 64;
  private static final long ACKNOWLEDGE_AFTER_BYTES = 1 << 20;
  private static final int LARGEST_BATCH = 256;

  /** A sending user waits while so much is unacknowledged. */
  private static final long MOST_UNACKNOWLEDGED_BYTES = 64L << 20;

  private static final long RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_MILLIS = 20;
  private static final long BETWEEN_TRIES_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final NodeRuntime node;
  private final NodeId id;
  private final Access access;
  private final Wire wire;
  private volatile String address;

  // Sending; all under sendLock
  private final ReentrantLock sendLock = new ReentrantLock();
  private final Condition somethingToSend = sendLock.newCondition();
  private final Condition acknowledged = sendLock.newCondition();
  private final ArrayDeque<Sent> unacknowledged = new ArrayDeque<>();
  private final ArrayDeque<Frame> unordered = new ArrayDeque<>();
  private final ArrayDeque<Sent> toSend = new ArrayDeque<>();
  private long lastNumber;
  private long unacknowledgedBytes;
  private Thread pump;
  private boolean broken;
  private volatile Connection connection;
  private volatile NodeLostException lost;
  private volatile long lastSentNanos = System.nanoTime();

  // Receiving; all under receiveLock
  private final ReentrantLock receiveLock = new ReentrantLock();
  private final Map<Long, Frame> early = new HashMap<>();
  private volatile long lastTaken;
  private int framesSinceAcknowledged;
  private long bytesSinceAcknowledged;
  private volatile long lastHeardNanos = System.nanoTime();

  // What is owed
  private final Semaphore exchanges = new Semaphore(MOST_EXCHANGES);
  private final Map<Long, CallResult> calls = new ConcurrentHashMap<>();
  private final Map<Long, RemoteReply> serving = new ConcurrentHashMap<>();
  private final Map<Long, Holder> holders = new ConcurrentHashMap<>();
  private final Map<Long, FutureResult<?>> owedFutures = new ConcurrentHashMap<>();
  private final Map<Long, Credits> credits = new ConcurrentHashMap<>();
  private final AtomicLong oneWaySent = new AtomicLong();
  private final AtomicLong oneWayServedHere = new AtomicLong();
  private volatile long oneWayServedThere;

  /** An ordered frame that the other node may not have yet. */
  private static final class Sent {
    final long number;
    final Frame frame;
    final String oneWayCall; // what to tell the failure handler if it is lost; null for others
    final Body caller;

    Sent(long number, Frame frame, String oneWayCall, Body caller) {
      this.number = number;
      this.frame = frame;
      this.oneWayCall = oneWayCall;
      this.caller = caller;
    }
  }

  Peer(NodeRuntime node, NodeId id, Access access, String address) {
    this.node = node;
    this.id = id;
    this.access = access;
    this.address = address;
    this.wire = new Wire(this);
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

  boolean isLost() {
    return lost != null;
  }

  /** The service of the other node itself. */
  RemoteService service() {
    return new RemoteService(node, this);
  }

  // Calls

  /** Sends a one-way call. */
  void post(Reference.Target.Elsewhere target, CallMethod method, Object[] arguments, Body caller) {
    admit(target, caller);
    String label = null;
    if (target.number() != NodeService.NUMBER) { // what nodes tell each other is no user's loss
      oneWaySent.incrementAndGet();
      label = method + " on node '" + id.name() + "'";
    }
    var payload = node.encode(arguments);
    var call = call(target, method, 0, false, caller, payload);
    ordered(call, payload, label, caller);
  }

  /** Sends a call whose answer goes to the result. */
  void ask(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller) {
    admit(target, caller);
    var payload = node.encode(arguments);
    expect(result);
    ordered(call(target, method, result.callId, result.isValueWanted(), caller, payload), payload);
  }

  /**
   * Sends a call for whose answer the current thread, a platform thread, is about to wait; the
   * answer may be here on return.
   */
  void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      Body caller) {
    var way = connection;
    if (way == null || !exchanges.tryAcquire()) {
      ask(target, method, arguments, result, caller);
      return;
    }
    try {
      admit(target, caller);
      var payload = node.encode(arguments);
      expect(result);
      var message = call(target, method, result.callId, result.isValueWanted(), caller, payload);
      Frame frame;
      sendLock.lock();
      try {
        throwIfLost();
        frame = numbered(message, payload, null, null).frame;
        lastSentNanos = System.nanoTime();
      } finally {
        sendLock.unlock();
      }
      var answer = way.exchange(frame);
      if (answer != null) {
        node.received(answer, false);
      }
    } catch (IOException e) {
      failed(way, e);
    } finally {
      exchanges.release();
    }
  }

  private void expect(CallResult result) {
    var callId = node.idOf(result);
    result.peer = this;
    result.onAbandon = () -> abandon(callId);
    calls.put(callId, result);
    if (lost != null && calls.remove(callId) != null) {
      throw lost();
    }
  }

  private Message.Call call(
      Reference.Target.Elsewhere target,
      CallMethod method,
      long callId,
      boolean valueWanted,
      Body caller,
      Payload payload) {
    return new Message.Call(
        target.number(),
        method.symbol(),
        callId,
        valueWanted,
        target.bound() > 0,
        caller == null ? 0 : caller.number(),
        caller == null ? "" : caller.type().type().getName(),
        payload.values().side());
  }

  /** Waits, in the sending user's thread, while a bounded queue or the link itself is full. */
  private void admit(Reference.Target.Elsewhere target, Body caller) {
    throwIfLost();
    if (target.bound() > 0) {
      credits.computeIfAbsent(target.number(), number -> new Credits(target.bound())).take();
    }
    // What nodes say of themselves never waits: it is said under locks, and may end this very wait.
    if (unacknowledgedBytes > MOST_UNACKNOWLEDGED_BYTES && target.number() != NodeService.NUMBER) {
      sendLock.lock();
      try {
        while (unacknowledgedBytes > MOST_UNACKNOWLEDGED_BYTES && lost == null) {
          acknowledged.awaitUninterruptibly();
        }
      } finally {
        sendLock.unlock();
      }
    }
    throwIfLost();
  }

  private void abandon(long callId) {
    if (calls.remove(callId) != null) {
      send(new Message.Abandon(callId));
    }
  }

  void terminate(long number, boolean now) {
    send(new Message.Terminate(number, now));
  }

  // Sending

  /** Sends a message of our own; does nothing if the node is lost. */
  void send(Message message) {
    if (lost != null) {
      return;
    }
    try {
      ordered(message, null);
    } catch (NodeLostException e) {
      // Whoever waits for an effect of this message has been told.
    }
  }

  private void ordered(Message message, Payload payload) {
    ordered(message, payload, null, null);
  }

  private void ordered(Message message, Payload payload, String oneWayCall, Body caller) {
    sendLock.lock();
    try {
      throwIfLost();
      toSend.add(numbered(message, payload, oneWayCall, caller));
      wakePump();
    } finally {
      sendLock.unlock();
    }
  }

  /** Sends a message that needs neither order nor a guarantee. */
  private void unordered(Message message) {
    sendLock.lock();
    try {
      if (lost == null) {
        unordered.add(new Frame(wire.write(envelope(0), message, new int[0])));
        wakePump();
      }
    } finally {
      sendLock.unlock();
    }
  }

  private Sent numbered(Message message, Payload payload, String oneWayCall, Body caller) {
    var number = ++lastNumber;
    var header =
        wire.write(
            envelope(number), message, payload == null ? new int[0] : payload.values().typeIds());
    var frame = payload == null ? new Frame(header) : new Frame(header, payload.values().bytes());
    var sent = new Sent(number, frame, oneWayCall, caller);
    unacknowledged.add(sent);
    unacknowledgedBytes += frame.size();
    return sent;
  }

  private Wire.Envelope envelope(long number) {
    return new Wire.Envelope(node.id().incarnation(), number, lastTaken);
  }

  private void wakePump() {
    if (pump == null) {
      pump = Thread.ofPlatform().daemon().name("troupe-to-" + id.name()).start(this::pump);
    }
    somethingToSend.signal();
  }

  private void pump() {
    try {
      while (lost == null) {
        var way = connected();
        if (way != null) {
          var batch = nextBatch();
          if (!batch.isEmpty()) {
            try {
              way.send(batch);
              lastSentNanos = System.nanoTime();
            } catch (IOException e) {
              failed(way, e);
            }
          }
        }
      }
    } catch (InterruptedException e) {
      // Only the end of the node interrupts its pumps.
    } finally {
      var way = connection;
      if (way != null) {
        way.close();
      }
    }
  }

  private List<Frame> nextBatch() throws InterruptedException {
    sendLock.lock();
    try {
      while (unordered.isEmpty() && toSend.isEmpty() && !broken && lost == null) {
        somethingToSend.await();
      }
      var batch = new ArrayList<Frame>();
      if (broken || lost != null) {
        return batch;
      }
      while (batch.size() < LARGEST_BATCH && !unordered.isEmpty()) {
        batch.add(unordered.poll());
      }
      while (batch.size() < LARGEST_BATCH && !toSend.isEmpty()) {
        batch.add(toSend.poll().frame);
      }
      return batch;
    } finally {
      sendLock.unlock();
    }
  }

  /** A connection broke under somebody; the pump will make another. */
  private void failed(Connection way, IOException cause) {
    sendLock.lock();
    try {
      if (connection == way && lost == null) {
        LOG.log(Level.DEBUG, () -> "the connection to node '" + id + "' broke: " + cause);
        broken = true;
        wakePump();
      }
    } finally {
      sendLock.unlock();
    }
  }

  /** Returns a connection that works, as far as is known; {@code null} if the node is lost. */
  private Connection connected() throws InterruptedException {
    var way = connection;
    if (way != null && !broken) {
      return way;
    }
    if (way != null) {
      way.close();
    }
    var report = System.nanoTime() + RECONNECT_NANOS;
    while (lost == null) {
      try {
        var fresh = access.connect(address);
        fresh.send(List.of(hello()));
        connectedAgain(fresh);
        return fresh;
      } catch (IOException e) {
        if (System.nanoTime() > report) {
          report = System.nanoTime() + RECONNECT_NANOS;
          access.suspect(id, "it cannot be reached: " + e.getMessage());
        }
        TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES_NANOS);
      }
    }
    return null;
  }

  private Frame hello() {
    return new Frame(
        wire.write(
            envelope(0), new Message.Hello(node.name(), access.address(), lastTaken), new int[0]));
  }

  private void connectedAgain(Connection fresh) {
    sendLock.lock();
    try {
      var again = connection != null;
      connection = fresh;
      broken = false;
      if (again) {
        sendAgain();
      }
    } finally {
      sendLock.unlock();
    }
  }

  /** Everything that is not known to have arrived; what has is recognised by its number. */
  private void sendAgain() {
    toSend.clear();
    toSend.addAll(unacknowledged);
    wakePump();
  }

  private void acknowledge(long number) {
    sendLock.lock();
    try {
      var some = false;
      while (!unacknowledged.isEmpty() && unacknowledged.peek().number <= number) {
        unacknowledgedBytes -= unacknowledged.poll().frame.size();
        some = true;
      }
      if (some) {
        acknowledged.signalAll();
      }
    } finally {
      sendLock.unlock();
    }
  }

  // Receiving

  /**
   * Takes a frame that arrived.
   *
   * @param mayReply whether the sender waits for the returned frame
   * @return the answer, or {@code null} if it will be sent
   */
  Frame receive(Frame frame, boolean mayReply) {
    lastHeardNanos = System.nanoTime();
    var in = new ByteInput(frame.header());
    try {
      var envelope = Wire.Envelope.read(in);
      if (envelope.acknowledged() > 0) {
        acknowledge(envelope.acknowledged());
      }
      if (envelope.sequence() == 0) {
        takeUnordered(wire.read(in, false));
        return null;
      }
      return receiveOrdered(envelope.sequence(), frame, in, mayReply);
    } catch (SerializationException e) {
      LOG.log(Level.ERROR, "node '" + id + "' sent a frame that cannot be read", e);
      access.suspect(id, "it sent a frame that cannot be read: " + e.getMessage());
      return null;
    }
  }

  private Frame receiveOrdered(long number, Frame frame, ByteInput in, boolean mayReply) {
    Inline inline = null;
    receiveLock.lock();
    try {
      if (number <= lastTaken || lost != null) {
        return null; // sent again after a reset, and here already
      }
      if (number > lastTaken + 1) {
        early.put(number, frame);
        return null;
      }
      inline = take(frame, in, mayReply);
      for (Frame next; (next = early.remove(lastTaken + 1)) != null; ) {
        var nextIn = new ByteInput(next.header());
        Wire.Envelope.read(nextIn);
        take(next, nextIn, false);
      }
    } finally {
      receiveLock.unlock();
    }
    return inline == null ? null : inline.serve();
  }

  private Inline take(Frame frame, ByteInput in, boolean mayReply) {
    lastTaken++;
    var message = wire.read(in, true);
    framesSinceAcknowledged++;
    bytesSinceAcknowledged += frame.size();
    if (framesSinceAcknowledged >= ACKNOWLEDGE_AFTER_FRAMES
        || bytesSinceAcknowledged >= ACKNOWLEDGE_AFTER_BYTES) {
      framesSinceAcknowledged = 0;
      bytesSinceAcknowledged = 0;
      unordered(new Message.Heartbeat(oneWayServedHere.get()));
    }
    return switch (message) {
      case Message.Call call -> takeCall(call, frame, mayReply);
      case Message.Terminate(long target, boolean now) -> {
        var body = node.body(target);
        if (body != null) {
          if (now) {
            body.terminateNow();
          } else {
            body.terminate();
          }
        }
        yield null;
      }
      case Message.Answer(long callId, List<Object> side) -> {
        settle(calls.remove(callId), frame, side);
        yield null;
      }
      case Message.Failed(long callId, Failures.Summary summary, List<Object> side) -> {
        var result = calls.remove(callId);
        if (result != null) {
          result.settle(node.failures().outcome(form(summary, frame, side), result));
        }
        yield null;
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
        yield null;
      }
      case Message.Value(long future, List<Object> side) -> {
        settle(holders.remove(future), frame, side);
        yield null;
      }
      case Message.ValueFailed(long future, Failures.Summary summary, List<Object> side) -> {
        var holder = holders.remove(future);
        if (holder != null) {
          holder.settle(node.failures().outcome(form(summary, frame, side), null));
        }
        yield null;
      }
      case Message.Credit(long target, int count) -> {
        var account = credits.get(target);
        if (account != null) {
          account.giveBack(count);
        }
        yield null;
      }
      case Message.Abandon(long callId) -> {
        var reply = serving.remove(callId);
        if (reply != null) {
          reply.abandon();
        }
        yield null;
      }
      case Message.Probe probe -> {
        node.cycles().probed(this, probe);
        yield null;
      }
      case Message.Hello hello -> throw new SerializationException("a numbered greeting");
      case Message.Heartbeat beat -> throw new SerializationException("a numbered heartbeat");
    };
  }

  private void takeUnordered(Message message) {
    switch (message) {
      case Message.Hello(String name, String itsAddress, long received) -> {
        address = itsAddress;
        sendLock.lock();
        try {
          acknowledge(received);
          if (connection != null && !unacknowledged.isEmpty()) {
            sendAgain(); // it connects because something broke; answers may have been in flight
          }
        } finally {
          sendLock.unlock();
        }
      }
      case Message.Heartbeat(long served) ->
          oneWayServedThere = Math.max(oneWayServedThere, served);
      default -> throw new SerializationException("a frame without number: " + message);
    }
  }

  private Payload payload(Frame frame, List<Object> side) {
    return new Payload(
        new org.troupe.serialization.Encoded(frame.body(), new int[0], side), wire.types());
  }

  private Failures.Form form(Failures.Summary summary, Frame frame, List<Object> side) {
    return new Failures.Form(summary, frame.body().length == 0 ? null : payload(frame, side));
  }

  private void settle(FutureResult<Object> result, Frame frame, List<Object> side) {
    if (result == null) {
      return; // given up meanwhile
    }
    if (frame.body().length == 0) {
      result.settle(new Outcome.Success<>(null));
      return;
    }
    var payload = payload(frame, side);
    result.settle(
        new Outcome.Encoded<>(payload, () -> new Outcome.Success<>(payload.decode(node)[0])));
  }

  // Serving

  /** A request that the thread which received it may serve itself. */
  private record Inline(Body body, CallRequest request, RemoteReply reply) {

    Frame serve() {
      if (body == null) {
        return reply.served();
      }
      body.serveReserved(request);
      return reply.served();
    }
  }

  private Inline takeCall(Message.Call call, Frame frame, boolean mayReply) {
    var reply = new RemoteReply(this, call, mayReply);
    var body = node.body(call.target());
    if (body == null) {
      reply.threwUnserved(node.goneMessage(call.target(), call.method()));
      return mayReply ? new Inline(null, null, reply) : null;
    }
    CallMethod method;
    try {
      method = node.method(body, call.method());
    } catch (RuntimeException e) {
      reply.threwUnserved(e.getMessage());
      return mayReply ? new Inline(null, null, reply) : null;
    }
    if (call.callId() != 0) {
      serving.put(call.callId(), reply);
    }
    var caller =
        call.caller() == 0 ? null : new RemoteCaller(this, call.caller(), call.callerType());
    var request =
        new CallRequest(
            method,
            payload(frame, call.side()),
            reply,
            caller,
            call.counted() ? () -> send(new Message.Credit(call.target(), 1)) : null);
    var inTurn = body.type().scheduling().rule(method) instanceof Scheduling.Rule.InTurn;
    if (mayReply && inTurn && body.tryReserve()) {
      return new Inline(body, request, reply);
    }
    reply.queued();
    body.put(request);
    return null;
  }

  /** Who called, when the caller is a body of another node. */
  record RemoteCaller(Peer home, long number, String type) {}

  /** A call that was served; called by its reply. */
  void served(Message.Call call) {
    if (call.callId() == 0) {
      if (call.target() != NodeService.NUMBER) {
        oneWayServedHere.incrementAndGet();
      }
    } else {
      serving.remove(call.callId());
    }
  }

  /** Numbers an answer that goes back as the result of an exchange. */
  Frame answer(Message message, Payload payload) {
    sendLock.lock();
    try {
      return lost == null ? numbered(message, payload, null, null).frame : null;
    } finally {
      sendLock.unlock();
    }
  }

  /** Sends an answer. */
  void reply(Message message, Payload payload) {
    try {
      ordered(message, payload);
    } catch (NodeLostException e) {
      // The caller is gone.
    }
  }

  // Futures

  /** Notes that the other node waits for a future of this one, and returns its number there. */
  long owe(FutureResult<?> result) {
    var future = node.nextId();
    owedFutures.put(future, result);
    result.claim();
    result.onSettled(outcome -> Thread.startVirtualThread(() -> pay(future, outcome)));
    return future;
  }

  private void pay(long future, Outcome<?> outcome) {
    owedFutures.remove(future);
    if (lost != null) {
      return;
    }
    try {
      switch (node.fresh(outcome)) {
        case Outcome.Success<?>(Object value) -> {
          var payload = node.encode(value);
          ordered(new Message.Value(future, payload.values().side()), payload);
        }
        case Outcome.Failure<?>(Throwable cause) -> payFailure(future, cause);
        case Outcome.Encoded<?> encoded -> throw new AssertionError(encoded);
      }
    } catch (NodeLostException e) {
      // Nobody waits any more.
    } catch (RuntimeException e) {
      payFailure(future, e);
    }
  }

  private void payFailure(long future, Throwable cause) {
    var form = node.failures().form(cause);
    reply(new Message.ValueFailed(future, form.summary(), side(form)), form.exception());
  }

  static List<Object> side(Failures.Form form) {
    return form.exception() == null ? List.of() : form.exception().values().side();
  }

  /** A future that the other node owes. */
  Holder holder(long future, String description) {
    var holder = new Holder(node, this, future, description);
    holders.put(future, holder);
    return holder;
  }

  FutureResult<?> owed(long future) {
    return owedFutures.get(future);
  }

  FutureResult<?> delegate(long callId) {
    var reply = serving.get(callId);
    return reply == null ? null : reply.delegate();
  }

  // Life and death

  /** Looks after the link; called by the timer. */
  void beat(long intervalNanos, long timeoutNanos) {
    if (connection == null || lost != null) {
      return;
    }
    var now = System.nanoTime();
    if (now - lastSentNanos > intervalNanos) {
      unordered(new Message.Heartbeat(oneWayServedHere.get()));
    }
    if (now - lastHeardNanos > timeoutNanos) {
      access.suspect(
          id, "it has not been heard for %.1f s".formatted((now - lastHeardNanos) / 1e9));
    }
  }

  /** How long the other node has been silent. */
  long silentNanos() {
    return System.nanoTime() - lastHeardNanos;
  }

  /** Tries whether the other node answers. */
  void ping() {
    unordered(new Message.Heartbeat(oneWayServedHere.get()));
  }

  private void throwIfLost() {
    if (lost != null) {
      throw lost();
    }
  }

  private NodeLostException lost() {
    return new NodeLostException(lost.getMessage()); // with the stack of this caller
  }

  long oneWayCallsServed() {
    return oneWayServedHere.get();
  }

  boolean hasUnservedCalls() {
    return lost == null && oneWayServedThere < oneWaySent.get();
  }

  /** Waits until the other node has served our one-way calls; asks less and less often. */
  void settle(long deadlineNanos) {
    try {
      for (var pause = 1L; hasUnservedCalls(); pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
        var left = deadlineNanos - System.nanoTime();
        var served = service().served().get(left, TimeUnit.NANOSECONDS);
        oneWayServedThere = Math.max(oneWayServedThere, served);
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
    List<Sent> unsent;
    sendLock.lock();
    try {
      if (lost != null) {
        return;
      }
      lost = new NodeLostException("node '" + id + "' is gone: " + reason);
      unsent = List.copyOf(unacknowledged);
      unacknowledged.clear();
      toSend.clear();
      unordered.clear();
      unacknowledgedBytes = 0;
      somethingToSend.signalAll();
      acknowledged.signalAll();
      if (pump != null) {
        pump.interrupt();
      }
    } finally {
      sendLock.unlock();
    }
    credits.values().forEach(each -> each.fail(lost));
    failCalls(reason);
    var message = lost.getMessage();
    holders.values().forEach(each -> fail(each, message + "; it owed " + each.describe()));
    holders.clear();
    owedFutures.clear();
    serving.values().forEach(RemoteReply::abandon);
    serving.clear();
    tellOfOneWayCalls(unsent, reason);
  }

  private void failCalls(String reason) {
    var open = List.copyOf(calls.values());
    calls.clear();
    if (open.isEmpty()) {
      return;
    }
    var counts = new java.util.TreeMap<String, Integer>();
    open.forEach(each -> counts.merge(each.method().toString(), 1, Integer::sum));
    var listed =
        counts.entrySet().stream()
            .limit(8)
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
            + (counts.size() > 8 ? " ..." : "");
    open.forEach(each -> fail(each, message));
  }

  private static void fail(FutureResult<Object> result, String message) {
    result.settle(new Outcome.Failure<>(new NodeLostException(message)));
  }

  private void tellOfOneWayCalls(List<Sent> unacknowledgedAtEnd, String reason) {
    var unknown = unacknowledgedAtEnd.stream().filter(each -> each.oneWayCall != null).toList();
    var sent = oneWaySent.get();
    var accepted = sent - unknown.size();
    var served = Math.min(accepted, oneWayServedThere);
    if (sent == served) {
      return;
    }
    var summary =
        "node '%s' is gone: %s; of %d one-way calls to it, %d are known to have been served, %d were accepted, of %d nothing is known"
            .formatted(id, reason, sent, served, accepted - served, unknown.size());
    for (var each : unknown) {
      node.failures().report(each.caller, each.oneWayCall, new NodeLostException(summary));
    }
    if (unknown.isEmpty()) {
      node.failures()
          .report(null, "one-way calls to node '" + id + "'", new NodeLostException(summary));
    }
  }
}
