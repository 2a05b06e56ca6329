package ibis.ipl.internal;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.MessageUpcall;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortDisconnectUpcall;
import java.io.IOException;
import java.util.Properties;
import org.troupe.links.Port;

/**
 * All ports of one instance, and the service behind its port that connects them.
 *
 * <p>Counts into {@link IbisImplementation#counter}; {@code peerGone} may come at any time after
 * {@code open}, also for instances that no port was ever connected to.
 */
final class Ports {

  Ports(IbisImplementation self, Port links) {}

  /** Begins to accept; called before the instance has joined its pool. */
  void open() {}

  /**
   * Makes a send port. The type was announced, and the instance has not ended.
   *
   * @param properties those of the instance with those of the port over them
   */
  SendPort createSendPort(
      PortType type, String name, SendPortDisconnectUpcall upcall, Properties properties)
      throws IOException {
    throw new IOException("there are no send ports yet");
  }

  /**
   * Makes a receive port. The type was announced, and the instance has not ended.
   *
   * @param properties those of the instance with those of the port over them
   */
  ReceivePort createReceivePort(
      PortType type,
      String name,
      MessageUpcall messageUpcall,
      ReceivePortConnectUpcall connectUpcall,
      Properties properties)
      throws IOException {
    throw new IOException("there are no receive ports yet");
  }

  /** Lets pending work be done. */
  void poll() throws IOException {}

  /** Closes all send ports, then all receive ports at once; afterwards none can be made. */
  void end() {}

  /** Cuts all connections with an instance that has left or died; must not wait for anybody. */
  void peerGone(IbisIdentifier peer, boolean died) {}
}
