package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.internal.base.WaitNotice;
import ibis.ipl.internal.message.SerializationKind;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;

/** Decides which senders one receive port accepts. */
final class ConnectionAdmission {

  /*
   * Former connections. A sender requests a connection only while it has none to this port. If the table
   * has one, its end has not been noticed yet: the request waits briefly for a reader to notice it, and
   * replaces a connection that has no unread message.
   *
   * Upcall. The sender is undecided while gotConnection runs, outside the lock and in its turn among the
   * upcalls of the port. A null decision means that connections were disabled before it started.
   */

  private static final System.Logger LOG =
      System.getLogger(ConnectionAdmission.class.getPackageName());

  /** How long a request waits for a reader to notice the end of the former connection. */
  private static final long NOTICE_MILLIS = 100;

  private final LinkReceivePort port;
  private final ReceivePortState state;
  private final PortType type;
  private final SerializationKind serialization;
  private final boolean hasOneSender;
  private final @Nullable ReceivePortConnectUpcall upcall;
  private final UpcallOrder upcalls;
  private final SenderTable senders;
  private final InboundReader reader;

  // guarded by the port's lock:
  private final Set<SendPortIdentifier> undecided = new HashSet<>();
  private final Set<SendPortIdentifier> undecidedView = Collections.unmodifiableSet(undecided);
  private boolean enabled;
  private @Nullable Thread decider; // the thread that runs gotConnection

  ConnectionAdmission(
      LinkReceivePort port,
      ReceivePortState state,
      PortType type,
      SerializationKind serialization,
      @Nullable ReceivePortConnectUpcall upcall,
      UpcallOrder upcalls,
      SenderTable senders,
      InboundReader reader) {
    this.port = port;
    this.state = state;
    this.type = type;
    this.serialization = serialization;
    this.hasOneSender =
        type.hasCapability(PortType.CONNECTION_ONE_TO_ONE)
            || type.hasCapability(PortType.CONNECTION_ONE_TO_MANY);
    this.upcall = upcall;
    this.upcalls = upcalls;
    this.senders = senders;
    this.reader = reader;
  }

  /** Returns whether connections are enabled; the lock is held. */
  boolean isEnabled() {
    return enabled;
  }

  /** Returns the senders that gotConnection decides about; the lock is held. */
  Set<SendPortIdentifier> undecided() {
    return undecidedView;
  }

  void enable() {
    state.lock.lock();
    try {
      enabled = true;
    } finally {
      state.lock.unlock();
    }
  }

  /** Disables connections; waits for a running gotConnection. */
  void disable() {
    state.lock.lock();
    try {
      enabled = false;
      var notice =
          new WaitNotice(
              () ->
                  "disableConnections of "
                      + port
                      + " waits for the upcall gotConnection, which has not returned");
      while (decider != null && decider != Thread.currentThread()) {
        notice.awaitUninterruptibly(state.changed);
      }
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Decides about a connection request; may block in the upcall gotConnection.
   *
   * @return the reply to the sender; if it accepts, the connection is in the table and must be
   *     begun or dropped
   */
  PortProtocol.Reply decide(PortProtocol.Request request, Link link) {
    CompletableFuture<@Nullable Boolean> decision;
    state.lock.lock();
    try {
      PortProtocol.Reply refusal = refusal(request);
      if (refusal != null) {
        return refusal;
      }
      for (InboundConnection old : senders.connections()) {
        // The program learns of the former connection's end before it learns of the next
        // connection.
        if (old.disconnected && (hasOneSender || old.origin().equals(request.sender()))) {
          senders.reportLoss(old, null);
        }
      }
      if (upcall == null) {
        return accept(request, link);
      }
      undecided.add(request.sender());
      decision = new CompletableFuture<>();
      upcalls.enqueue(() -> runUpcall(request.sender(), decision));
    } finally {
      state.lock.unlock();
    }
    Boolean accepts = decision.join();
    state.lock.lock();
    try {
      undecided.remove(request.sender());
      if (accepts == null || !state.isOpen()) {
        return PortProtocol.Reply.NOT_NOW;
      }
      return accepts ? accept(request, link) : new PortProtocol.Reply(PortProtocol.Answer.REFUSED);
    } finally {
      state.changed.signalAll();
      state.lock.unlock();
    }
  }

  private PortProtocol.@Nullable Reply refusal(PortProtocol.Request request) {
    if (senders.connected().containsKey(request.sender())) {
      awaitEnd(InboundConnection.State::isUnread);
    } else if (hasOneSender && !senders.connected().isEmpty()) {
      awaitEnd(InboundConnection.State.FREE::equals);
    }
    if (!state.isOpen() || undecided.contains(request.sender())) {
      return PortProtocol.Reply.NOT_NOW;
    }
    InboundConnection former = senders.connected().get(request.sender());
    if (former != null) {
      if (former.state == InboundConnection.State.READY
          || former.state == InboundConnection.State.DELIVERED) {
        return PortProtocol.Reply.NOT_NOW; // until the former connection's message has been read
      }
      reader.drop(
          former, new ConnectionClosedException(request.sender() + " has abandoned it"), false);
    }
    if (!type.equals(request.type()) || serialization != request.serialization()) {
      return new PortProtocol.Reply(PortProtocol.Answer.OTHER_TYPE, mismatch(request), 0);
    }
    if (!enabled) {
      return PortProtocol.Reply.NOT_NOW;
    }
    Set<SendPortIdentifier> connected = senders.connected().keySet();
    if (hasOneSender && !(connected.isEmpty() && undecided.isEmpty())) {
      SendPortIdentifier holder = (connected.isEmpty() ? undecided : connected).iterator().next();
      return new PortProtocol.Reply(PortProtocol.Answer.TAKEN, holder.toString(), 0);
    }
    return null;
  }

  /** Waits briefly for a reader to notice the end of a connection in one of the given states. */
  private void awaitEnd(Predicate<InboundConnection.State> doubtful) {
    int before = senders.connected().size();
    boolean isInDoubt =
        senders.connected().values().stream().anyMatch(each -> doubtful.test(each.state));
    long nanos = isInDoubt ? TimeUnit.MILLISECONDS.toNanos(NOTICE_MILLIS) : 0;
    try {
      while (nanos > 0 && senders.connected().size() == before) {
        reader.readAllAhead();
        nanos = state.changed.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private String mismatch(PortProtocol.Request request) {
    if (type.equals(request.type())) {
      return "the send port has '"
          + request.serialization()
          + "' serialization, the receive port '"
          + serialization
          + "'";
    }
    return "the send port alone has "
        + request.type().unmatchedCapabilities(type)
        + ", the receive port alone "
        + type.unmatchedCapabilities(request.type());
  }

  /** Runs gotConnection and completes the decision with its result. */
  private void runUpcall(SendPortIdentifier sender, CompletableFuture<@Nullable Boolean> decision) {
    state.lock.lock();
    try {
      if (!enabled || !state.isOpen()) {
        decision.complete(null);
        return;
      }
      decider = Thread.currentThread();
    } finally {
      state.lock.unlock();
    }
    boolean accepts = false;
    try {
      accepts =
          Objects.requireNonNull(upcall, "no decision is pending without an upcall")
              .gotConnection(port, sender);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "gotConnection of " + port + " failed; " + sender + " is refused", e);
    } finally {
      decision.complete(accepts);
      state.lock.lock();
      decider = null;
      state.changed.signalAll();
      state.lock.unlock();
    }
  }

  private PortProtocol.Reply accept(PortProtocol.Request request, Link link) {
    InboundConnection inbound = port.newConnection(request.sender(), link, request.connection());
    senders.add(inbound);
    return new PortProtocol.Reply(PortProtocol.Answer.ACCEPTED, "", inbound.number());
  }
}
