package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPortDisconnectUpcall;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The receivers of one send port and the connections that it lost. */
final class ReceiverTable {

  /*
   * Losses. A loss during a write is a failure of the message: it ends the message at once if the port
   * has one receiver, and is reported by its finish otherwise. A loss between messages remains unreported
   * until a message, an upcall or a downcall reports it.
   *
   * Lock. All state is guarded by the port's lock, which is held by the callers of the methods that do
   * not say otherwise.
   */

  private static final System.Logger LOG = System.getLogger(ReceiverTable.class.getPackageName());

  private final LinkSendPort port;
  private final ReentrantLock lock;
  private final boolean hasOneReceiver;
  private final boolean keepsChanges;
  private final @Nullable SendPortDisconnectUpcall upcall;
  private final UpcallOrder upcalls;
  private final PortCounters traffic;
  private final ConnectionNumbers<LinkSendPort.Sender> numbers;
  private final ReceiverSet destination = new ReceiverSet(this::lose);

  private final Map<ReceivePortIdentifier, OutboundConnection> connections = new LinkedHashMap<>();
  private final List<ReceivePortIdentifier> lost = new ArrayList<>();

  /** Connections lost between messages, until the loss is reported. */
  private final Map<OutboundConnection, IOException> unreported = new LinkedHashMap<>();

  ReceiverTable(
      LinkSendPort port,
      ReentrantLock lock,
      PortType type,
      @Nullable SendPortDisconnectUpcall upcall,
      UpcallOrder upcalls,
      PortCounters traffic,
      ConnectionNumbers<LinkSendPort.Sender> numbers) {
    this.port = port;
    this.lock = lock;
    this.hasOneReceiver =
        type.hasCapability(PortType.CONNECTION_ONE_TO_ONE)
            || type.hasCapability(PortType.CONNECTION_MANY_TO_ONE);
    this.keepsChanges = type.hasCapability(PortType.CONNECTION_DOWNCALLS);
    this.upcall = upcall;
    this.upcalls = upcalls;
    this.traffic = traffic;
    this.numbers = numbers;
  }

  /** Returns whether the port's type allows one receiver only. Needs no lock. */
  boolean hasOneReceiver() {
    return hasOneReceiver;
  }

  /** Returns the receivers as one destination of messages. Needs no lock. */
  ReceiverSet destination() {
    return destination;
  }

  boolean isEmpty() {
    return connections.isEmpty();
  }

  boolean contains(ReceivePortIdentifier receiver) {
    return connections.containsKey(receiver);
  }

  /** Returns the connected receivers, in the order of their connection. */
  ReceivePortIdentifier[] identifiers() {
    return connections.keySet().toArray(ReceivePortIdentifier[]::new);
  }

  void add(OutboundConnection outbound) {
    connections.put(outbound.receiver(), outbound);
    unreported
        .keySet()
        .removeIf(each -> hasOneReceiver || each.receiver().equals(outbound.receiver()));
    destination.set(connections.values());
    numbers.put(outbound.number(), new LinkSendPort.Sender(port, outbound));
    traffic.connected();
  }

  /** Removes a receiver; returns its connection, or {@code null} if it is not connected. */
  @Nullable OutboundConnection remove(ReceivePortIdentifier receiver) {
    OutboundConnection outbound = connections.remove(receiver);
    destination.set(connections.values());
    return outbound;
  }

  /** Removes all receivers; returns their connections. */
  List<OutboundConnection> removeAll() {
    List<OutboundConnection> all = List.copyOf(connections.values());
    connections.clear();
    destination.set(connections.values());
    return all;
  }

  /**
   * Drops a receiver after a failed write, without the lock; throws if no receiver remains for the
   * message.
   */
  private void lose(OutboundConnection outbound, IOException cause) throws IOException {
    IOException failure;
    lock.lock();
    try {
      IOException known = unreported.remove(outbound);
      failure = known != null ? known : lost(outbound, cause.toString(), cause);
      drop(outbound, failure);
    } finally {
      lock.unlock();
    }
    if (hasOneReceiver) {
      throw failure;
    }
    destination.addFailure(failure);
  }

  private IOException lost(OutboundConnection outbound, String reason, @Nullable Throwable cause) {
    String text =
        "the connection of " + port + " to " + outbound.receiver() + " is lost: " + reason;
    return cause == null
        ? new ConnectionClosedException(text)
        : new ConnectionClosedException(text, cause);
  }

  /** Drops a connection that its receiver has abandoned, without the lock. */
  void broken(OutboundConnection outbound, String reason) {
    String text = outbound.receiver() + " closed its connection with " + port + ": " + reason;
    LOG.log(Level.WARNING, text);
    lock.lock();
    try {
      dropUnreported(outbound, new ConnectionClosedException(text));
    } finally {
      lock.unlock();
    }
  }

  /** Drops all connections to an instance. */
  void dropAll(IbisIdentifier instance, String reason) {
    for (OutboundConnection outbound : List.copyOf(connections.values())) {
      if (outbound.receiver().ibisIdentifier().equals(instance)) {
        dropUnreported(outbound, lost(outbound, reason, null));
      }
    }
  }

  /** Drops a connection outside of a write. */
  private void dropUnreported(OutboundConnection outbound, IOException cause) {
    if (drop(outbound, cause)) {
      unreported.put(outbound, cause);
    }
  }

  /** Ends a connection after a failure; returns false if it had ended before. */
  private boolean drop(OutboundConnection outbound, Throwable cause) {
    if (!connections.remove(outbound.receiver(), outbound)) {
      return false;
    }
    destination.set(connections.values());
    numbers.remove(outbound.number());
    outbound.link().close();
    traffic.lost();
    if (keepsChanges) {
      lost.add(outbound.receiver());
    }
    if (upcall != null) {
      upcalls.enqueue(() -> upcall.lostConnection(port, outbound.receiver(), cause));
    }
    return true;
  }

  /** Adds the unreported losses to the failures of the current message. */
  void addUnreportedFailures() {
    unreported.values().forEach(destination::addFailure);
    unreported.clear();
  }

  /** Forgets the unreported losses. */
  void clearUnreported() {
    unreported.clear();
  }

  /** Returns the receivers lost since the previous call; their losses are reported thereby. */
  ReceivePortIdentifier[] takeLost() {
    ReceivePortIdentifier[] taken = lost.toArray(ReceivePortIdentifier[]::new);
    lost.clear();
    unreported.clear();
    return taken;
  }
}
