package ibis.ipl.internal.port;

import static java.util.stream.Collectors.joining;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.ReceiveTimedOutException;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.internal.base.WaitNotice;
import ibis.ipl.internal.message.SerializationKind;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;

/** A receive port over links. */
final class LinkReceivePort extends ManagedCounters implements ReceivePort {

  /*
   * Parts. ConnectionAdmission accepts senders into the SenderTable. InboundReader reads the connections
   * of the table up to the beginnings of messages, and runs the upcalls of a port that has them;
   * ExplicitReceive has the calls that receive and poll. UpcallOrder runs the upcalls of the port one
   * after the other. All parts share the lock of ReceivePortState. This class has the rest of the
   * interface and the closing of the port.
   */

  private static final System.Logger LOG = System.getLogger(LinkReceivePort.class.getPackageName());

  private final ReceivePortName identifier;
  private final PortType type;
  private final SerializationKind serialization;
  private final GraphCoderFactory graphCoders;
  private final @Nullable MessageUpcall upcall;
  private final PortThreads threads;
  private final PortDirectory<LinkReceivePort> directory;
  private final ConnectionNumbers<InboundConnection> numbers;

  private final ReceivePortState state;
  private final UpcallOrder upcalls;
  private final SenderTable senders;
  private final InboundReader reader;
  private final ConnectionAdmission admission;
  private final ExplicitReceive receive;

  LinkReceivePort(
      ReceivePortName identifier,
      PortType type,
      SerializationKind serialization,
      GraphCoderFactory graphCoders,
      @Nullable MessageUpcall upcall,
      @Nullable ReceivePortConnectUpcall connectUpcall,
      ManagedCounters instanceCounters,
      PortThreads threads,
      ControlConnections controls,
      PortDirectory<LinkReceivePort> directory,
      ConnectionNumbers<InboundConnection> numbers) {
    super(true, PortCounters.keys());
    this.identifier = identifier;
    this.type = type;
    this.serialization = serialization;
    this.graphCoders = graphCoders;
    this.upcall = upcall;
    this.threads = threads;
    this.directory = directory;
    this.numbers = numbers;
    PortCounters traffic = PortCounters.in(this, instanceCounters);
    state = new ReceivePortState(identifier.toString());
    upcalls = new UpcallOrder(state.lock, threads::execute, identifier.toString());
    senders = new SenderTable(type, connectUpcall, upcalls, traffic, numbers, controls);
    reader = new InboundReader(state, senders, upcall, upcalls, traffic, threads, controls);
    admission =
        new ConnectionAdmission(
            this, state, type, serialization, connectUpcall, upcalls, senders, reader);
    receive = new ExplicitReceive(this, state, senders, reader, admission);
  }

  @Override
  public PortType getPortType() {
    return type;
  }

  @Override
  public ReceivePortIdentifier identifier() {
    return identifier;
  }

  @Override
  public String name() {
    return identifier.name();
  }

  SerializationKind serialization() {
    return serialization;
  }

  /**
   * Decides about a connection request; may block in the upcall gotConnection.
   *
   * @return the reply to the sender; if it accepts, {@link #begin} or {@link #cut} must follow
   */
  PortProtocol.Reply decide(PortProtocol.Request request, Link link) {
    return admission.decide(request, link);
  }

  /**
   * Creates the connection of a sender.
   *
   * @param peerNumber the number that the sender's instance gave to the connection
   */
  InboundConnection newConnection(SendPortName sender, Link link, long peerNumber) {
    return new InboundConnection(
        this,
        sender,
        link,
        numbers.next(),
        peerNumber,
        graphCoders.decoder(serialization),
        threads);
  }

  /** Starts a connection whose sender has been informed; reads ahead if necessary. */
  void begin(InboundConnection inbound) {
    reader.begin(inbound);
  }

  /** Removes a sender that disconnects from the table; the sender waits for that. */
  void disconnected(InboundConnection inbound) {
    state.lock.lock();
    try {
      while (!inbound.begun && inbound.state != InboundConnection.State.GONE) {
        // The sender has overtaken the thread that accepted it and that still uses the link.
        state.changed.awaitUninterruptibly();
      }
      senders.disconnect(inbound);
      if (inbound.state == InboundConnection.State.FREE) {
        reader.readAheadElsewhere(inbound);
      }
      state.changed.signalAll();
    } finally {
      state.lock.unlock();
    }
  }

  /** Ends a connection after a failure. */
  void cut(InboundConnection inbound, Throwable cause) {
    state.lock.lock();
    try {
      reader.drop(inbound, cause, false);
    } finally {
      state.lock.unlock();
    }
  }

  /** Closes the connections of an instance that has left or died. */
  void peerGone(IbisIdentifier peer, Throwable cause) {
    state.lock.lock();
    try {
      for (InboundConnection inbound : List.copyOf(senders.connections())) {
        if (!inbound.disconnected && inbound.origin().ibisIdentifier().equals(peer)) {
          reader.drop(inbound, cause, false);
        }
      }
    } finally {
      state.lock.unlock();
    }
  }

  @Override
  public ReadMessage receive() throws IOException {
    return receive(0);
  }

  @Override
  public ReadMessage receive(long timeoutMillis) throws IOException {
    if (upcall != null) {
      throw new IbisConfigurationException(
          this
              + " passes its messages to an upcall, so that none can be received; create another"
              + " port, without an upcall");
    }
    if (timeoutMillis < 0) {
      throw new IOException(
          "cannot wait " + timeoutMillis + " ms for a message; use 0 to wait for ever, or poll");
    }
    if (timeoutMillis == 0) {
      return Objects.requireNonNull(
          receive.receive(Long.MAX_VALUE), "a wait without limit ends with a message");
    }
    require(PortType.RECEIVE_TIMEOUT, "to receive with a time limit");
    IncomingMessage message = receive.receive(TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
    if (message == null) {
      throw new ReceiveTimedOutException(
          "no message came to " + this + " within " + timeoutMillis + " ms");
    }
    return message;
  }

  @Override
  public @Nullable ReadMessage poll() throws IOException {
    require(PortType.RECEIVE_POLL, "to poll");
    if (upcall == null) {
      return receive.poll();
    }
    state.lock.lock();
    try {
      state.checkNotClosed();
      return null;
    } finally {
      state.lock.unlock();
    }
  }

  private void require(String capability, String what) {
    if (!type.hasCapability(capability)) {
      throw new IbisConfigurationException(
          what + " needs the capability '" + capability + "', which " + this + " does not have");
    }
  }

  /** Ends the reading of a message as {@link InboundReader#finished}. */
  long finished(IncomingMessage message, InboundConnection from, @Nullable IOException cause) {
    return reader.finished(message, from, cause);
  }

  @Override
  public void enableConnections() {
    admission.enable();
    directory.signalChange();
  }

  @Override
  public void disableConnections() {
    admission.disable();
  }

  @Override
  public void enableMessageUpcalls() {
    enableMessages(true);
  }

  @Override
  public void disableMessageUpcalls() {
    enableMessages(false);
  }

  private void enableMessages(boolean enabled) {
    state.lock.lock();
    try {
      upcalls.enableMessages(enabled);
    } finally {
      state.lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    close(0);
  }

  @Override
  public void close(long timeoutMillis) throws IOException {
    IncomingMessage inUpcall = IncomingMessage.unfinishedHere();
    if (timeoutMillis >= 0 && inUpcall != null && inUpcall.localPort() == this) {
      throw new IOException(
          this
              + " cannot wait for its senders in an upcall whose message is not finished; finish"
              + " the message first");
    }
    boolean interrupted = false;
    state.lock.lock();
    try {
      if (!state.isOpen()) {
        throw new ConnectionClosedException(this + " is closed already");
      }
      state.set(ReceivePortState.Phase.CLOSING);
      if (timeoutMillis >= 0) {
        interrupted = !awaitSenders(timeoutMillis);
      }
    } finally {
      state.lock.unlock();
    }
    closeConnections();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeConnections() {
    state.lock.lock();
    try {
      state.set(ReceivePortState.Phase.CLOSED);
      for (InboundConnection inbound : List.copyOf(senders.connections())) {
        // The end of the link wakes a waiting receiver, which must not wait for the sender.
        boolean informSender =
            !inbound.disconnected && inbound.state != InboundConnection.State.READ_DIRECTLY;
        reader.drop(
            inbound,
            inbound.disconnected ? null : new ConnectionClosedException(this + " was closed"),
            informSender);
      }
    } finally {
      state.lock.unlock();
    }
    directory.remove(name(), this);
  }

  /** Closes the port without waiting for its senders. */
  void end() {
    try {
      close(-1);
    } catch (IOException _) {
      closeConnections(); // another thread is already waiting in close
    }
  }

  /**
   * Waits until all senders have disconnected, for ever if the time is 0; returns false if
   * interrupted. The lock is held.
   */
  private boolean awaitSenders(long timeoutMillis) {
    reader.readAllAhead();
    var notice =
        new WaitNotice(
            () ->
                "close of "
                    + this
                    + " waits for "
                    + awaited()
                    + "; close(milliseconds) waits no longer than that");
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (!state.isClosed() && hasSenders() && (timeoutMillis == 0 || left > 0)) {
        IncomingMessage own = notice.isLogged() ? lastOwnMessage() : null;
        if (own != null) {
          LOG.log(
              Level.WARNING,
              this
                  + " is closed although its message from "
                  + own.origin()
                  + " is unfinished, as the closing thread has received it; call finish() before"
                  + " close()");
          return true;
        }
        if (timeoutMillis == 0) {
          notice.await(state.changed);
        } else {
          left = notice.awaitNanos(state.changed, left);
        }
      }
      if (!state.isClosed() && reader.current() != null) {
        LOG.log(
            Level.WARNING,
            this + " is closed after " + timeoutMillis + " ms in spite of " + awaited());
      }
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  /**
   * Returns the unfinished message if closing waits only for it and only the closing thread can
   * finish it; {@code null} otherwise.
   */
  private @Nullable IncomingMessage lastOwnMessage() {
    IncomingMessage current = reader.current();
    return senders.connected().isEmpty()
            && admission.undecided().isEmpty()
            && upcall == null
            && current != null
            && current.receiver() == Thread.currentThread()
        ? current
        : null;
  }

  /** Describes what closing the port waits for. */
  private String awaited() {
    Set<SendPortIdentifier> connected = senders.connected().keySet();
    Set<SendPortIdentifier> undecided = admission.undecided();
    IncomingMessage current = reader.current();
    var what = new ArrayList<String>();
    if (!connected.isEmpty()) {
      what.add("connected senders (" + list(connected) + ")");
    }
    if (!undecided.isEmpty()) {
      what.add("senders that gotConnection decides about (" + list(undecided) + ")");
    }
    if (current != null) {
      what.add("an unfinished message from " + current.origin());
    } else if (connected.isEmpty() && undecided.isEmpty()) {
      what.add("upcalls for messages of disconnected senders");
    }
    return String.join(" and ", what);
  }

  private static String list(Set<SendPortIdentifier> senders) {
    String some =
        senders.stream().limit(3).map(SendPortIdentifier::toString).collect(joining(", "));
    return senders.size() > 3 ? some + " and " + (senders.size() - 3) + " more" : some;
  }

  /**
   * Returns whether senders remain, including disconnected ones whose messages are still being
   * read.
   */
  private boolean hasSenders() {
    return !senders.connected().isEmpty()
        || !admission.undecided().isEmpty()
        || reader.current() != null
        || upcalls.messagesEnabled() && upcall != null && !senders.connections().isEmpty();
  }

  @Override
  public SendPortIdentifier[] connectedTo() {
    state.lock.lock();
    try {
      return senders.connected().keySet().toArray(SendPortIdentifier[]::new);
    } finally {
      state.lock.unlock();
    }
  }

  @Override
  public SendPortIdentifier[] lostConnections() {
    requireChanges();
    state.lock.lock();
    try {
      return senders.takeLost();
    } finally {
      state.lock.unlock();
    }
  }

  @Override
  public SendPortIdentifier[] newConnections() {
    requireChanges();
    state.lock.lock();
    try {
      return senders.takeGained();
    } finally {
      state.lock.unlock();
    }
  }

  private void requireChanges() {
    require(PortType.CONNECTION_DOWNCALLS, "to query new or lost connections");
  }

  @Override
  public String toString() {
    return identifier.toString();
  }
}
