package ibis.ipl.internal.port;

import ibis.ipl.internal.base.WaitNotice;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.jspecify.annotations.Nullable;

/** The calls receive and poll of one receive port. */
final class ExplicitReceive {

  /*
   * See InboundReader for the threads that read connections. A blocking receive without a time limit
   * reads the only connection directly. A polling thread reads the arrived bytes of all connections,
   * starting behind the one that had the last message, so that a busy sender does not starve others.
   */

  /** The number of unsuccessful polls, a power of two, after which the thread yields. */
  private static final int POLLS_PER_YIELD = 8;

  private final LinkReceivePort port;
  private final ReceivePortState state;
  private final SenderTable senders;
  private final InboundReader reader;
  private final ConnectionAdmission admission;

  // guarded by the port's lock:
  private int firstPolled;
  private int unsuccessfulPolls;

  ExplicitReceive(
      LinkReceivePort port,
      ReceivePortState state,
      SenderTable senders,
      InboundReader reader,
      ConnectionAdmission admission) {
    this.port = port;
    this.state = state;
    this.senders = senders;
    this.reader = reader;
    this.admission = admission;
  }

  /**
   * Waits for a message.
   *
   * @param nanos the time limit; {@link Long#MAX_VALUE} for none
   * @return the message; {@code null} if none arrived in time
   */
  @Nullable IncomingMessage receive(long nanos) throws IOException {
    boolean hasLimit = nanos != Long.MAX_VALUE;
    boolean readsDirectly = !hasLimit && !Thread.currentThread().isVirtual();
    long left = nanos;
    WaitNotice notice = null; // created only if the call blocks
    state.lock.lock();
    try {
      while (true) {
        state.checkNotClosed();
        if (reader.current() == null) {
          InboundConnection next = reader.takeReady();
          if (next != null) {
            return reader.deliver(next);
          }
          reader.setPolling(false);
          InboundConnection only = readsDirectly ? onlyFree() : null;
          if (only != null) {
            if (readDirectly(only)) {
              return reader.deliver(only);
            }
            continue;
          }
          reader.readAllAhead();
        }
        if (hasLimit && left <= 0) {
          return null;
        }
        if (notice == null && isBlocked()) {
          notice = new WaitNotice(() -> "receive of " + port + " waits: " + obstacle());
        }
        if (hasLimit) {
          left = state.changed.awaitNanos(left);
        } else if (notice != null && isBlocked()) {
          notice.await(state.changed);
        } else {
          state.changed.await();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for a message of " + port);
    } finally {
      state.lock.unlock();
    }
  }

  /** Returns whether the program itself prevents any message from being received. */
  private boolean isBlocked() {
    return reader.current() != null
        || senders.connections().isEmpty()
            && admission.undecided().isEmpty()
            && !admission.isEnabled();
  }

  private String obstacle() {
    IncomingMessage current = reader.current();
    if (current != null) {
      return "its message from "
          + current.origin()
          + ", received by thread '"
          + current.receiver().getName()
          + "', is not finished; call finish() on it";
    }
    return "it has no connection and accepts none; call enableConnections()";
  }

  private @Nullable InboundConnection onlyFree() {
    if (senders.connections().size() != 1) {
      return null;
    }
    InboundConnection only = senders.connections().iterator().next();
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
    state.lock.unlock();
    InboundReader.Arrival arrival;
    try {
      arrival = InboundReader.next(only);
    } finally {
      state.lock.lock();
    }
    if (arrival.isNudge()) {
      if (only.state != InboundConnection.State.GONE) {
        only.state = InboundConnection.State.FREE;
      }
      return false;
    }
    if (!reader.hasArrived(only, arrival)) {
      return false;
    }
    if (reader.current() != null) { // a message of another connection that has arrived meanwhile
      reader.addReady(only);
      return false;
    }
    only.state = InboundConnection.State.READY;
    return true;
  }

  /** Returns a message that has arrived, or {@code null}; does not wait for one. */
  @Nullable IncomingMessage poll() throws IOException {
    boolean yields;
    state.lock.lock();
    try {
      state.checkNotClosed();
      if (reader.current() != null) {
        return null;
      }
      boolean readsItself = !Thread.currentThread().isVirtual(); // its reads would be delegated
      reader.setPolling(readsItself);
      InboundConnection next = reader.takeReady();
      if (next == null && readsItself) {
        next = pollConnections();
      } else if (next == null) {
        reader.readAllAhead();
      }
      if (next != null) {
        return reader.deliver(next);
      }
      yields = (++unsuccessfulPolls & (POLLS_PER_YIELD - 1)) == 0;
    } finally {
      state.lock.unlock();
    }
    if (yields) {
      Thread.yield(); // the sender may run on this processor
    }
    return null;
  }

  /** Polls the connections in turn; returns one with a new message, or {@code null}. */
  private @Nullable InboundConnection pollConnections() {
    InboundConnection[] all = senders.snapshot();
    for (int i = 0; i < all.length; i++) {
      InboundConnection inbound = all[(firstPolled + i) % all.length];
      if (inbound.state == InboundConnection.State.FREE) {
        inbound.reads++;
        InboundReader.Arrival arrival = tryNext(inbound);
        if (arrival != null && reader.hasArrived(inbound, arrival)) {
          firstPolled =
              (firstPolled + i + 1) % all.length; // fairness: a busy sender must not hide others
          return inbound;
        }
      }
    }
    return null;
  }

  /** Polls one connection; returns {@code null} if no message has arrived. */
  private static InboundReader.@Nullable Arrival tryNext(InboundConnection inbound) {
    try {
      while (inbound.input().tryNext()) {
        InboundReader.Arrival arrival = InboundReader.next(inbound);
        if (!arrival.isNudge()) {
          return arrival;
        }
      }
      return null;
    } catch (IOException e) {
      return new InboundReader.Arrival(null, e);
    }
  }
}
