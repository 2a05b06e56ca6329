package ibis.ipl.internal.port;

import static java.util.stream.Collectors.joining;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIOException;
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
import ibis.ipl.internal.message.ChunkInput;
import ibis.ipl.internal.message.SerializationKind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;

/** A receive port over links. */
final class LinkReceivePort extends ManagedCounters implements ReceivePort {

  /*
   * Reader of a connection. If a port has one connection, the thread in receive reads it directly,
   * because handing a message to another thread costs as much as the network. If it has several, a
   * dedicated thread reads each idle connection until its next message begins; this also holds for
   * connections of a port with upcalls, and for those awaited with a time limit. A polling thread reads
   * the arrived bytes of all connections itself, as dedicated threads would compete with its loop for a
   * processor. The body of a message is always read by the thread that processes the message. A sender
   * is thus throttled only by its own unread message, and memory is bounded by one buffer for each
   * connection.
   *
   * Detection of breaks. A connection that only receiving threads read could break unnoticed while the
   * program does not receive. After an idle period a dedicated thread takes it over.
   *
   * Connection table. The table shows connections as the program sees them. A disconnecting sender is
   * removed and listed as lost before its disconnect returns. Its earlier messages are still read, and
   * the upcall about the loss follows them. A new connection of this sender is not read before the
   * former one has been read to its end.
   *
   * Lock. One lock guards all mutable state. It is released around reads of links and around upcalls.
   */

  private static final System.Logger LOG = System.getLogger(LinkReceivePort.class.getPackageName());

  private static final long UNREAD_MILLIS = 100;

  /** How long a request waits for the end of the sender's former connection to be noticed. */
  private static final long DOUBT_MILLIS = 100;

  /** The number of unsuccessful polls, a power of two, after which the thread yields. */
  private static final int VAIN_POLLS = 8;

  private enum Phase {
    OPEN,
    CLOSING,
    CLOSED
  }

  private final PortTable ports;
  private final ReceivePortName identifier;
  private final PortType type;
  private final SerializationKind form;
  private final @Nullable MessageUpcall upcall;
  private final @Nullable ReceivePortConnectUpcall connectUpcall;
  private final boolean hasOneSender;
  private final PortCounters traffic;

  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Signals that a message is ready or finished, that a connection came or went, or that the port
   * was closed.
   */
  private final Condition changed = lock.newCondition();

  private final UpcallOrder turns;
  private final Map<SendPortIdentifier, InboundConnection> books = new LinkedHashMap<>();
  private final Set<SendPortIdentifier> asking = new HashSet<>();
  private final Set<InboundConnection> inbounds =
      new LinkedHashSet<>(); // the oldest first, with removed ones that are still read
  private final Queue<InboundConnection> ready = new ArrayDeque<>();
  private final List<SendPortIdentifier> gained = new ArrayList<>();
  private final List<SendPortIdentifier> lost = new ArrayList<>();

  private Phase phase = Phase.OPEN;
  private @Nullable IncomingMessage alive;
  private boolean connectionsEnabled;
  private @Nullable Thread decider; // runs gotConnection
  private boolean isPolled; // since the last blocking receive
  private InboundConnection[] polled = {}; // a snapshot of the inbounds
  private int firstPolled;
  private int vainPolls;

  LinkReceivePort(
      PortTable ports,
      ReceivePortName identifier,
      PortType type,
      SerializationKind form,
      @Nullable MessageUpcall upcall,
      @Nullable ReceivePortConnectUpcall connectUpcall) {
    super(true, PortCounters.keys());
    this.ports = ports;
    this.identifier = identifier;
    this.type = type;
    this.form = form;
    this.upcall = upcall;
    this.connectUpcall = connectUpcall;
    this.traffic = PortCounters.in(this, ports.counters());
    this.turns = new UpcallOrder(lock, ports::execute, identifier.toString());
    this.hasOneSender =
        type.hasCapability(PortType.CONNECTION_ONE_TO_ONE)
            || type.hasCapability(PortType.CONNECTION_ONE_TO_MANY);
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

  SerializationKind form() {
    return form;
  }

  /**
   * Decides about a connection request; may block in the upcall gotConnection.
   *
   * @return the reply to the sender; if it accepts, {@link #begin} or {@link #cut} must follow
   */
  PortProtocol.Reply ask(PortProtocol.Request request, Link link) {
    CompletableFuture<Boolean> decision;
    lock.lock();
    try {
      PortProtocol.Reply refusal = refusal(request);
      if (refusal != null) {
        return refusal;
      }
      for (InboundConnection old : inbounds) {
        // The program learns of the former connection's end before it learns of the next
        // connection.
        if (old.departed && (hasOneSender || old.origin().equals(request.sender()))) {
          report(old, null);
        }
      }
      if (connectUpcall == null) {
        return accept(request, link);
      }
      asking.add(request.sender());
      decision = new CompletableFuture<>();
      turns.tell(() -> decide(request.sender(), decision));
    } finally {
      lock.unlock();
    }
    Boolean yes = decision.join();
    lock.lock();
    try {
      asking.remove(request.sender());
      if (yes == null || phase != Phase.OPEN) {
        return notNow();
      }
      return yes
          ? accept(request, link)
          : new PortProtocol.Reply(PortProtocol.Answer.REFUSED, "", 0);
    } finally {
      changed.signalAll();
      lock.unlock();
    }
  }

  private static PortProtocol.Reply notNow() {
    return new PortProtocol.Reply(PortProtocol.Answer.NOT_NOW, "", 0);
  }

  private PortProtocol.@Nullable Reply refusal(PortProtocol.Request request) {
    if (books.containsKey(request.sender())) {
      awaitNews(InboundConnection.State::isUnread);
    } else if (hasOneSender && !books.isEmpty()) {
      awaitNews(InboundConnection.State.FREE::equals);
    }
    if (phase != Phase.OPEN || asking.contains(request.sender())) {
      return notNow();
    }
    InboundConnection former = books.get(request.sender());
    if (former != null) {
      if (former.state == InboundConnection.State.READY
          || former.state == InboundConnection.State.DELIVERED) {
        return notNow(); // until the former connection's message has been read
      }
      drop(former, new ConnectionClosedException(request.sender() + " has abandoned it"));
    }
    if (!type.equals(request.type()) || form != request.form()) {
      return new PortProtocol.Reply(PortProtocol.Answer.OTHER_TYPE, mismatch(request), 0);
    }
    if (!connectionsEnabled) {
      return notNow();
    }
    if (hasOneSender && !(books.isEmpty() && asking.isEmpty())) {
      SendPortIdentifier holder = (books.isEmpty() ? asking : books.keySet()).iterator().next();
      return new PortProtocol.Reply(PortProtocol.Answer.TAKEN, holder.toString(), 0);
    }
    return null;
  }

  /**
   * Waits briefly for the end of unread connections to be noticed. The requesting sender's former
   * connection has certainly ended, as a connected port does not request another.
   */
  private void awaitNews(Predicate<InboundConnection.State> doubtful) {
    int before = books.size();
    boolean isInDoubt = books.values().stream().anyMatch(each -> doubtful.test(each.state));
    long nanos = isInDoubt ? TimeUnit.MILLISECONDS.toNanos(DOUBT_MILLIS) : 0;
    try {
      while (nanos > 0 && books.size() == before) {
        readAllAhead();
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private String mismatch(PortProtocol.Request request) {
    if (type.equals(request.type())) {
      return "objects travel in form '" + request.form() + "' there and '" + form + "' here";
    }
    return "the send port alone has "
        + request.type().unmatchedCapabilities(type)
        + ", the receive port alone "
        + type.unmatchedCapabilities(request.type());
  }

  /** Calls gotConnection; returns {@code null} if upcalls have been disabled meanwhile. */
  private void decide(SendPortIdentifier sender, CompletableFuture<Boolean> decision) {
    lock.lock();
    try {
      if (!connectionsEnabled || phase != Phase.OPEN) {
        decision.complete(null);
        return;
      }
      decider = Thread.currentThread();
    } finally {
      lock.unlock();
    }
    boolean yes = false;
    try {
      yes =
          Objects.requireNonNull(connectUpcall, "without it nobody is asked")
              .gotConnection(this, sender);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "gotConnection of " + this + " failed; " + sender + " is refused", e);
    } finally {
      decision.complete(yes);
      lock.lock();
      decider = null;
      changed.signalAll();
      lock.unlock();
    }
  }

  private PortProtocol.Reply accept(PortProtocol.Request request, Link link) {
    var inbound = new InboundConnection(this, ports, request.sender(), link, request.connection());
    books.put(request.sender(), inbound);
    inbounds.add(inbound);
    polled = inbounds.toArray(InboundConnection[]::new);
    ports.add(inbound);
    traffic.connected();
    if (type.hasCapability(PortType.CONNECTION_DOWNCALLS)) {
      gained.add(request.sender());
    }
    return new PortProtocol.Reply(PortProtocol.Answer.ACCEPTED, "", inbound.number());
  }

  /**
   * Starts a connection whose sender has been told; the calling thread reads ahead if necessary.
   */
  void begin(InboundConnection inbound) {
    lock.lock();
    try {
      inbound.begun = true;
      changed.signalAll();
      if (inbounds.size() > 1) {
        wakeDirectReaders();
      }
      if (!release(inbound) || inbound.state != InboundConnection.State.READ_AHEAD) {
        return;
      }
    } finally {
      lock.unlock();
    }
    readAhead(inbound);
  }

  /**
   * Makes a connection readable, unless a former one of its sender has not been read to its end.
   *
   * @return whether it has become readable; the caller then reads ahead if necessary
   */
  private boolean release(InboundConnection inbound) {
    if (inbound.state != InboundConnection.State.HELD || !inbound.begun) {
      return false;
    }
    for (InboundConnection older : inbounds) {
      if (older == inbound) {
        break;
      }
      if (older.origin().equals(inbound.origin())) {
        return false;
      }
    }
    if (upcall == null && (inbounds.size() == 1 || isPolled)) {
      inbound.state = InboundConnection.State.FREE;
      watch(inbound);
      changed.signalAll();
    } else {
      inbound.state = InboundConnection.State.READ_AHEAD;
    }
    return true;
  }

  /** Removes a sender that disconnects from the table; the sender waits for that. */
  void departed(InboundConnection inbound) {
    lock.lock();
    try {
      while (!inbound.begun && inbound.state != InboundConnection.State.GONE) {
        // The sender has overtaken the thread that accepted it and that still uses the link.
        changed.awaitUninterruptibly();
      }
      inbound.departed = true;
      books.remove(inbound.origin(), inbound);
      list(inbound);
      if (inbound.state == InboundConnection.State.FREE) {
        readAheadElsewhere(inbound);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a connection. */
  void cut(InboundConnection inbound, Throwable cause) {
    lock.lock();
    try {
      drop(inbound, cause);
    } finally {
      lock.unlock();
    }
  }

  private void drop(InboundConnection inbound, @Nullable Throwable cause) {
    drop(inbound, cause, false);
  }

  /**
   * Ends a connection; closes the link after the sender has been informed of the cause, if it is.
   */
  private void drop(InboundConnection inbound, @Nullable Throwable cause, boolean tellSender) {
    if (inbound.state == InboundConnection.State.GONE) {
      return;
    }
    inbound.state = InboundConnection.State.GONE;
    inbounds.remove(inbound);
    polled = inbounds.toArray(InboundConnection[]::new);
    books.remove(inbound.origin(), inbound);
    ready.remove(inbound);
    ports.remove(inbound);
    if (tellSender && cause != null) {
      ports.breakOff(inbound, cause);
    } else {
      inbound.close();
    }
    if (inbound.turn != null) {
      inbound.turn.cancel();
    }
    report(inbound, cause);
    for (InboundConnection next : inbounds) {
      if (release(next) && next.state == InboundConnection.State.READ_AHEAD) {
        readAheadElsewhere(next);
      }
    }
    changed.signalAll();
  }

  private void report(InboundConnection inbound, @Nullable Throwable cause) {
    if (inbound.reported) {
      return;
    }
    inbound.reported = true;
    if (cause == null) {
      traffic.closed();
    } else {
      traffic.lost();
    }
    list(inbound);
    if (connectUpcall != null) {
      turns.tell(() -> connectUpcall.lostConnection(this, inbound.origin(), cause));
    }
  }

  private void list(InboundConnection inbound) {
    if (!inbound.listed && type.hasCapability(PortType.CONNECTION_DOWNCALLS)) {
      inbound.listed = true;
      lost.add(inbound.origin());
    }
  }

  /** Closes the connections of an instance that has left or died. */
  void peerGone(IbisIdentifier peer, Throwable cause) {
    lock.lock();
    try {
      for (InboundConnection inbound : List.copyOf(inbounds)) {
        if (!inbound.departed && inbound.origin().ibisIdentifier().equals(peer)) {
          drop(inbound, cause);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reads a connection in state READ_AHEAD until its next message begins. */
  private void readAhead(InboundConnection inbound) {
    if (upcall != null) {
      serve(inbound);
      return;
    }
    Arrival arrival = await(inbound);
    lock.lock();
    try {
      if (hasArrived(inbound, arrival)) {
        inbound.state = InboundConnection.State.READY;
        ready.add(inbound);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void readAheadElsewhere(InboundConnection inbound) {
    inbound.state = InboundConnection.State.READ_AHEAD;
    ports.execute(() -> readAhead(inbound));
  }

  private void readAllAhead() {
    for (InboundConnection inbound : inbounds) {
      if (inbound.state == InboundConnection.State.FREE) {
        readAheadElsewhere(inbound);
      }
    }
  }

  /** A message, or the reason for the end of its connection. */
  private record Arrival(ChunkInput.@Nullable Next next, @Nullable IOException failure) {}

  /** Waits for a message; the lock is not held. */
  private static Arrival await(InboundConnection inbound) {
    Arrival arrival;
    do {
      arrival = next(inbound);
    } while (arrival.next == ChunkInput.Next.NUDGE);
    return arrival;
  }

  private static Arrival next(InboundConnection inbound) {
    try {
      return new Arrival(inbound.input().next(), null);
    } catch (IOException e) {
      return new Arrival(null, e);
    } catch (RuntimeException
        | Error e) { // otherwise the port would wait for this connection for ever
      return new Arrival(null, new IbisIOException("a message cannot be read: " + e, e));
    }
  }

  /** Returns whether a message has arrived; otherwise the connection has ended. */
  private boolean hasArrived(InboundConnection inbound, Arrival arrival) {
    if (inbound.state == InboundConnection.State.GONE) {
      return false;
    }
    if (arrival.next == ChunkInput.Next.MESSAGE) {
      return true;
    }
    if (arrival.failure != null) {
      drop(inbound, arrival.failure);
    } else {
      drop(inbound, inbound.departed ? null : vanished(inbound));
    }
    return false;
  }

  private static IOException vanished(InboundConnection inbound) {
    return new ConnectionClosedException(
        inbound.origin() + " disappeared without disconnecting; its program has probably ended");
  }

  /** Moves a receiving thread off its single connection once there are several. */
  private void wakeDirectReaders() {
    for (InboundConnection inbound : inbounds) {
      if (inbound.state == InboundConnection.State.READ_DIRECTLY) {
        ports.nudge(inbound);
      }
    }
  }

  /** Schedules a check for a connection that no thread reads. */
  private void watch(InboundConnection inbound) {
    if (!inbound.watched) {
      inbound.watched = true;
      lookLater(inbound);
    }
  }

  private void lookLater(InboundConnection inbound) {
    int turns = inbound.turns;
    ports.later(() -> look(inbound, turns), UNREAD_MILLIS);
  }

  private void look(InboundConnection inbound, int turns) {
    lock.lock();
    try {
      boolean isRead = inbound.state != InboundConnection.State.FREE || inbound.turns != turns;
      if (inbound.state != InboundConnection.State.GONE && isRead) {
        lookLater(inbound);
        return;
      }
      inbound.watched = false;
      if (inbound.state == InboundConnection.State.FREE) {
        readAheadElsewhere(inbound);
      }
    } finally {
      lock.unlock();
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
              + " gives its messages to an upcall, and nothing is left to receive; make another"
              + " port, without an upcall");
    }
    if (timeoutMillis < 0) {
      throw new IOException(
          "cannot wait " + timeoutMillis + " ms for a message; use 0 to wait for ever, or poll");
    }
    if (timeoutMillis == 0) {
      return Objects.requireNonNull(
          receiveWithin(Long.MAX_VALUE), "a wait without limit ends with a message");
    }
    require(PortType.RECEIVE_TIMEOUT, "to receive with a time-out");
    IncomingMessage message = receiveWithin(TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
    if (message == null) {
      throw new ReceiveTimedOutException(
          "no message came to " + this + " within " + timeoutMillis + " ms");
    }
    return message;
  }

  private void require(String capability, String what) {
    if (!type.hasCapability(capability)) {
      throw new IbisConfigurationException(
          what + " needs the capability '" + capability + "', which " + this + " has not");
    }
  }

  /** Returns a message; {@code null} if none arrived in time. */
  private @Nullable IncomingMessage receiveWithin(long nanos) throws IOException {
    boolean hasLimit = nanos != Long.MAX_VALUE;
    boolean readsDirectly = !hasLimit && !Thread.currentThread().isVirtual();
    long left = nanos;
    WaitNotice notice = null; // created only if the call blocks
    lock.lock();
    try {
      while (true) {
        checkOpen();
        if (alive == null) {
          InboundConnection next = ready.poll();
          if (next != null) {
            return deliver(next);
          }
          isPolled = false;
          InboundConnection only = readsDirectly ? onlyFree() : null;
          if (only != null) {
            if (readDirectly(only)) {
              return deliver(only);
            }
            continue;
          }
          readAllAhead();
        }
        if (hasLimit && left <= 0) {
          return null;
        }
        if (notice == null && isBlocked()) {
          notice = new WaitNotice(() -> "receive of " + this + " waits: " + obstacle());
        }
        if (hasLimit) {
          left = changed.awaitNanos(left);
        } else if (notice != null && isBlocked()) {
          notice.await(changed);
        } else {
          changed.await();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a message of " + this);
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether the program itself prevents any message from being received. */
  private boolean isBlocked() {
    return alive != null || inbounds.isEmpty() && asking.isEmpty() && !connectionsEnabled;
  }

  private String obstacle() {
    if (alive != null) {
      return "its message from "
          + alive.origin()
          + ", received by thread '"
          + alive.receiver().getName()
          + "', is not finished; call finish() on it";
    }
    return "it has no connection and accepts none; call enableConnections()";
  }

  private void checkOpen() throws ConnectionClosedException {
    if (phase == Phase.CLOSED) {
      throw new ConnectionClosedException(this + " is closed");
    }
  }

  private @Nullable InboundConnection onlyFree() {
    if (inbounds.size() != 1) {
      return null;
    }
    InboundConnection only = inbounds.iterator().next();
    return only.state == InboundConnection.State.FREE ? only : null;
  }

  /**
   * Waits on this thread, without the lock, for the next message; returns whether it can be
   * delivered.
   */
  private boolean readDirectly(InboundConnection only) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(); // an interrupted read would break the connection
    }
    only.state = InboundConnection.State.READ_DIRECTLY;
    lock.unlock();
    Arrival arrival;
    try {
      arrival = next(only);
    } finally {
      lock.lock();
    }
    if (arrival.next == ChunkInput.Next.NUDGE) {
      if (only.state != InboundConnection.State.GONE) {
        only.state = InboundConnection.State.FREE;
      }
      return false;
    }
    if (!hasArrived(only, arrival)) {
      return false;
    }
    only.state = InboundConnection.State.READY;
    if (alive != null) { // a message of another connection that has arrived meanwhile
      ready.add(only);
      return false;
    }
    return true;
  }

  private IncomingMessage deliver(InboundConnection from) {
    from.state = InboundConnection.State.DELIVERED;
    alive = new IncomingMessage(from);
    return alive;
  }

  @Override
  public @Nullable ReadMessage poll() throws IOException {
    require(PortType.RECEIVE_POLL, "to poll");
    boolean yields;
    lock.lock();
    try {
      checkOpen();
      if (upcall != null || alive != null) {
        return null;
      }
      isPolled = !Thread.currentThread().isVirtual(); // a virtual thread delegates its reads
      InboundConnection next = ready.poll();
      if (next == null && isPolled) {
        next = readWhatHasCome();
      } else if (next == null) {
        readAllAhead();
      }
      if (next != null) {
        return deliver(next);
      }
      yields = (++vainPolls & (VAIN_POLLS - 1)) == 0;
    } finally {
      lock.unlock();
    }
    if (yields) {
      Thread.yield(); // the sender may run on this processor
    }
    return null;
  }

  /** Polls the connections in turn; returns one with a new message, or {@code null}. */
  private @Nullable InboundConnection readWhatHasCome() {
    InboundConnection[] all = polled;
    for (int i = 0; i < all.length; i++) {
      InboundConnection inbound = all[(firstPolled + i) % all.length];
      if (inbound.state == InboundConnection.State.FREE) {
        inbound.turns++;
        Arrival arrival = tryNext(inbound);
        if (arrival != null && hasArrived(inbound, arrival)) {
          firstPolled =
              (firstPolled + i + 1) % all.length; // fairness: a busy sender must not hide others
          return inbound;
        }
      }
    }
    return null;
  }

  /** Polls one connection; returns {@code null} if no message has arrived. */
  private static @Nullable Arrival tryNext(InboundConnection inbound) {
    Arrival arrival = null;
    try {
      while (inbound.input().tryNext()) {
        arrival = next(inbound);
        if (arrival.next != ChunkInput.Next.NUDGE) {
          return arrival;
        }
      }
      return null;
    } catch (IOException e) {
      return new Arrival(null, e);
    }
  }

  /**
   * Ends the reading of a message.
   *
   * @param cause the reason to end the connection, or {@code null} to keep it
   * @return the number of bytes read
   */
  long finished(IncomingMessage message, InboundConnection from, @Nullable IOException cause) {
    long read = from.input().read();
    IOException failure = cause;
    if (failure == null) {
      try {
        from.input().finish();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (from.graphs() != null) {
      from.graphs().endMessage();
    }
    traffic.message(read, from.input().read());
    lock.lock();
    try {
      alive = null;
      from.turns++;
      if (failure != null) {
        drop(from, failure, cause != null);
      } else if (from.state != InboundConnection.State.GONE) {
        settle(message, from);
      }
      if (upcall != null) {
        turns.end();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return read;
  }

  /** Looks for the next message of a connection, or starts a thread that does. */
  private void settle(IncomingMessage message, InboundConnection from) {
    if (upcall != null) {
      from.state = InboundConnection.State.READ_AHEAD;
      if (message.isHandedOver()) {
        ports.execute(() -> serve(from));
      }
      return;
    }
    while (from.input().hasNext()) {
      Arrival arrival = next(from);
      if (arrival.next == ChunkInput.Next.NUDGE) {
        continue;
      }
      if (hasArrived(from, arrival)) {
        from.state = InboundConnection.State.READY;
        ready.add(from);
      }
      return;
    }
    if (inbounds.size() > 1 && !isPolled || from.departed || phase != Phase.OPEN) {
      readAheadElsewhere(from);
    } else {
      from.state = InboundConnection.State.FREE;
      watch(from);
    }
  }

  /**
   * Reads the messages of a connection and passes each to the upcall, until another thread takes
   * over.
   */
  private void serve(InboundConnection from) {
    IncomingMessage message;
    do {
      Arrival arrival = await(from);
      lock.lock();
      try {
        if (!hasArrived(from, arrival)) {
          return;
        }
        from.state = InboundConnection.State.READY;
        from.turn = turns.messageTurn();
        boolean granted = from.turn.await();
        from.turn = null;
        if (!granted) {
          return;
        }
        if (from.state == InboundConnection.State.GONE) {
          turns.end();
          return;
        }
        message = deliver(from);
      } finally {
        lock.unlock();
      }
      message.giveTo(Objects.requireNonNull(upcall, "a port with upcalls has a handler"));
    } while (!message.isHandedOver());
  }

  @Override
  public void enableConnections() {
    lock.lock();
    try {
      connectionsEnabled = true;
    } finally {
      lock.unlock();
    }
    ports.receivePortsChanged();
  }

  @Override
  public void disableConnections() {
    lock.lock();
    try {
      connectionsEnabled = false;
      var notice =
          new WaitNotice(
              () ->
                  "disableConnections of "
                      + this
                      + " waits for the upcall gotConnection, which has not returned");
      while (decider != null && decider != Thread.currentThread()) {
        notice.awaitUninterruptibly(changed);
      }
    } finally {
      lock.unlock();
    }
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
    lock.lock();
    try {
      turns.enableMessages(enabled);
    } finally {
      lock.unlock();
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
              + " it first");
    }
    boolean interrupted = false;
    lock.lock();
    try {
      if (phase != Phase.OPEN) {
        throw new ConnectionClosedException(this + " is closed already");
      }
      phase = Phase.CLOSING;
      if (timeoutMillis >= 0) {
        interrupted = !awaitSenders(timeoutMillis);
      }
    } finally {
      lock.unlock();
    }
    shut();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void shut() {
    lock.lock();
    try {
      phase = Phase.CLOSED;
      for (InboundConnection inbound : List.copyOf(inbounds)) {
        // The end of the link wakes a waiting receiver; it must not wait for the sender.
        boolean tellSender =
            !inbound.departed && inbound.state != InboundConnection.State.READ_DIRECTLY;
        drop(
            inbound,
            inbound.departed ? null : new ConnectionClosedException(this + " was closed"),
            tellSender);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    ports.remove(this);
  }

  /** Closes the port without waiting for its senders. */
  void end() {
    try {
      close(-1);
    } catch (IOException _) {
      shut(); // another thread is already waiting in close
    }
  }

  /**
   * Waits until all senders have disconnected, for ever if the time is 0; returns false if
   * interrupted.
   */
  private boolean awaitSenders(long timeoutMillis) {
    readAllAhead();
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
      while (phase != Phase.CLOSED && hasSenders() && (timeoutMillis == 0 || left > 0)) {
        if (notice.isPrinted() && isOwnMessageAllThatIsLeft()) {
          LOG.log(
              Level.WARNING,
              this
                  + " is closed under its unfinished message from "
                  + Objects.requireNonNull(alive, "its message is unfinished").origin()
                  + ": the thread that received it is the one that closes; call finish() before"
                  + " close()");
          return true;
        }
        if (timeoutMillis == 0) {
          notice.await(changed);
        } else {
          left = notice.awaitNanos(changed, left);
        }
      }
      if (phase != Phase.CLOSED && alive != null) {
        LOG.log(
            Level.WARNING,
            this + " is closed after " + timeoutMillis + " ms in spite of " + awaited());
      }
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  /** Returns whether closing waits for a message that only the closing thread can finish. */
  private boolean isOwnMessageAllThatIsLeft() {
    return books.isEmpty()
        && asking.isEmpty()
        && upcall == null
        && alive != null
        && alive.receiver() == Thread.currentThread();
  }

  /** Describes the obstacles to closing the port. */
  private String awaited() {
    var what = new ArrayList<String>();
    if (!books.isEmpty()) {
      what.add("connected senders (" + list(books.keySet()) + ")");
    }
    if (!asking.isEmpty()) {
      what.add("senders that gotConnection decides about (" + list(asking) + ")");
    }
    if (alive != null) {
      what.add("an unfinished message from " + alive.origin());
    } else if (books.isEmpty() && asking.isEmpty()) {
      what.add("upcalls for messages of senders that have gone");
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
    return !books.isEmpty()
        || !asking.isEmpty()
        || alive != null
        || turns.messagesEnabled() && upcall != null && !inbounds.isEmpty();
  }

  @Override
  public SendPortIdentifier[] connectedTo() {
    lock.lock();
    try {
      return books.keySet().toArray(SendPortIdentifier[]::new);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public SendPortIdentifier[] lostConnections() {
    return take(lost);
  }

  @Override
  public SendPortIdentifier[] newConnections() {
    return take(gained);
  }

  private SendPortIdentifier[] take(List<SendPortIdentifier> from) {
    require(PortType.CONNECTION_DOWNCALLS, "to ask for connections that came or went");
    lock.lock();
    try {
      SendPortIdentifier[] taken = from.toArray(SendPortIdentifier[]::new);
      from.clear();
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
