package ibis.ipl.internal.port;

import ibis.ipl.PortType;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPortIdentifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The senders of one receive port and their connections. Guarded by the port's lock. */
final class SenderTable {

  /*
   * Two views. The program sees the connected senders: a disconnecting sender is removed from them, and
   * listed as lost, before its disconnect returns. The readers see the connections: that of a
   * disconnected sender remains until its last message has been read, and the upcall about the loss
   * follows that message.
   */

  private final boolean keepsChanges;
  private final @Nullable ReceivePortConnectUpcall upcall;
  private final UpcallOrder upcalls;
  private final PortCounters traffic;
  private final ConnectionNumbers<InboundConnection> numbers;
  private final ControlConnections controls;

  private final Map<SendPortIdentifier, InboundConnection> connected = new LinkedHashMap<>();
  private final Map<SendPortIdentifier, InboundConnection> connectedView =
      Collections.unmodifiableMap(connected);
  private final Set<InboundConnection> connections = new LinkedHashSet<>(); // the oldest first
  private final Set<InboundConnection> connectionsView = Collections.unmodifiableSet(connections);
  private InboundConnection[] snapshot = {};
  private final List<SendPortIdentifier> gained = new ArrayList<>();
  private final List<SendPortIdentifier> lost = new ArrayList<>();

  SenderTable(
      PortType type,
      @Nullable ReceivePortConnectUpcall upcall,
      UpcallOrder upcalls,
      PortCounters traffic,
      ConnectionNumbers<InboundConnection> numbers,
      ControlConnections controls) {
    this.keepsChanges = type.hasCapability(PortType.CONNECTION_DOWNCALLS);
    this.upcall = upcall;
    this.upcalls = upcalls;
    this.traffic = traffic;
    this.numbers = numbers;
    this.controls = controls;
  }

  /** Returns the connected senders with their connections. */
  Map<SendPortIdentifier, InboundConnection> connected() {
    return connectedView;
  }

  /**
   * Returns the connections to be read, the oldest first, with those of disconnected senders whose
   * messages have not all been read.
   */
  Collection<InboundConnection> connections() {
    return connectionsView;
  }

  /** Returns the connections to be read; the array is replaced, not changed, when they change. */
  InboundConnection[] snapshot() {
    return snapshot;
  }

  /** Adds the connection of an accepted sender. */
  void add(InboundConnection inbound) {
    connected.put(inbound.origin(), inbound);
    connections.add(inbound);
    snapshot = connections.toArray(InboundConnection[]::new);
    numbers.put(inbound.number(), inbound);
    traffic.connected();
    if (keepsChanges) {
      gained.add(inbound.origin());
    }
  }

  /** Removes a sender that disconnects; its connection remains to be read. */
  void disconnect(InboundConnection inbound) {
    inbound.disconnected = true;
    connected.remove(inbound.origin(), inbound);
    listLost(inbound);
  }

  /**
   * Removes a connection, closes its link and reports the loss.
   *
   * @param cause the failure; {@code null} if the sender has disconnected
   * @param informSender whether to send the cause to the sender before the link is closed
   */
  void remove(InboundConnection inbound, @Nullable Throwable cause, boolean informSender) {
    inbound.state = InboundConnection.State.GONE;
    connections.remove(inbound);
    snapshot = connections.toArray(InboundConnection[]::new);
    connected.remove(inbound.origin(), inbound);
    numbers.remove(inbound.number());
    if (informSender && cause != null) {
      controls.reportBroken(inbound.origin(), inbound.peerNumber(), cause, inbound::close);
    } else {
      inbound.close();
    }
    if (inbound.turn != null) {
      inbound.turn.cancel();
    }
    reportLoss(inbound, cause);
  }

  /** Counts and reports a loss to the program, once for each connection. */
  void reportLoss(InboundConnection inbound, @Nullable Throwable cause) {
    if (inbound.reported) {
      return;
    }
    inbound.reported = true;
    if (cause == null) {
      traffic.closed();
    } else {
      traffic.lost();
    }
    listLost(inbound);
    if (upcall != null) {
      upcalls.enqueue(() -> upcall.lostConnection(inbound.port(), inbound.origin(), cause));
    }
  }

  private void listLost(InboundConnection inbound) {
    if (!inbound.listed && keepsChanges) {
      inbound.listed = true;
      lost.add(inbound.origin());
    }
  }

  /** Returns the senders accepted since the previous call. */
  SendPortIdentifier[] takeGained() {
    return take(gained);
  }

  /** Returns the senders lost since the previous call. */
  SendPortIdentifier[] takeLost() {
    return take(lost);
  }

  private static SendPortIdentifier[] take(List<SendPortIdentifier> from) {
    SendPortIdentifier[] taken = from.toArray(SendPortIdentifier[]::new);
    from.clear();
    return taken;
  }
}
