package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.ConnectionFailedException;
import ibis.ipl.ConnectionTimedOutException;
import ibis.ipl.ConnectionsFailedException;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A send port over links. */
final class LinkSendPort extends ManagedCounters implements SendPort {

  /*
   * Writing. The thread that holds the message serializes once and writes each chunk to all receivers in
   * turn. A slow receiver slows the port; a dead one is removed. Connections are added and removed
   * between messages only, except for losses.
   *
   * Locks. The state of the port has one lock and connecting has another, so that a connect that waits
   * for a receiver does not block other calls of the port.
   */

  private static final System.Logger LOG = System.getLogger(LinkSendPort.class.getPackageName());

  private static final String UPCALL_CONNECTIONS = "ibis.upcall.connections";
  private static final String UPCALL_COMMUNICATION = "ibis.upcall.communication";
  private static final String NUMBERS_OF = "ibis.ipl messages of send port ";

  /** The time for one of several targets before the next one is tried. */
  private static final long SLICE_MILLIS = 1_000;

  private final PortTable ports;
  private final SendPortName identifier;
  private final PortType type;
  private final SerializationKind form;
  private final @Nullable SendPortDisconnectUpcall upcall;
  private final boolean hasOneReceiver;
  private final boolean isNumbered;
  private final boolean mayConnectInUpcall;
  private final boolean maySendInUpcall;
  private final PortCounters traffic;
  private final ReceiverSet receivers = new ReceiverSet(this::lose);
  private final ChunkOutput out = new ChunkOutput(receivers);
  private final @Nullable GraphEncoder graphs;

  private final ReentrantLock connecting = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  /** Signals that a message was finished or the port was closed. */
  private final Condition changed = lock.newCondition();

  private final UpcallOrder turns;
  private final Map<ReceivePortIdentifier, OutboundConnection> books = new LinkedHashMap<>();
  private final List<ReceivePortIdentifier> lost = new ArrayList<>();
  private final AtomicBoolean refusals = new AtomicBoolean();
  private boolean isWritten; // a message exists or is being created
  private @Nullable Thread writer; // the thread that created the message
  private boolean closed;
  private @Nullable ConnectAttempt dialling;

  /** Connections lost between messages, until a message or a downcall reports them. */
  private final Map<OutboundConnection, IOException> unreported = new LinkedHashMap<>();

  LinkSendPort(
      PortTable ports,
      SendPortName identifier,
      PortType type,
      SerializationKind form,
      @Nullable GraphEncoder graphs,
      @Nullable SendPortDisconnectUpcall upcall,
      Properties properties) {
    super(true, PortCounters.keys());
    this.ports = ports;
    this.identifier = identifier;
    this.type = type;
    this.form = form;
    this.graphs = graphs;
    this.upcall = upcall;
    this.traffic = PortCounters.out(this, ports.counters());
    this.turns = new UpcallOrder(lock, ports::execute, identifier.toString());
    this.hasOneReceiver =
        type.hasCapability(PortType.CONNECTION_ONE_TO_ONE)
            || type.hasCapability(PortType.CONNECTION_MANY_TO_ONE);
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
      if (upcall != null) {
        unreported.clear(); // the new message reports them
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
        out.begin(ReadMessage.INITIAL_SEQNO + ports.sequenceNumber(NUMBERS_OF + name()));
      } else {
        out.begin();
      }
      begun = true;
      return new OutgoingMessage(this, form, out, graphs);
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
    if (refusals.compareAndSet(false, true)) {
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
      traffic.message(bytes, bytes * receivers.count());
    }
    lock.lock();
    try {
      unreported.values().forEach(receivers::addFailure);
      unreported.clear();
    } finally {
      lock.unlock();
    }
    IOException failure = receivers.takeFailure();
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

  /** Removes a receiver after a failed write; throws if no receiver remains for the message. */
  private void lose(OutboundConnection outbound, IOException cause) throws IOException {
    IOException failure;
    lock.lock();
    try {
      IOException known = unreported.remove(outbound);
      failure =
          known != null
              ? known
              : new ConnectionClosedException(
                  "the connection of " + this + " to " + outbound.receiver() + " is lost: " + cause,
                  cause);
      drop(outbound, failure);
    } finally {
      lock.unlock();
    }
    if (hasOneReceiver) {
      throw failure;
    }
    receivers.addFailure(failure);
  }

  /**
   * Drops a connection that its receiver has abandoned; a concurrent write fails on the closed
   * link.
   */
  void broken(OutboundConnection outbound, String reason) {
    LOG.log(
        Level.WARNING,
        "{0} gave up its connection with {1}: {2}",
        outbound.receiver(),
        this,
        reason);
    lock.lock();
    try {
      dropUnasked(
          outbound,
          new ConnectionClosedException(
              outbound.receiver() + " gave up its connection with " + this + ": " + reason));
    } finally {
      lock.unlock();
    }
  }

  /** Drops a connection outside of a write; the next message or downcall reports the loss. */
  private void dropUnasked(OutboundConnection outbound, IOException cause) {
    if (drop(outbound, cause)) {
      unreported.put(outbound, cause);
    }
  }

  /** Ends a connection; returns false if it had ended before. */
  private boolean drop(OutboundConnection outbound, Throwable cause) {
    if (!books.remove(outbound.receiver(), outbound)) {
      return false;
    }
    receivers.set(books.values());
    ports.remove(outbound);
    outbound.link().close();
    traffic.lost();
    if (type.hasCapability(PortType.CONNECTION_DOWNCALLS)) {
      lost.add(outbound.receiver());
    }
    if (upcall != null) {
      turns.tell(() -> upcall.lostConnection(this, outbound.receiver(), cause));
    }
    return true;
  }

  /** Closes the connection to an instance that has left or died. */
  void peerGone(IbisIdentifier peer, String why) {
    lock.lock();
    try {
      if (dialling != null && dialling.target().instance().equals(peer)) {
        dialling.giveUp(why);
      }
      for (OutboundConnection outbound : List.copyOf(books.values())) {
        if (outbound.receiver().ibisIdentifier().equals(peer)) {
          dropUnasked(
              outbound,
              new ConnectionClosedException(
                  "the connection of " + this + " to " + outbound.receiver() + " is lost: " + why));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the reader of a connection by a nudge, unless a message is being written. */
  void nudge(OutboundConnection outbound) {
    receivers.nudge(outbound);
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

  private ReceivePortIdentifier connect(ConnectTarget target, long timeoutMillis, boolean fill)
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
      var attempt =
          new ConnectAttempt(
              ports,
              new PortProtocol.Request(
                  target.instance(),
                  target.port().name(),
                  identifier,
                  type,
                  form,
                  ports.nextNumber()),
              target,
              left,
              fill);
      lock.lock();
      try {
        checkBooks(target);
        dialling = attempt;
      } finally {
        lock.unlock();
      }
      OutboundConnection outbound = ports.onPlatformThread(attempt::run);
      boolean added = false;
      try {
        add(outbound, target, attempt);
        added = true;
      } finally {
        if (!added) {
          outbound.link().close();
        }
      }
      return outbound.receiver();
    } finally {
      lock.lock();
      dialling = null;
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
      checkBooks(target);
    } finally {
      lock.unlock();
    }
  }

  private void checkBooks(ConnectTarget target) throws ConnectionFailedException {
    if (closed) {
      throw target.failed(this + " is closed", null);
    }
    if (hasOneReceiver && !books.isEmpty()) {
      throw new IbisConfigurationException(
          this
              + " is connected to "
              + books.keySet().iterator().next()
              + ", and its type allows one receiver; disconnect first, or give its type '"
              + PortType.CONNECTION_ONE_TO_MANY
              + "'");
    }
    if (books.containsKey(target.port())) {
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

  private void add(OutboundConnection outbound, ConnectTarget target, ConnectAttempt attempt)
      throws ConnectionFailedException {
    lock.lock();
    try {
      var notice =
          new WaitNotice(() -> "connect of " + this + " to " + target + " waits: " + unfinished());
      long left = attempt.nanosLeft();
      while (isWritten && !closed) {
        if (left <= 0) {
          throw target.timedOut("connect of " + this + " timed out: " + unfinished(), null);
        }
        left = notice.awaitNanos(changed, left);
      }
      String gone = closed ? "it was closed" : ports.whyGone(target.instance());
      if (gone != null) {
        throw target.failed(this + " was not connected to " + target + ": " + gone, null);
      }
      books.put(outbound.receiver(), outbound);
      unreported
          .keySet()
          .removeIf(each -> hasOneReceiver || each.receiver().equals(outbound.receiver()));
      receivers.set(books.values());
      ports.add(outbound, this);
      if (graphs != null) {
        graphs.restart();
      }
      traffic.connected();
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
    connectAll(targets, timeoutMillis, fillTimeout);
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
    connectAll(targets, timeoutMillis, fillTimeout);
    return targets.stream().map(ConnectTarget::port).toArray(ReceivePortIdentifier[]::new);
  }

  /**
   * Connects to each target within a fair share of the time; throws an exception that lists the
   * failures.
   */
  private void connectAll(List<ConnectTarget> targets, long timeoutMillis, boolean fill)
      throws ConnectionsFailedException {
    if (hasOneReceiver && targets.size() > 1) {
      throw new IbisConfigurationException(
          this + " can have one receiver by its type, not " + targets.size());
    }
    long start = System.nanoTime();
    Queue<ConnectTarget> queue = new ArrayDeque<>(targets);
    Map<ConnectTarget, ConnectionFailedException> failures = new LinkedHashMap<>();
    List<ReceivePortIdentifier> obtained = new ArrayList<>();
    long noticeAfter = WaitNotice.afterMillis;
    while (!queue.isEmpty()) {
      long left = timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      if (timeoutMillis > 0 && left <= 0) {
        break;
      }
      ConnectTarget target = queue.remove();
      long share = SLICE_MILLIS;
      if (timeoutMillis != 0) {
        share = timeoutMillis < 0 ? timeoutMillis : Math.max(1, left / (queue.size() + 1));
      } else if (!fill || queue.isEmpty()) {
        share = 0;
      }
      try {
        obtained.add(connect(target, share, false));
        failures.remove(target);
      } catch (ConnectionFailedException e) {
        failures.put(target, e);
        if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(noticeAfter)) {
          noticeAfter = Long.MAX_VALUE;
          LOG.log(Level.WARNING, "{0} is still being connected: {1}", this, e.getMessage());
        }
        boolean mayPass =
            e instanceof ConnectionTimedOutException
                || e.getClass() == ConnectionFailedException.class;
        boolean isGivenUp =
            Thread.currentThread().isInterrupted(); // every further attempt would fail at once
        if (fill
            && mayPass
            && timeoutMillis >= 0
            && !isGivenUp
            && ports.whyGone(target.instance()) == null) {
          queue.add(target);
        }
      }
    }
    for (ConnectTarget untried : queue) {
      failures.computeIfAbsent(
          untried, target -> target.timedOut("there was no time to try " + target, null));
    }
    if (!failures.isEmpty()) {
      var failed =
          new ConnectionsFailedException(
              this + " could not be connected to " + failures.size() + " of " + targets.size());
      failures.values().forEach(failed::add);
      failed.setObtainedConnections(obtained.toArray(ReceivePortIdentifier[]::new));
      throw failed;
    }
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
      outbound = books.remove(ConnectTarget.of(receiver).port());
      if (outbound == null) {
        throw new IOException(this + " is not connected to " + receiver);
      }
      receivers.set(books.values());
    } finally {
      lock.unlock();
    }
    part(outbound);
  }

  @Override
  public void disconnect(IbisIdentifier ibisIdentifier, String receivePortName) throws IOException {
    disconnect(ConnectTarget.of(ibisIdentifier, receivePortName).port());
  }

  /** Disconnects; returns when the receiver has removed this port from its table. */
  private void part(OutboundConnection outbound) {
    ports.remove(outbound);
    ports.disconnect(outbound);
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
      if (isWritten && !books.isEmpty() && !evenIfWritten) {
        throw new ConnectionClosedException(
            this + " has an unfinished message, and stays open; finish it before closing");
      }
      closed = true;
      if (dialling != null) {
        dialling.giveUp("the send port was closed");
      }
      all = List.copyOf(books.values());
      books.clear();
      receivers.set(books.values());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    all.forEach(this::part);
    ports.remove(this);
  }

  @Override
  public ReceivePortIdentifier[] connectedTo() {
    lock.lock();
    try {
      return books.keySet().toArray(ReceivePortIdentifier[]::new);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ReceivePortIdentifier[] lostConnections() {
    if (!type.hasCapability(PortType.CONNECTION_DOWNCALLS)) {
      throw new IbisConfigurationException(
          "to ask for lost connections needs the capability '"
              + PortType.CONNECTION_DOWNCALLS
              + "', which "
              + this
              + " has not");
    }
    lock.lock();
    try {
      ReceivePortIdentifier[] taken = lost.toArray(ReceivePortIdentifier[]::new);
      lost.clear();
      unreported.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return identifier.toString();
  }
}
