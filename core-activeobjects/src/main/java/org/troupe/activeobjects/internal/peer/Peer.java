package org.troupe.activeobjects.internal.peer;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.End;
import org.troupe.activeobjects.ExitReport;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.DeferredPacket;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.call.CallMethod;
import org.troupe.activeobjects.internal.classes.ClassProvider;
import org.troupe.activeobjects.internal.marshal.Payload;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.object.RemoteEnd;
import org.troupe.activeobjects.internal.object.RemoteNode;
import org.troupe.activeobjects.internal.object.RemoteObject;
import org.troupe.activeobjects.internal.object.RemoteObjects;
import org.troupe.activeobjects.internal.replay.CallName;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.futures.FutureResult;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.TypeTable;

/**
 * Another node: the calls and futures in both directions, the connection with its unacknowledged
 * frames, and the signs of life.
 *
 * <p>The membership decides that a node is lost and calls {@link #lose}, which ends each part:
 * {@link OutgoingCalls} fails the calls without an answer, {@link ForwardedFutures} the futures,
 * {@link IncomingCalls} and {@link Inbox} drop the calls and frames of the node, and the extensions
 * of bodies are notified.
 */
public final class Peer implements GridNode, MessageSink {

  /*
   * Design: threads and locks
   *
   * Threads. User threads encode their calls and send or exchange them themselves; a frame that cannot be sent
   * at once is sent by the pump of the outbox. The transport's readers and the threads of its exchanges deliver
   * frames through the inbox; no user code runs and no thread waits under its lock.
   *
   * Lock order. The monitor of MemberTable, the lock of an inbox, that of a reply, that of any outbox, the
   * locks of bodies and of the set of live nodes. The calls of the middleware (membership, suspicion) never wait
   * for queue capacity, because they are made under the first of these locks, or by timers and readers.
   */

  /**
   * The factor by which the first silence may be longer than later ones: the other node may have to
   * find a route to this one, over a relay, with a cold start and TLS.
   */
  private static final int FIRST_SILENCE_FACTOR = 3;

  private static final int MOST_CHANGES = 4_096; // of references, in one frame
  private static final @Nullable Object[] NULL = {null};

  private final Finder peers;
  private final NodeObjects node;
  private final Relocations relocations;
  private final NodeId id;
  private final Membership access;
  private final MessageCodec wire;
  private final ReceiveStatus received;
  private final Inbox inbox;
  private final Outbox outbox;
  private final OutgoingCalls outgoing;
  private final IncomingCalls incoming;
  private final ForwardedFutures futures;
  private final MessageDispatcher messages;
  private volatile @Nullable Vitals vitals; // as last reported, if not taken
  private volatile MemoryUsage memoryUsage = MemoryUsage.NONE; // as last reported
  private final AccrualDetector detector = new AccrualDetector(); // confined to the heartbeat
  private volatile String address;
  private long multicastsSent; // under the lock of CausalMulticast

  /** Completes when the one-way calls that were lost with the node have been reported. */
  private final CompletableFuture<Void> lossReported = new CompletableFuture<>();

  /** Finds the peers that other nodes refer to. */
  @FunctionalInterface
  interface Finder {
    Peer named(NodeId node, Membership membership, String address);
  }

  Peer(
      Finder peers,
      NodeObjects node,
      DeadlockSearch deadlocks,
      Relocations relocations,
      NumberedRequests numbered,
      NodeId id,
      Membership access,
      String address) {
    this.peers = peers;
    this.node = node;
    this.relocations = relocations;
    this.id = id;
    this.access = access;
    this.address = address;
    this.futures = new ForwardedFutures(node, this, this);
    this.wire = newCodec();
    this.received = new ReceiveStatus(access);
    this.outbox = new Outbox(this, node, wire, received);
    this.outgoing =
        new OutgoingCalls(this, node, relocations, outbox, received, this::receiveAnswer);
    this.incoming = new IncomingCalls(this, node, outbox, wire, received, deadlocks, numbered);
    this.messages =
        new MessageDispatcher(
            this, node, deadlocks, relocations, wire, outbox, outgoing, incoming, futures);
    this.inbox =
        new Inbox(this, node, wire, received, outbox, messages, this::takeUnordered, this::mayTake);
  }

  private void receiveAnswer(Frame frame) {
    inbox.receiveAnswer(frame);
  }

  /** Returns a codec that has seen no frame yet. */
  MessageCodec newCodec() {
    return new MessageCodec(node, this, node.classes(), futures, relocations, peers::named);
  }

  /**
   * Casts a remote node: the references of a node are made of its peers only, a type that the
   * package {@code object} cannot name.
   */
  public static Peer of(RemoteNode node) {
    return (Peer) node;
  }

  public NodeObjects node() {
    return node;
  }

  @Override
  public String driver() {
    var connection = outbox.connection();
    return connection == null ? "" : connection.driver();
  }

  /** Returns the addresses of the connection that carries its messages. */
  public Transport.Addresses addresses() {
    var connection = outbox.connection();
    return connection == null ? Transport.Addresses.NONE : connection.addresses();
  }

  @Override
  public NodeId id() {
    return id;
  }

  @Override
  public Membership access() {
    return access;
  }

  @Override
  public String address() {
    return address;
  }

  public Outbox outbox() {
    return outbox;
  }

  public Inbox inbox() {
    return inbox;
  }

  /** Returns the progress of receiving. */
  ReceiveStatus received() {
    return received;
  }

  /** Returns the calls to the other node. */
  public OutgoingCalls outgoing() {
    return outgoing;
  }

  /** Returns the calls from the other node. */
  public IncomingCalls incoming() {
    return incoming;
  }

  /** Returns the futures awaited in either direction. */
  public ForwardedFutures futures() {
    return futures;
  }

  @Override
  public boolean isLost() {
    return outbox.lost() != null;
  }

  @Override
  public boolean isLost(long number) {
    return isLost() && !outbox.hasMoved(number);
  }

  @Override
  public @Nullable NodeLostException lost() {
    return outbox.lost();
  }

  // As references use it

  @Override
  public void post(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      @Nullable Body caller,
      long limitNanos) {
    outgoing.post(target, method, arguments, caller, limitNanos);
  }

  @Override
  public void ask(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller,
      boolean isWaited) {
    outgoing.ask(target, method, arguments, result, caller, isWaited);
  }

  @Override
  public void exchange(
      Reference.Target.Elsewhere target,
      CallMethod method,
      Object[] arguments,
      CallResult result,
      @Nullable Body caller) {
    outgoing.exchange(target, method, arguments, result, caller);
  }

  @Override
  public void sendNumbered(
      Reference.Target.Elsewhere target,
      CallName name,
      CallMethod method,
      Object[] arguments,
      @Nullable CallResult result,
      Body caller,
      boolean isWaited) {
    outgoing.sendNumbered(target, name, method, arguments, result, caller, isWaited);
  }

  @Override
  public void abandon(long callId) {
    outgoing.abandon(callId);
  }

  /** Tells this node to give up a call that may have come to it with its object. */
  public void abandonMoved(long callId) {
    outbox.send(callId, new Message.Abandon(), null);
  }

  @Override
  public FutureResult<End> endOf(long number, Runnable whenMadeAgain) {
    return new RemoteEnd(
        node,
        access.askForEnd(this, number),
        this::lost,
        () -> relocations.endAfterLoss(this, number, whenMadeAgain));
  }

  @Override
  public FutureResult<?> follow(long number, Reference<?> leader) {
    return access.askToFollow(this, number, leader);
  }

  @Override
  public boolean isBacklogged() {
    return outgoing.isBacklogged();
  }

  @Override
  public void sendBacklog(boolean isFull) {
    send(new Message.Backlog(isFull));
  }

  @Override
  public void requestCapacity(long number) {
    send(new Message.CapacityRequest(number));
  }

  @Override
  public void grantCapacity(long number) {
    send(new Message.CapacityGrant(number));
  }

  @Override
  public ClassProvider classes() {
    return access.classesOf(this);
  }

  // References

  @Override
  public void tellChanges(List<RemoteObjects.Change> changes) {
    for (var from = 0; from < changes.size(); from += MOST_CHANGES) {
      var to = Math.min(changes.size(), from + MOST_CHANGES);
      send(new Message.CopiesChanged(changes.subList(from, to)));
    }
  }

  @Override
  public void state(long lost, List<RemoteObjects.Stated> statement) {
    for (var from = 0; from < statement.size(); from += MOST_CHANGES) {
      var to = Math.min(statement.size(), from + MOST_CHANGES);
      send(new Message.CopiesStated(lost, statement.subList(from, to)));
    }
  }

  /**
   * Returns an object of the other node for a reference that no message of that node has carried.
   * Its node holds the object when it has heard of the reference; until then something else does,
   * or it may be gone. The caller of a call is held by its node until it is answered; if it is a
   * one-way call, for longer.
   */
  public @Nullable RemoteObject keepFromNowOn(long number) {
    if (NodeObjects.isService(number)) {
      return null;
    }
    if (!node.exports().areCounted()) {
      send(
          new Message.ObjectKept(number)); // its node counts, and must not hear that it was dropped
      return null;
    }
    var object =
        node.remoteObjects().received(id.incarnation(), number, id.incarnation(), () -> this);
    send(new Message.ObjectKept(number));
    return object;
  }

  /**
   * Asks the other node whether it has served all one-way calls of this one, also those sent until
   * it answers.
   */
  public CompletableFuture<Boolean> areCallsServed() {
    if (isLost() || outbox.oneWaySent() == 0) {
      return CompletableFuture.completedFuture(true);
    }
    return access
        .askForServed(this)
        .handle((served, failure) -> served == null ? isLost() : served >= outbox.oneWaySent());
  }

  /**
   * Returns a future that completes when the other node has served the one-way calls that this one
   * has sent to it so far, or is lost and its loss has been reported. Its answer follows the
   * failures of these calls, and its question follows all messages that were sent before.
   *
   * @return the number of these calls, also if their fate remains unknown as this node has left
   */
  public CompletableFuture<Long> callsServed() {
    var sent = outbox.oneWaySent();
    if (!outbox.hasBegun()) {
      return CompletableFuture.completedFuture(sent);
    }
    return access
        .askWhenServed(this, sent)
        .<Void>thenApply(_ -> null)
        .exceptionallyCompose(
            _ -> isLost() ? lossReported : CompletableFuture.completedFuture(null))
        .thenApply(_ -> sent);
  }

  // Multicasts

  /** Returns how many multicasts were sent to the other node, including one about to be sent. */
  public long nextMulticast() {
    return ++multicastsSent;
  }

  /** Numbers the frame of a multicast, which fixes its place in the order to the other node. */
  public UnackedFrame number(
      long firstCallId,
      Message.Multicast multicast,
      @Nullable Payload payload,
      @Nullable CallMethod oneWayCall,
      @Nullable Body caller) {
    var message = Message.Behind.wrap(multicast, node.id(), id);
    var calls = multicast.targets().length;
    return outbox.number(firstCallId, message, payload, oneWayCall, caller, calls);
  }

  /** Returns whether the multicasts that a call follows have arrived or never will. */
  private boolean mayTake(Message.Behind call) {
    var origin = peers.named(call.origin(), access, call.address());
    if (origin.isLost() || origin.messages.multicastsTaken() >= call.count()) {
      return true;
    }
    origin.outbox.begin(); // no other node might detect the loss of the origin
    return false;
  }

  // Other messages

  /**
   * Sends a packet to an extension of a body of the other node.
   *
   * @param isGiven whether its arrays are free after its arrival
   */
  public void sendPacket(
      long target, BodyExtension.Key key, int from, long tag, Payload payload, boolean isGiven) {
    var packet = new Message.Packet(target, key, from, tag, payload.values().side());
    if (!isGiven || payload.values().arrays().isEmpty()) {
      send(0, packet, payload);
      return;
    }
    try {
      var sent = outbox.number(0, packet, payload, null, null, 1);
      sent.leavesArrays();
      outbox.sendNumbered(sent);
    } catch (NodeLostException e) {
      // Every waiter for an effect of this packet has been notified of the loss.
    }
  }

  /** Returns a packet without a value that can be deferred. */
  public DeferredPacket deferredPacket(
      long target, BodyExtension.Key key, int from, LongSupplier tag) {
    return outbox.deferredPacket(target, key, from, node.marshaller().encode(NULL), tag);
  }

  /** Returns the number of messages that were sent to the node. */
  public long messages() {
    return outbox.messages();
  }

  /** Sends a packet with a slice of the caller's array, which it may change when this returns. */
  public void sendPacketZeroCopy(
      long target, BodyExtension.Key key, int from, long tag, Payload payload) {
    var packet = new Message.Packet(target, key, from, tag, payload.values().side());
    try {
      outbox.sendZeroCopy(packet, payload, null, null, true);
    } catch (NodeLostException e) {
      // as above
    }
  }

  @Override
  public void terminate(long number, boolean now) {
    var message = new Message.Terminate(number, now);
    if (outgoing.hasMoved(number)) {
      relocations.send(this, number, message, null, null, null, null, null, false);
      return;
    }
    try {
      send(message);
    } catch (ObjectMovedException e) { // just now
      relocations.send(this, number, message, null, null, null, null, null, false);
    }
  }

  /** Returns the types that the other node has described. */
  public TypeTable types() {
    return wire.types();
  }

  /** Sends a message of the middleware; does nothing if the node is lost. */
  public void send(Message message) {
    send(0, message, null);
  }

  @Override
  public void send(long callId, Message message, @Nullable Payload payload) {
    outbox.send(callId, message, payload);
  }

  // Receiving

  private void takeUnordered(Message message) {
    switch (message) {
      case Message.Hello(_, String itsAddress, _, long received, boolean missed) -> {
        address = itsAddress;
        outbox.greeted(received, missed);
      }
      case Message.Heartbeat(MemoryUsage reported, var numbers) -> {
        if (!reported.equals(MemoryUsage.NONE)) {
          memoryUsage = reported;
        }
        if (!numbers.isEmpty()) {
          vitals = new Vitals(System.nanoTime(), numbers);
        }
      }
      default -> throw new SerializationException("a frame without number: " + message);
    }
  }

  // Life and death

  /** Checks the link; called by the timer. */
  public void beat(long timeoutNanos) {
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
    var heard = received.lastHeardNanos();
    detector.heard(heard);
    var silence = now - heard;
    var allowed = received.hasHeard() ? timeoutNanos : FIRST_SILENCE_FACTOR * timeoutNanos;
    access.silent(id, detector, silence, allowed, hasConnectedSilently());
  }

  /** Returns the number of the ordered frame expected next. */
  long nextFrameTaken() {
    return received.lastTaken() + 1;
  }

  /** Returns whether there is, or was, a connection to the other node. */
  public boolean isLinked() {
    return outbox.connection() != null;
  }

  /** Returns the number of bytes kept until the other node acknowledges them. */
  long unacknowledgedBytes() {
    return outbox.unacknowledgedBytes();
  }

  /** Records that this JVM stood still for a while, and could not receive from the other node. */
  public void stoodStill(long nanos) {
    received.excuse(nanos);
  }

  /**
   * Returns whether the other node has taken part in a connection since it was last heard: its
   * process runs, but does not communicate with this node.
   */
  public boolean hasConnectedSilently() {
    return isLinked() && outbox.connectedNanos() > received.lastHeardNanos();
  }

  /** Returns how long the other node has been silent. */
  public long silentNanos() {
    return received.silentNanos();
  }

  /** Returns the number of open calls, futures and queue accounts between the two nodes. */
  public int openCount() {
    return outgoing.size() + incoming.size() + futures.size();
  }

  /** Sends a sign of life, which reveals a broken connection. */
  public void ping() {
    outbox.ping();
  }

  /**
   * Sends a sign of life with the memory usage of this node.
   *
   * @param vitals its vital signs; empty if it observes nothing
   */
  public void sendMemoryUsage(MemoryUsage ours, List<Long> vitals) {
    outbox.sendUnordered(new Message.Heartbeat(ours, vitals));
  }

  /**
   * Vital signs that have arrived.
   *
   * @param nanos when, in the time of {@link System#nanoTime}
   */
  public record Vitals(long nanos, List<Long> numbers) {}

  /** Takes the last vital signs that have arrived; {@code null} if there were none since. */
  public @Nullable Vitals takeVitals() {
    var last = vitals;
    vitals = null; // if others have just arrived, they are skipped
    return last;
  }

  /** Returns the memory usage that the other node reported last. */
  public MemoryUsage memoryUsage() {
    return memoryUsage;
  }

  /**
   * Ends all communication with a lost node, and fails everything that waits for it. Idempotent.
   */
  public void lose(String reason) {
    lose(reason, null);
  }

  /** Lets all communication fail with a node with which there was none yet. */
  void loseUnused(String reason) {
    outbox.lose(loss(reason, null));
  }

  private NodeLostException loss(String reason, @Nullable ExitReport exitReport) {
    return new NodeLostException("node '" + id + "' is gone: " + reason, exitReport);
  }

  /**
   * Ends all communication with a lost node, and fails everything that waits for it. Idempotent.
   *
   * @param exitReport the exit report for the errors; {@code null} if there is none
   */
  public void lose(String reason, @Nullable ExitReport exitReport) {
    var lost = loss(reason, exitReport);
    if (relocations.mayHaveLeft(id)) {
      outbox.markAllMoved();
    }
    var account = outbox.lose(lost);
    if (account == null) {
      return;
    }
    outgoing.lose(reason, exitReport);
    var message = Objects.requireNonNull(lost.getMessage(), "the reason");
    futures.lose(message, exitReport);
    incoming.lose();
    inbox.lose();
    node.memory().forget(this);
    node.order().advanced();
    node.extensions().lost(id, message);
    outgoing.reportOneWayCalls(account, reason, exitReport);
    lossReported.complete(null);
  }
}
