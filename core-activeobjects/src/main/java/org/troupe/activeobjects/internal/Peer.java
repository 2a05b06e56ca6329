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
import org.troupe.activeobjects.ObjectTerminatedException;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.activeobjects.spi.Transport.Connection;
import org.troupe.activeobjects.spi.Transport.Exchange;
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
   *
   * Locks are taken in this order: the monitor of Access, the receive lock of one peer, that of a reply, the send lock of
   * any peer, the locks of bodies and of the set of live nodes. The node's own calls (membership, suspicion) are never
   * held back, because they are made under the first of these, or by timers and readers.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  private static final int MOST_EXCHANGES = 64;
  private static final int ACKNOWLEDGE_AFTER_FRAMES = 64;
  private static final long ACKNOWLEDGE_AFTER_BYTES = 1 << 20;
  private static final int LARGEST_BATCH = 256;

  /** A sending user waits while so much is unacknowledged. */
  static final long MOST_UNACKNOWLEDGED_BYTES = 64L << 20;

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
  private volatile long unacknowledgedBytes;
  private long oneWaySent;
  private long oneWayServedThere;
  private volatile Thread pump;
  private volatile boolean broken;
  private boolean greeted;
  private volatile Connection connection;
  private volatile NodeLostException lost;
  private volatile long lastSentNanos;

  // Receiving; all under receiveLock
  private final ReentrantLock receiveLock = new ReentrantLock();
  private final Map<Long, Early> early = new HashMap<>();
  private volatile long lastTaken;

  /** What the other node knows that we have taken: each of our frames tells it. */
  private volatile long lastToldTaken;

  private long bytesSinceAcknowledged;
  private volatile long lastHeardNanos;
  private volatile boolean heard; // so it knows this node, and takes what comes on any connection
  private volatile String unreadable; // why nothing more can be taken, or null

  // What is owed
  private final Semaphore exchanges = new Semaphore(MOST_EXCHANGES);
  private final Map<Long, CallResult> calls = new ConcurrentHashMap<>();
  private final Map<Long, RemoteReply> serving = new ConcurrentHashMap<>();
  private final Map<Long, Holder> holders = new ConcurrentHashMap<>();
  private final Map<Long, FutureResult<?>> owedFutures = new ConcurrentHashMap<>();
  private final Map<Long, Credits> credits = new ConcurrentHashMap<>();
  private final AtomicLong oneWayServedHere = new AtomicLong();

  /** A frame that arrived before another that is to be taken first. */
  private record Early(Frame frame, Exchange exchange) {}

  /** An ordered frame that the other node may not have yet. */
  static final class Sent {
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
    this.lastSentNanos = access.nanoTime();
    this.lastHeardNanos = lastSentNanos;
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
    var payload = node.encode(arguments);
    admit(target, Long.MAX_VALUE);
    var label = isOwn(target.number()) ? null : method + " on node '" + id.name() + "'";
    var call = call(target, method, 0, false, caller, payload);
    ordered(call, payload, label, caller);
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
    var payload = node.encode(arguments);
    if (!admit(target, result.limitNanos())) {
      return; // its time is over
    }
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
    // An interrupted thread cannot connect; that must not look like a broken link.
    var able = way != null && heard && !Thread.currentThread().isInterrupted();
    if (!able || !exchanges.tryAcquire()) {
      ask(target, method, arguments, result, caller);
      return;
    }
    try {
      var payload = node.encode(arguments);
      admit(target, Long.MAX_VALUE); // calls with a limit are not exchanged
      expect(result);
      var message = call(target, method, result.callId, result.isValueWanted(), caller, payload);
      Sent sent;
      sendLock.lock();
      try {
        throwIfLost();
        sent = numbered(message, payload, null, null);
        lastSentNanos = access.nanoTime();
      } finally {
        sendLock.unlock();
      }
      exchange(way, sent, result.callId);
    } finally {
      exchanges.release();
    }
  }

  private void exchange(Connection way, Sent sent, long callId) {
    try {
      var answer = way.exchange(sent.frame);
      if (answer != null) {
        node.received(answer, null);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "an exchange with node '" + id + "' broke: " + e);
      unexchanged(sent, callId);
    }
  }

  /**
   * Nobody knows whether the call, or its answer, has gone down with its exchange: both go over the
   * link, where what has arrived is recognised by its number. That may well be sound.
   */
  private void unexchanged(Sent call, long callId) {
    sendLock.lock();
    try {
      if (lost == null) {
        toSend.add(call);
        toSend.add(numbered(new Message.Unexchanged(callId), null, null, null));
        wakePump();
      }
    } finally {
      sendLock.unlock();
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

  /**
   * Waits, in the sending user's thread, while a bounded queue or the link itself is full.
   *
   * @param nanos how long at most for the queue
   * @return whether the call may be sent
   */
  private boolean admit(Reference.Target.Elsewhere target, long nanos) {
    throwIfLost();
    if (isOwn(target.number())) {
      return true; // what nodes say of themselves is said under locks, and may end this very wait
    }
    if (target.bound() > 0 && !takeCredit(target, nanos)) {
      return false;
    }
    if (unacknowledgedBytes > MOST_UNACKNOWLEDGED_BYTES) {
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
    return true;
  }

  private boolean takeCredit(Reference.Target.Elsewhere target, long nanos) {
    var account =
        credits.compute(
            target.number(),
            (number, known) -> {
              var credit = known == null ? new Credits(target.bound()) : known;
              credit.reserve();
              return credit;
            });
    if (lost != null) {
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
  private void giveBackCredit(long target, int count) {
    credits.computeIfPresent(target, (number, account) -> account.settle(count) ? null : account);
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
    var number = lastNumber + 1;
    var header =
        wire.write(
            envelope(number), message, payload == null ? new int[0] : payload.values().typeIds());
    var frame = payload == null ? new Frame(header) : new Frame(header, payload.values().bytes());
    var sent = new Sent(number, frame, oneWayCall, caller);
    lastNumber =
        number; // not before the frame is whole: a missing number would stop the other node
    unacknowledged.add(sent);
    unacknowledgedBytes += frame.size();
    if (oneWayCall != null) {
      oneWaySent++;
    }
    return sent;
  }

  private Wire.Envelope envelope(long number) {
    var taken = lastTaken;
    lastToldTaken = taken;
    return new Wire.Envelope(node.id().incarnation(), number, taken, oneWayServedHere.get());
  }

  private void wakePump() {
    if (pump == null) {
      lastHeardNanos = access.nanoTime(); // it owed no sign of life before
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
              lastSentNanos = access.nanoTime();
            } catch (IOException | RuntimeException e) {
              failed(way, e);
            }
          }
        }
      }
    } catch (InterruptedException e) {
      // Only the end of the node interrupts its pumps.
    } finally {
      closeConnection();
    }
  }

  private void closeConnection() {
    var way = connection;
    if (way != null) {
      way.close();
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
  private void failed(Connection way, Exception cause) {
    sendLock.lock();
    try {
      if (lost != null) {
        return;
      }
      LOG.log(Level.DEBUG, () -> "the connection to node '" + id + "' broke: " + cause);
      if (connection == way) {
        broken = true;
        wakePump();
      } else {
        sendAgain(); // what was numbered after the change of connections went nowhere
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
      Connection fresh = null;
      try {
        fresh = access.connect(address);
        fresh.send(List.of(hello()));
        connected(fresh);
        return fresh;
      } catch (IOException | RuntimeException e) {
        if (fresh != null) {
          fresh.close();
        }
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

  private void connected(Connection fresh) {
    sendLock.lock();
    try {
      connection = fresh;
      broken = false;
      sendAgain();
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

  private void answerAgain() {
    sendLock.lock();
    try {
      if (lost == null) {
        sendAgain();
      }
    } finally {
      sendLock.unlock();
    }
  }

  private void acknowledge(long number, long served) {
    sendLock.lock();
    try {
      oneWayServedThere = Math.max(oneWayServedThere, served);
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
   * @param exchange where the sender waits for the answer, or {@code null} if it will be sent
   */
  void receive(Frame frame, Exchange exchange) {
    if (lost != null || unreadable != null) {
      decline(exchange);
      return;
    }
    lastHeardNanos = access.nanoTime();
    heard = true;
    var in = new ByteInput(frame.header());
    try {
      var envelope = Wire.Envelope.read(in);
      if (envelope.acknowledged() > 0) {
        acknowledge(envelope.acknowledged(), envelope.served());
      }
      if (envelope.sequence() == 0) {
        decline(exchange);
        takeUnordered(wire.read(in, false));
      } else {
        receiveOrdered(envelope.sequence(), frame, in, exchange);
      }
    } catch (SerializationException e) {
      decline(exchange);
      cannotRead(e);
    }
  }

  /** Lets the sender wait no longer for an answer that does not come where it waits. */
  static void decline(Exchange exchange) {
    if (exchange != null) {
      exchange.reply(null);
    }
  }

  /**
   * The other node talks nonsense: nothing that follows can be trusted. It is suspected until the
   * coordinator has decided.
   */
  private void cannotRead(RuntimeException e) {
    LOG.log(Level.ERROR, "node '" + id + "' sent a frame that cannot be read", e);
    unreadable = "it sent a frame that cannot be read: " + e.getMessage();
    access.suspect(id, unreadable);
  }

  private void receiveOrdered(long number, Frame frame, ByteInput in, Exchange exchange) {
    Inline inline;
    SerializationException nonsense = null;
    receiveLock.lock();
    try {
      if (number <= lastTaken || lost != null || unreadable != null) {
        decline(exchange); // sent again after a reset, and here already
        return;
      }
      if (number > lastTaken + 1) {
        keepEarly(number, new Early(frame, exchange));
        return;
      }
      inline = take(frame, in, exchange, true);
      try {
        takeEarly();
      } catch (SerializationException e) {
        nonsense = e;
      }
    } finally {
      receiveLock.unlock();
    }
    if (nonsense != null) {
      cannotRead(nonsense);
    }
    if (inline != null) {
      inline.serve();
    }
  }

  /** Of a frame that came twice, the one with somebody waiting for its reply is kept. */
  private void keepEarly(long number, Early frame) {
    var known = early.putIfAbsent(number, frame);
    if (known == null) {
      return;
    }
    if (known.exchange == null) {
      early.put(number, frame);
    } else {
      decline(frame.exchange);
    }
  }

  /** Takes what had to wait for the frame just taken; the thread belongs to none of it. */
  private void takeEarly() {
    for (Early next; !early.isEmpty() && (next = early.remove(lastTaken + 1)) != null; ) {
      var in = new ByteInput(next.frame.header());
      Wire.Envelope.read(in);
      take(next.frame, in, next.exchange, false);
    }
  }

  private Inline take(Frame frame, ByteInput in, Exchange exchange, boolean mayServe) {
    var message = wire.read(in, true);
    lastTaken++;
    bytesSinceAcknowledged += frame.size();
    if (lastTaken - lastToldTaken >= ACKNOWLEDGE_AFTER_FRAMES
        || bytesSinceAcknowledged >= ACKNOWLEDGE_AFTER_BYTES) {
      bytesSinceAcknowledged = 0;
      ping();
    }
    if (message instanceof Message.Call call) {
      return takeCall(call, frame, exchange, mayServe);
    }
    decline(exchange);
    switch (message) {
      case Message.Call call -> throw new AssertionError(call);
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
      case Message.Answer(long callId, List<Object> side) -> {
        settle(calls.remove(callId), frame, side);
      }
      case Message.Failed(long callId, Failures.Summary summary, List<Object> side) -> {
        var result = calls.remove(callId);
        if (result != null) {
          result.settle(node.failures().outcome(form(summary, frame, side), result));
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
        settle(holders.remove(future), frame, side);
      }
      case Message.ValueFailed(long future, Failures.Summary summary, List<Object> side) -> {
        var holder = holders.remove(future);
        if (holder != null) {
          holder.settle(node.failures().outcome(form(summary, frame, side), null));
        }
      }
      case Message.Credit(long target, int count) -> {
        giveBackCredit(target, count);
      }
      case Message.Abandon(long callId) -> {
        var reply = serving.remove(callId);
        if (reply != null) {
          reply.abandon();
        }
      }
      case Message.Unexchanged(long callId) -> {
        var reply = serving.get(callId);
        if (reply != null) {
          reply.unexchanged();
        }
        answerAgain();
      }
      case Message.Probe probe -> {
        node.cycles().probed(this, probe);
      }
      case Message.Hello hello -> throw new SerializationException("a numbered greeting");
      case Message.Heartbeat beat -> throw new SerializationException("a numbered heartbeat");
    }
    return null;
  }

  private void takeUnordered(Message message) {
    switch (message) {
      case Message.Hello(String name, String itsAddress, long received) -> {
        address = itsAddress;
        sendLock.lock();
        try {
          acknowledge(received, 0);
          if (lost == null) {
            if (greeted) {
              sendAgain(); // it connects because something broke; answers may have been in flight
            } else {
              wakePump(); // a link has two ways: without the other one it would hear no heartbeat
            }
            greeted = true;
          }
        } finally {
          sendLock.unlock();
        }
      }
      case Message.Heartbeat beat -> {
        // Its envelope said it all.
      }
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
    result.settle(node.decodedLater(payload));
  }

  // Serving

  /** What the thread that received a request does with it: outside of all locks. */
  private record Inline(Body body, CallRequest request) {

    void serve() {
      body.serveReserved(request);
    }
  }

  private Inline takeCall(Message.Call call, Frame frame, Exchange exchange, boolean mayServe) {
    var reply = new RemoteReply(this, call, exchange);
    var body = node.body(call.target());
    if (body == null) {
      refuse(call, reply, node.goneMessage(call.target(), call.method()));
      return null;
    }
    CallMethod method;
    try {
      method = node.method(body, call.method());
    } catch (RuntimeException | LinkageError e) {
      refuse(call, reply, e.getMessage());
      return null;
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
    if (exchange != null
        && mayServe
        && body.type().scheduling().rule(method) instanceof Scheduling.Rule.InTurn
        && body.tryReserve()) {
      return new Inline(body, request);
    }
    body.put(request);
    return null;
  }

  /** Answers a call that reaches no body; over the link, because of the locks that are held. */
  private void refuse(Message.Call call, RemoteReply reply, String why) {
    reply.decline();
    reply.threw(new ObjectTerminatedException(why));
    if (call.counted()) {
      send(new Message.Credit(call.target(), 1)); // it takes no room in any queue
    }
  }

  /** Who called, when the caller is a body of another node. */
  record RemoteCaller(Peer home, long number, String type) {}

  /** A call that was served; called by its reply. */
  void served(Message.Call call) {
    if (call.callId() == 0) {
      if (!isOwn(call.target())) {
        oneWayServedHere.incrementAndGet();
      }
    } else {
      serving.remove(call.callId());
    }
  }

  /** Numbers an answer that goes back in an exchange; {@code null} if the caller is gone. */
  Sent answer(Message message, Payload payload) {
    sendLock.lock();
    try {
      return lost == null ? numbered(message, payload, null, null) : null;
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

  /** Sends an answer that has its number already. */
  void reply(Sent answer) {
    sendLock.lock();
    try {
      if (lost == null) {
        toSend.add(answer);
        wakePump();
      }
    } finally {
      sendLock.unlock();
    }
  }

  // Futures

  /** Notes that the other node waits for a future of this one, and returns its number there. */
  long owe(FutureResult<?> result) {
    var future = node.nextId();
    owedFutures.put(future, result); // under the send lock, so the node is not lost yet
    result.claim();
    result.onSettled(outcome -> Thread.startVirtualThread(() -> pay(future, outcome)));
    return future;
  }

  private void pay(long future, Outcome<?> outcome) {
    if (owedFutures.remove(future) == null) {
      return; // the other node is gone
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
    } catch (RuntimeException | Error e) {
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
    if (lost != null && holders.remove(future) != null) {
      fail(holder, lost.getMessage() + "; it owed " + description);
    }
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
    if (pump == null || lost != null) {
      return;
    }
    if (unreadable != null) {
      access.suspect(id, unreadable);
      return;
    }
    var now = access.nanoTime();
    if (connection != null && now - lastSentNanos >= intervalNanos) {
      ping();
    }
    if (now - lastHeardNanos > timeoutNanos) {
      access.suspect(
          id, "it has not been heard for %.1f s".formatted((now - lastHeardNanos) / 1e9));
    }
  }

  /** The number of the ordered frame that is awaited. */
  long nextFrameTaken() {
    return lastTaken + 1;
  }

  /** Says whether there is, or was, a connection to the other node. */
  boolean isLinked() {
    return connection != null;
  }

  /** How much is kept until the other node acknowledges it. */
  long unacknowledgedBytes() {
    return unacknowledgedBytes;
  }

  /** How long the other node has been silent. */
  long silentNanos() {
    return access.nanoTime() - lastHeardNanos;
  }

  /** How many calls, futures and accounts are open between the two nodes. */
  int owes() {
    return calls.size() + serving.size() + holders.size() + owedFutures.size() + credits.size();
  }

  /** Gives a sign of life, by which a broken connection is found out. */
  void ping() {
    unordered(new Message.Heartbeat());
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
    sendLock.lock();
    try {
      return lost == null && oneWayServedThere < oneWaySent;
    } finally {
      sendLock.unlock();
    }
  }

  /** Waits until the other node has served our one-way calls; asks less and less often. */
  void settle(long deadlineNanos) {
    try {
      for (var pause = 1L; hasUnservedCalls(); pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
        var left = deadlineNanos - System.nanoTime();
        acknowledge(0, service().served().get(left, TimeUnit.NANOSECONDS));
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
    long sent;
    long served;
    sendLock.lock();
    try {
      if (lost != null) {
        return;
      }
      lost = new NodeLostException("node '" + id + "' is gone: " + reason);
      unsent = List.copyOf(unacknowledged);
      sent = oneWaySent;
      served = oneWayServedThere;
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
    closeConnection(); // whatever blocks on it
    credits.values().forEach(each -> each.close());
    credits.clear();
    failCalls(reason);
    var message = lost.getMessage();
    for (var future : List.copyOf(holders.keySet())) {
      var holder = holders.remove(future);
      if (holder != null) {
        fail(holder, message + "; it owed " + holder.describe());
      }
    }
    owedFutures.clear();
    serving.values().forEach(RemoteReply::abandon);
    serving.clear();
    forgetEarly();
    tellOfOneWayCalls(unsent, sent, served, reason);
  }

  private void forgetEarly() {
    receiveLock.lock();
    try {
      early.values().forEach(each -> decline(each.exchange));
      early.clear();
    } finally {
      receiveLock.unlock();
    }
  }

  private void failCalls(String reason) {
    List<CallResult> open = new ArrayList<>();
    for (var callId : List.copyOf(calls.keySet())) {
      var call = calls.remove(callId);
      if (call != null) {
        open.add(call);
      }
    }
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

  private void tellOfOneWayCalls(
      List<Sent> unacknowledgedAtEnd, long sent, long served, String reason) {
    var unknown = unacknowledgedAtEnd.stream().filter(each -> each.oneWayCall != null).toList();
    var accepted = sent - unknown.size();
    if (sent == served) {
      return;
    }
    var summary =
        ("node '%s' is gone: %s; of %d one-way calls to it, %d are known to have been served,"
                + " %d were accepted, of %d nothing is known")
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
