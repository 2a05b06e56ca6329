package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.IbisIOException;
import ibis.ipl.MessageUpcall;
import ibis.ipl.internal.message.ChunkInput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Reads the connections of one receive port up to the beginnings of their messages. */
final class InboundReader {

  /*
   * Reader of a connection. If a port has one connection, the thread in receive reads it directly,
   * because handing a message to another thread costs as much as the network. If it has several, a
   * dedicated thread reads each idle connection until its next message begins; this also holds for
   * connections of a port with upcalls, and for those awaited with a time limit. A polling thread reads
   * the arrived bytes of all connections itself, as dedicated threads would compete with its loop for a
   * processor. The body of a message is always read by the thread that processes the message. A sender
   * is thus throttled only by its own unread message, and memory is bounded by one buffer for each
   * connection. InboundConnection.State has the states of a connection; ExplicitReceive has the threads
   * that receive and poll.
   *
   * Order. A new connection of a sender is held until the former one has been read to its end.
   *
   * Detection of breaks. A connection that only receiving threads read could break unnoticed while the
   * program does not receive. After an idle period a dedicated thread takes it over.
   *
   * Lock. All state, including that of the connections, is guarded by the port's lock. The methods that
   * do not say otherwise are called with the lock held.
   */

  /** How long a connection may be idle and unread before a dedicated thread takes it over. */
  private static final long UNREAD_MILLIS = 100;

  /** The next input of a connection, or the failure to read it. */
  record Arrival(ChunkInput.@Nullable Next next, @Nullable IOException failure) {

    boolean isNudge() {
      return next == ChunkInput.Next.NUDGE;
    }
  }

  private final ReceivePortState state;
  private final SenderTable senders;
  private final @Nullable MessageUpcall upcall;
  private final UpcallOrder upcalls;
  private final PortCounters traffic;
  private final PortThreads threads;
  private final ControlConnections controls;

  private final Queue<InboundConnection> ready = new ArrayDeque<>();
  private @Nullable IncomingMessage current;
  private boolean isPolling;

  InboundReader(
      ReceivePortState state,
      SenderTable senders,
      @Nullable MessageUpcall upcall,
      UpcallOrder upcalls,
      PortCounters traffic,
      PortThreads threads,
      ControlConnections controls) {
    this.state = state;
    this.senders = senders;
    this.upcall = upcall;
    this.upcalls = upcalls;
    this.traffic = traffic;
    this.threads = threads;
    this.controls = controls;
  }

  /** Returns the message that the program reads, or {@code null}. */
  @Nullable IncomingMessage current() {
    return current;
  }

  /** Records whether the program polls, so that idle connections remain to the polling thread. */
  void setPolling(boolean isPolling) {
    this.isPolling = isPolling;
  }

  /** Removes and returns a connection whose message has arrived, or {@code null}. */
  @Nullable InboundConnection takeReady() {
    return ready.poll();
  }

  /** Enqueues a connection whose message has arrived. */
  void addReady(InboundConnection inbound) {
    inbound.state = InboundConnection.State.READY;
    ready.add(inbound);
  }

  /** Makes the message of a connection the current one. */
  IncomingMessage deliver(InboundConnection from) {
    from.state = InboundConnection.State.DELIVERED;
    current = new IncomingMessage(from);
    return current;
  }

  /**
   * Starts a connection whose sender has been informed; the calling thread, without the lock, reads
   * ahead if necessary.
   */
  void begin(InboundConnection inbound) {
    state.lock.lock();
    try {
      inbound.begun = true;
      state.changed.signalAll();
      if (senders.connections().size() > 1) {
        wakeDirectReaders();
      }
      if (!release(inbound) || inbound.state != InboundConnection.State.READ_AHEAD) {
        return;
      }
    } finally {
      state.lock.unlock();
    }
    readAhead(inbound);
  }

  /**
   * Makes a held connection readable, unless a former one of its sender has not been read to its
   * end.
   *
   * @return whether it has become readable; the caller then reads ahead if necessary
   */
  private boolean release(InboundConnection inbound) {
    if (inbound.state != InboundConnection.State.HELD || !inbound.begun) {
      return false;
    }
    for (InboundConnection older : senders.connections()) {
      if (older == inbound) {
        break;
      }
      if (older.origin().equals(inbound.origin())) {
        return false;
      }
    }
    if (upcall == null && (senders.connections().size() == 1 || isPolling)) {
      inbound.state = InboundConnection.State.FREE;
      watch(inbound);
      state.changed.signalAll();
    } else {
      inbound.state = InboundConnection.State.READ_AHEAD;
    }
    return true;
  }

  /** Ends a connection as {@link SenderTable#remove}, unless it has ended before. */
  void drop(InboundConnection inbound, @Nullable Throwable cause, boolean informSender) {
    if (inbound.state == InboundConnection.State.GONE) {
      return;
    }
    ready.remove(inbound);
    senders.remove(inbound, cause, informSender);
    for (InboundConnection next : senders.connections()) {
      if (release(next) && next.state == InboundConnection.State.READ_AHEAD) {
        readAheadElsewhere(next);
      }
    }
    state.changed.signalAll();
  }

  /** Reads all idle connections on dedicated threads. */
  void readAllAhead() {
    for (InboundConnection inbound : senders.connections()) {
      if (inbound.state == InboundConnection.State.FREE) {
        readAheadElsewhere(inbound);
      }
    }
  }

  /** Reads a connection on a dedicated thread. */
  void readAheadElsewhere(InboundConnection inbound) {
    inbound.state = InboundConnection.State.READ_AHEAD;
    threads.execute(() -> readAhead(inbound));
  }

  /** Reads a connection in state READ_AHEAD until its next message begins; without the lock. */
  private void readAhead(InboundConnection inbound) {
    if (upcall != null) {
      runUpcalls(inbound, upcall);
      return;
    }
    Arrival arrival = await(inbound);
    state.lock.lock();
    try {
      if (hasArrived(inbound, arrival)) {
        addReady(inbound);
        state.changed.signalAll();
      }
    } finally {
      state.lock.unlock();
    }
  }

  /** Waits for a message, without the lock. */
  private static Arrival await(InboundConnection inbound) {
    Arrival arrival;
    do {
      arrival = next(inbound);
    } while (arrival.isNudge());
    return arrival;
  }

  /** Waits for the next input of a connection, without the lock. */
  static Arrival next(InboundConnection inbound) {
    try {
      return new Arrival(inbound.input().next(), null);
    } catch (IOException e) {
      return new Arrival(null, e);
    } catch (RuntimeException
        | Error e) { // otherwise the port would wait for this connection for ever
      return new Arrival(null, new IbisIOException("a message cannot be read: " + e, e));
    }
  }

  /** Returns whether a message has arrived; ends the connection otherwise. */
  boolean hasArrived(InboundConnection inbound, Arrival arrival) {
    if (inbound.state == InboundConnection.State.GONE) {
      return false;
    }
    if (arrival.next == ChunkInput.Next.MESSAGE) {
      return true;
    }
    if (arrival.failure != null) {
      drop(inbound, arrival.failure, false);
    } else {
      drop(inbound, inbound.disconnected ? null : vanished(inbound), false);
    }
    return false;
  }

  private static IOException vanished(InboundConnection inbound) {
    return new ConnectionClosedException(
        inbound.origin() + " disappeared without disconnecting; its program has probably ended");
  }

  /** Moves a receiving thread off its single connection once there are several. */
  private void wakeDirectReaders() {
    for (InboundConnection inbound : senders.connections()) {
      if (inbound.state == InboundConnection.State.READ_DIRECTLY) {
        controls.nudge(inbound.origin(), inbound.peerNumber());
      }
    }
  }

  /** Schedules a check for a connection that no thread reads. */
  private void watch(InboundConnection inbound) {
    if (!inbound.watched) {
      inbound.watched = true;
      scheduleCheck(inbound);
    }
  }

  private void scheduleCheck(InboundConnection inbound) {
    int reads = inbound.reads;
    threads.schedule(() -> checkRead(inbound, reads), UNREAD_MILLIS);
  }

  private void checkRead(InboundConnection inbound, int reads) {
    state.lock.lock();
    try {
      boolean isRead = inbound.state != InboundConnection.State.FREE || inbound.reads != reads;
      if (inbound.state != InboundConnection.State.GONE && isRead) {
        scheduleCheck(inbound);
        return;
      }
      inbound.watched = false;
      if (inbound.state == InboundConnection.State.FREE) {
        readAheadElsewhere(inbound);
      }
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Ends the reading of a message; called without the lock.
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
    state.lock.lock();
    try {
      current = null;
      from.reads++;
      if (failure != null) {
        drop(from, failure, cause != null);
      } else if (from.state != InboundConnection.State.GONE) {
        awaitNext(message, from);
      }
      if (upcall != null) {
        upcalls.end();
      }
      state.changed.signalAll();
    } finally {
      state.lock.unlock();
    }
    return read;
  }

  /** Takes the next message of a connection from its buffer, or determines its next reader. */
  private void awaitNext(IncomingMessage message, InboundConnection from) {
    MessageUpcall handler = upcall;
    if (handler != null) {
      from.state = InboundConnection.State.READ_AHEAD;
      if (message.isHandedOver()) {
        threads.execute(() -> runUpcalls(from, handler));
      }
      return;
    }
    while (from.input().hasNext()) {
      Arrival arrival = next(from);
      if (arrival.isNudge()) {
        continue;
      }
      if (hasArrived(from, arrival)) {
        addReady(from);
      }
      return;
    }
    if (senders.connections().size() > 1 && !isPolling || from.disconnected || !state.isOpen()) {
      readAheadElsewhere(from);
    } else {
      from.state = InboundConnection.State.FREE;
      watch(from);
    }
  }

  /**
   * Reads the messages of a connection, without the lock, and passes each to the upcall, until
   * another thread takes over because the upcall finished its message before it returned.
   */
  private void runUpcalls(InboundConnection from, MessageUpcall handler) {
    IncomingMessage message;
    do {
      Arrival arrival = await(from);
      state.lock.lock();
      try {
        if (!hasArrived(from, arrival)) {
          return;
        }
        from.state = InboundConnection.State.READY;
        from.turn = upcalls.messageTurn();
        boolean granted = from.turn.await();
        from.turn = null;
        if (!granted) {
          return;
        }
        if (from.state == InboundConnection.State.GONE) {
          upcalls.end();
          return;
        }
        message = deliver(from);
      } finally {
        state.lock.unlock();
      }
      message.runUpcall(handler);
    } while (!message.isHandedOver());
  }
}
