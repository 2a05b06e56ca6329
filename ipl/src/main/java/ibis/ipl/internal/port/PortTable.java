package ibis.ipl.internal.port;

import ibis.ipl.ConnectionClosedException;
import ibis.ipl.Ibis;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortDisconnectUpcall;
import ibis.ipl.internal.message.SerializationKind;
import java.io.IOException;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.troupe.links.port.Port;

/**
 * All ports of one instance, and the services on its link port that connect them.
 *
 * <p>{@code peerGone} may be called at any time after {@code open}, also for instances to which no
 * port was ever connected.
 */
public final class PortTable {

  private final Ibis self;
  private final ManagedCounters counters;
  private final Port links;
  private final GraphCoderFactory graphCoders = new GraphCoderFactory();
  private final PortThreads threads;
  private final ControlConnections controls;
  private final PortDirectory<LinkSendPort> sendPorts;
  private final PortDirectory<LinkReceivePort> receivePorts;
  private final ConnectionNumbers<InboundConnection> inbounds = new ConnectionNumbers<>();
  private final ConnectionNumbers<LinkSendPort.Sender> outbounds = new ConnectionNumbers<>();
  private final ConnectionService service;

  /** Creates the table of an instance; its threads use the caller's context class loader. */
  public PortTable(Ibis self, ManagedCounters counters, Port links) {
    this.self = self;
    this.counters = counters;
    this.links = links;
    threads = new PortThreads("ibis-" + links.address().port() + "-");
    controls = new ControlConnections(threads, links);
    sendPorts = new PortDirectory<>(self, "send port");
    receivePorts = new PortDirectory<>(self, "receive port");
    service = new ConnectionService(self, links, threads, receivePorts, inbounds, outbounds);
  }

  /** Starts accepting connections; called before the instance has joined its pool. */
  public void open() {
    service.open();
  }

  /**
   * Creates a send port. The caller has checked the type and that the instance has not ended.
   *
   * @param name the port's name, or {@code null} to invent one
   * @param properties those of the port, with those of the instance as defaults
   */
  public SendPort createSendPort(
      PortType type,
      @Nullable String name,
      @Nullable SendPortDisconnectUpcall upcall,
      Properties properties)
      throws IOException {
    checkType(type);
    if (upcall != null) {
      checkConnectionUpcalls(type);
    }
    SerializationKind kind = SerializationKind.of(type, properties);
    var identifier =
        new SendPortName(name != null ? name : sendPorts.unusedName(), self.identifier());
    var port =
        new LinkSendPort(
            identifier,
            type,
            kind,
            graphCoders.encoder(kind, properties),
            upcall,
            properties,
            self,
            counters,
            links,
            threads,
            controls,
            sendPorts,
            outbounds);
    sendPorts.add(identifier.name(), port);
    return port;
  }

  /**
   * Creates a receive port. The caller has checked the type and that the instance has not ended.
   *
   * @param name the port's name, or {@code null} to invent one
   * @param properties those of the port, with those of the instance as defaults
   */
  public ReceivePort createReceivePort(
      PortType type,
      @Nullable String name,
      @Nullable MessageUpcall messageUpcall,
      @Nullable ReceivePortConnectUpcall connectUpcall,
      Properties properties)
      throws IOException {
    checkType(type);
    if (connectUpcall != null) {
      checkConnectionUpcalls(type);
    }
    if (messageUpcall == null) {
      require(type, PortType.RECEIVE_EXPLICIT, "a receive port without a message upcall");
    } else if (!type.hasCapability(PortType.RECEIVE_AUTO_UPCALLS)) {
      require(type, PortType.RECEIVE_POLL_UPCALLS, "a receive port with a message upcall");
    }
    var identifier =
        new ReceivePortName(name != null ? name : receivePorts.unusedName(), self.identifier());
    var port =
        new LinkReceivePort(
            identifier,
            type,
            SerializationKind.of(type, properties),
            graphCoders,
            messageUpcall,
            connectUpcall,
            counters,
            threads,
            controls,
            receivePorts,
            inbounds);
    receivePorts.add(identifier.name(), port);
    return port;
  }

  private static void checkConnectionUpcalls(PortType type) {
    require(type, PortType.CONNECTION_UPCALLS, "a port with an upcall for its connections");
  }

  private static void require(PortType type, String capability, String what) {
    if (!type.hasCapability(capability)) {
      throw new IbisConfigurationException(
          what + " needs the capability '" + capability + "', which its type has not: " + type);
    }
  }

  private static void checkType(PortType type) {
    if (!type.hasCapability(PortType.CONNECTION_ULTRALIGHT)) {
      return;
    }
    for (String promise :
        List.of(
            PortType.CONNECTION_UPCALLS,
            PortType.COMMUNICATION_RELIABLE,
            PortType.COMMUNICATION_FIFO)) {
      if (type.hasCapability(promise)) {
        throw new IbisConfigurationException(
            "a port type cannot have both '"
                + PortType.CONNECTION_ULTRALIGHT
                + "', which promises nothing, and '"
                + promise
                + "'; leave one out");
      }
    }
  }

  /** Has no effect, as the threads of the instance do all work without being polled. */
  public void poll() throws IOException {}

  /**
   * Closes all send ports, then all receive ports concurrently; no port can be created afterwards.
   */
  public void end() {
    sendPorts.end();
    receivePorts.end();
    controls.endSoon();
    sendPorts.all().forEach(LinkSendPort::end);
    receivePorts.all().forEach(LinkReceivePort::end);
    controls.close();
    threads.end();
  }

  /** Closes all connections with an instance that has left or died; must not block. */
  public void peerGone(IbisIdentifier peer, boolean died) {
    String reason = died ? "its instance has died" : "its instance has left the pool";
    controls.peerGone(peer, reason);
    sendPorts.all().forEach(port -> port.peerGone(peer, reason));
    receivePorts
        .all()
        .forEach(
            port ->
                port.peerGone(peer, new ConnectionClosedException(peer + " is gone: " + reason)));
  }
}
