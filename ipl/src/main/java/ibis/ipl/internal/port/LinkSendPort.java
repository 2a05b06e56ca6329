package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.ConnectionFailedException;
import ibis.ipl.ConnectionsFailedException;
import ibis.ipl.Ibis;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortDisconnectUpcall;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.WriteMessage;
import ibis.ipl.internal.base.WaitNotice;
import ibis.ipl.internal.message.ChunkOutput;
import ibis.ipl.internal.message.GraphEncoder;
import ibis.ipl.internal.message.SerializationKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.links.port.Port;

/** A send port over links. */
final class LinkSendPort extends ManagedCounters implements SendPort {

  /*
   * Writing. The thread that holds the message serializes once and writes each chunk to all receivers in
   * turn. A slow receiver slows the port; a dead one is removed. Connections are added and removed
   * between messages only, except for losses.
   *
   * Locks. The state of the port, with its ReceiverTable, has one lock and connecting has another, so
   * that a connect that waits for a receiver does not block other calls of the port.
   */

  private static final System.Logger LOG = System.getLogger(LinkSendPort.class.getPackageName());

  private static final String UPCALL_CONNECTIONS = "ibis.upcall.connections";
  private static final String UPCALL_COMMUNICATION = "ibis.upcall.communication";
  private static final String SEQUENCE_PREFIX = "ibis.ipl messages of send port ";

  /** A connection and the port that has it. */
  record Sender(LinkSendPort port, OutboundConnection outbound) {}

  private final SendPortName identifier;
  private final PortType type;
  private final SerializationKind serialization;
  private final boolean isNumbered;
  private final boolean mayConnectInUpcall;
  private final boolean maySendInUpcall;
  private final boolean reportsLossesByUpcall;
  private final Ibis self;
  private final Port links;
  private final PortThreads threads;
  private final ControlConnections controls;
  private final PortDirectory<LinkSendPort> directory;
  private final ConnectionNumbers<Sender> numbers;
  private final PortCounters traffic;
  private final ReceiverTable receivers;
  private final ChunkOutput out;
  private final @Nullable GraphEncoder graphs;

  private final ReentrantLock connecting = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  /** Signals that a message was finished or the port was closed. */
  private final Condition changed = lock.newCondition();

  private final AtomicBoolean hasLoggedRefusal = new AtomicBoolean();
  private boolean isWritten; // a message exists or is being created
  private @Nullable Thread writer; // the thread that created the message
  private boolean closed;
  private @Nullable ConnectAttempt attempt; // the connect in progress

  LinkSendPort(
      SendPortName identifier,
      PortType type,
      SerializationKind serialization,
      @Nullable GraphEncoder graphs,
      @Nullable SendPortDisconnectUpcall upcall,
      Properties properties,
      Ibis self,
      ManagedCounters instanceCounters,
      Port links,
      PortThreads threads,
      ControlConnections controls,
      PortDirectory<LinkSendPort> directory,
      ConnectionNumbers<Sender> numbers) {
    super(true, PortCounters.keys());
    this.identifier = identifier;
    this.type = type;
    this.serialization = serialization;
    this.graphs = graphs;
    this.reportsLossesByUpcall = upcall != null;
    this.self = self;
    this.links = links;
    this.threads = threads;
    this.controls = controls;
    this.directory = directory;
    this.numbers = numbers;
    this.traffic = PortCounters.out(this, instanceCounters);
    var upcalls = new UpcallOrder(lock, threads::execute, identifier.toString());
    this.receivers = new ReceiverTable(this, lock, type, upcall, upcalls, traffic, numbers);
    this.out = new ChunkOutput(receivers.destination());
    this.isNumbered = type.hasCapability(PortType.COMMUNICATION_NUMBERED);
    this.mayConnectInUpcall = isSet(properties, UPCALL_CONNECTIONS);
    this.maySendInUpcall = isSet(properties, UPCALL_COMMUNICATION);
  }

  private static boolean isSet(Properties properties, String name) {
    return Stream.of("true", "yes", "on", "1", "")
        .anyMatch(word -> word.equalsIgnoreCase(properties.getProperty(name, "no")));
  }

  @Override
  public PortType getPortType() {
    return type;
  }

  @Override
  public SendPortIdentifier identifier() {
    return identifier;
  }

  @Override
  public String name() {
    return identifier.name();
  }

  @Override
  public WriteMessage newMessage() throws IOException {
    if (!maySendInUpcall && IncomingMessage.unfinishedHere() != null) {
      throw new IOException(refusedInUpcall("it begins one of " + this, UPCALL_COMMUNICATION));
    }
    lock.lock();
    try {
      WaitNotice notice = null; // created only if the call blocks
      while (isWritten && !closed) {
        if (notice == null) {
          notice = new WaitNotice(() -> "newMessage of " + this + " waits: " + unfinished());
        }
        notice.await(changed);
      }
      checkOpen();
      isWritten = true;
      if (reportsLossesByUpcall) {
        receivers.clearUnreported(); // the upcall has reported them
      }
      writer = Thread.currentThread();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(
          "interrupted while another message of " + this + " is alive");
    } finally {
      lock.unlock();
    }
    boolean begun = false;
    try {
      if (isNumbered) {
        out.begin(
            ReadMessage.INITIAL_SEQNO
                + self.registry().getSequenceNumber(SEQUENCE_PREFIX + name()));
      } else {
        out.begin();
      }
      begun = true;
      return new OutgoingMessage(this, serialization, out, graphs);
    } finally {
      if (!begun) {
        free();
      }
    }
  }

  private String unfinished() {
    return "its message begun by thread '"
        + Objects.requireNonNull(writer, "set with isWritten").getName()
        + "' is not finished; call finish()";
  }

  /** Returns why an upcall may not perform an action; logs it the first time. */
  private String refusedInUpcall(String what, String property) {
    String refusal =
        "an upcall has to finish its message before "
            + what
            + "; or set '"
            + property
            + "' to true";
    if (hasLoggedRefusal.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "{0}: {1} (upcall of {2})",
          this,
          refusal,
          Objects.requireNonNull(IncomingMessage.unfinishedHere(), "an upcall runs here")
              .localPort());
    }
    return refusal;
  }

  private void checkOpen() throws ConnectionClosedException {
    if (closed) {
      throw new ConnectionClosedException(this + " is closed");
    }
  }

  /**
   * Ends a message.
   *
   * @return the failure to report for receivers lost meanwhile, or {@code null}
   */
  @Nullable IOException finished(boolean isComplete, long bytes) {
    if (isComplete) {
      traffic.message(bytes, bytes * receivers.destination().count());
    }
    lock.lock();
    try {
      receivers.addUnreportedFailures();
    } finally {
      lock.unlock();
    }
    IOException failure = receivers.destination().takeFailure();
    free();
    return failure;
  }

  private void free() {
    lock.lock();
    try {
      isWritten = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connection to an instance that has left or died. */
  void peerGone(IbisIdentifier peer, String reason) {
    lock.lock();
    try {
      if (attempt != null && attempt.target().instance().equals(peer)) {
        attempt.cancel(reason);
      }
      receivers.dropAll(peer, reason);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops a connection that its receiver has abandoned; a concurrent write fails on the closed
   * link.
   */
  void broken(OutboundConnection outbound, String reason) {
    receivers.broken(outbound, reason);
  }

  /** Wakes the reader of a connection by a nudge, unless a message is being written. */
  void nudge(OutboundConnection outbound) {
    receivers.destination().nudge(outbound);
  }

  @Override
  public void connect(ReceivePortIdentifier receiver) throws ConnectionFailedException {
    connect(receiver, 0, true);
  }

  @Override
  public void connect(ReceivePortIdentifier receiver, long timeoutMillis, boolean fillTimeout)
      throws ConnectionFailedException {
    connect(ConnectTarget.of(receiver), timeoutMillis, fillTimeout);
  }

  @Override
  public ReceivePortIdentifier connect(IbisIdentifier ibisIdentifier, String receivePortName)
      throws ConnectionFailedException {
    return connect(ibisIdentifier, receivePortName, 0, true);
  }

  @Override
  public ReceivePortIdentifier connect(
      IbisIdentifier ibisIdentifier,
      String receivePortName,
      long timeoutMillis,
      boolean fillTimeout)
      throws ConnectionFailedException {
    return connect(ConnectTarget.of(ibisIdentifier, receivePortName), timeoutMillis, fillTimeout);
  }

  /**
   * Connects to one target.
   *
   * @param timeoutMillis 0 to try for ever
   * @param fill whether to retry an unreachable instance until the timeout
   */
  ReceivePortIdentifier connect(ConnectTarget target, long timeoutMillis, boolean fill)
      throws ConnectionFailedException {
    long start = System.nanoTime();
    check(target, timeoutMillis);
    lockConnecting(target, timeoutMillis);
    try {
      long left = timeoutMillis;
      if (timeoutMillis > 0) {
        left -= TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (left <= 0) {
          throw target.timedOut(
              this + " was busy with another connection for all of the time", null);
        }
      }
      var newAttempt =
          new ConnectAttempt(
              links,
              threads,
              controls,
              new PortProtocol.Request(
                  target.instance(),
                  target.port().name(),
                  identifier,
                  type,
                  serialization,
                  numbers.next()),
              target,
              left,
              fill);
      lock.lock();
      try {
        checkConnectable(target);
        attempt = newAttempt;
      } finally {
        lock.unlock();
      }
      OutboundConnection outbound = threads.onPlatformThread(newAttempt::run);
      boolean added = false;
      try {
        add(outbound, target, newAttempt.nanosLeft());
        added = true;
      } finally {
        if (!added) {
          outbound.link().close();
        }
      }
      return outbound.receiver();
    } finally {
      lock.lock();
      attempt = null;
      lock.unlock();
      connecting.unlock();
    }
  }

  private void check(ConnectTarget target, long timeoutMillis) throws ConnectionFailedException {
    if (!mayConnectInUpcall && IncomingMessage.unfinishedHere() != null) {
      throw target.failed(refusedInUpcall("it connects " + this, UPCALL_CONNECTIONS), null);
    }
    lock.lock();
    try {
      if (isWritten) {
        throw target.failed(this + " has an unfinished message; finish it before connecting", null);
      }
      if (timeoutMillis < 0) {
        throw target.failed(
            "cannot connect within " + timeoutMillis + " ms; use 0 to try for ever", null);
      }
      checkConnectable(target);
    } finally {
      lock.unlock();
    }
  }

  private void checkConnectable(ConnectTarget target) throws ConnectionFailedException {
    if (closed) {
      throw target.failed(this + " is closed", null);
    }
    if (receivers.hasOneReceiver() && !receivers.isEmpty()) {
      throw new IbisConfigurationException(
          this
              + " is connected to "
              + receivers.identifiers()[0]
              + ", and its type allows one receiver; disconnect first, or give its type '"
              + PortType.CONNECTION_ONE_TO_MANY
              + "'");
    }
    if (receivers.contains(target.port())) {
      throw target.alreadyConnected(this + " is connected to " + target + " already");
    }
  }

  private void lockConnecting(ConnectTarget target, long timeoutMillis)
      throws ConnectionFailedException {
    try {
      if (timeoutMillis == 0) {
        connecting.lockInterruptibly();
      } else if (!connecting.tryLock(timeoutMillis, TimeUnit.MILLISECONDS)) {
        throw target.timedOut(this + " was busy with another connection for all of the time", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw target.failed("interrupted while " + this + " is busy with another connection", e);
    }
  }

  private void add(OutboundConnection outbound, ConnectTarget target, long nanos)
      throws ConnectionFailedException {
    lock.lock();
    try {
      var notice =
          new WaitNotice(() -> "connect of " + this + " to " + target + " waits: " + unfinished());
      long left = nanos;
      while (isWritten && !closed) {
        if (left <= 0) {
          throw target.timedOut("connect of " + this + " timed out: " + unfinished(), null);
        }
        left = notice.awaitNanos(changed, left);
      }
      String gone = closed ? "it was closed" : controls.whyGone(target.instance());
      if (gone != null) {
        throw target.failed(this + " was not connected to " + target + ": " + gone, null);
      }
      receivers.add(outbound);
      if (graphs != null) {
        graphs.restart();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw target.failed("interrupted while another message of " + this + " is alive", e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void connect(ReceivePortIdentifier[] receivePortIdentifiers)
      throws ConnectionsFailedException {
    connect(receivePortIdentifiers, 0, true);
  }

  @Override
  public void connect(
      ReceivePortIdentifier[] receivePortIdentifiers, long timeoutMillis, boolean fillTimeout)
      throws ConnectionsFailedException {
    List<ConnectTarget> targets =
        Arrays.stream(receivePortIdentifiers).map(ConnectTarget::of).toList();
    new MultiConnect(this, receivers.hasOneReceiver(), controls)
        .connect(targets, timeoutMillis, fillTimeout);
  }

  @Override
  public ReceivePortIdentifier[] connect(Map<IbisIdentifier, String> ports)
      throws ConnectionsFailedException {
    return connect(ports, 0, true);
  }

  @Override
  public ReceivePortIdentifier[] connect(
      Map<IbisIdentifier, String> ports, long timeoutMillis, boolean fillTimeout)
      throws ConnectionsFailedException {
    List<ConnectTarget> targets =
        ports.entrySet().stream()
            .map(each -> ConnectTarget.of(each.getKey(), each.getValue()))
            .toList();
    new MultiConnect(this, receivers.hasOneReceiver(), controls)
        .connect(targets, timeoutMillis, fillTimeout);
    return targets.stream().map(ConnectTarget::port).toArray(ReceivePortIdentifier[]::new);
  }

  @Override
  public void disconnect(ReceivePortIdentifier receiver) throws IOException {
    OutboundConnection outbound;
    lock.lock();
    try {
      checkOpen();
      if (isWritten) {
        throw new IOException(this + " has an unfinished message; finish it before disconnecting");
      }
      outbound = receivers.remove(ConnectTarget.of(receiver).port());
      if (outbound == null) {
        throw new IOException(this + " is not connected to " + receiver);
      }
    } finally {
      lock.unlock();
    }
    disconnect(outbound);
  }

  @Override
  public void disconnect(IbisIdentifier ibisIdentifier, String receivePortName) throws IOException {
    disconnect(ConnectTarget.of(ibisIdentifier, receivePortName).port());
  }

  /** Disconnects; returns when the receiver has removed this port from its table. */
  private void disconnect(OutboundConnection outbound) {
    numbers.remove(outbound.number());
    controls.disconnect(outbound.receiver(), outbound.peerNumber());
    outbound.link().close();
    traffic.closed();
  }

  @Override
  public void close() throws IOException {
    close(false);
  }

  /** Closes the port even if a message is unfinished; the message then fails. */
  void end() {
    try {
      close(true);
    } catch (ConnectionClosedException _) {
      // the port is closed already
    }
  }

  private void close(boolean evenIfWritten) throws ConnectionClosedException {
    List<OutboundConnection> all;
    lock.lock();
    try {
      if (closed) {
        throw new ConnectionClosedException(this + " is closed already");
      }
      if (isWritten && !receivers.isEmpty() && !evenIfWritten) {
        throw new ConnectionClosedException(
            this + " has an unfinished message, and stays open; finish it before closing");
      }
      closed = true;
      if (attempt != null) {
        attempt.cancel("the send port was closed");
      }
      all = receivers.removeAll();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    all.forEach(this::disconnect);
    directory.remove(name(), this);
  }

  @Override
  public ReceivePortIdentifier[] connectedTo() {
    lock.lock();
    try {
      return receivers.identifiers();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ReceivePortIdentifier[] lostConnections() {
    if (!type.hasCapability(PortType.CONNECTION_DOWNCALLS)) {
      throw new IbisConfigurationException(
          "to query lost connections needs the capability '"
              + PortType.CONNECTION_DOWNCALLS
              + "', which "
              + this
              + " does not have");
    }
    lock.lock();
    try {
      return receivers.takeLost();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return identifier.toString();
  }
}
