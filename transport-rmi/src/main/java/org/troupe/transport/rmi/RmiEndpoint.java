package org.troupe.transport.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.activeobjects.transport.Transport.Listening;
import org.troupe.activeobjects.transport.Transport.Receiver;
import org.troupe.links.Address;
import org.troupe.links.Secret;
import org.troupe.links.port.Port;
import org.troupe.links.port.PortOptions;

/**
 * An endpoint with two services on one port: one sends the server's reference, one accepts RMI
 * calls.
 */
final class RmiEndpoint implements Endpoint {

  static final String CALLS = "rmi";
  private static final String REFERENCE = "rmi-reference";
  private static final int LARGEST_REFERENCE = 64 * 1024;
  private static final System.Logger LOG = System.getLogger("org.troupe.transport.rmi");

  private final Port port;
  private final FrameServer server;

  private RmiEndpoint(Port port, Receiver receiver) throws IOException {
    this.port = port;
    this.server =
        new FrameServer(port.address().port(), _ -> new ServiceSocket(port, CALLS), receiver);
  }

  static RmiEndpoint open(EndpointOptions options, Receiver receiver) throws IOException {
    var port = Port.open(Secret.parse(options.secret()), portOptions(options.listening()));
    RmiEndpoint endpoint = null;
    try {
      endpoint = new RmiEndpoint(port, receiver);
      endpoint.listen();
      return endpoint;
    } catch (IOException | RuntimeException e) {
      if (endpoint != null) {
        endpoint.server.close();
      }
      port.close();
      throw e;
    }
  }

  private static PortOptions portOptions(Listening listening) {
    return new PortOptions(
        new InetSocketAddress(listening.host(), listening.port()),
        listening.networks(),
        listening.isRelay(),
        Optional.of(listening.relay()).filter(text -> !text.isEmpty()).map(Address::parse),
        listening.trusted());
  }

  private void listen() throws IOException {
    server.export();
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(server.reference());
    }
    port.serveSockets(REFERENCE, socket -> sendReference(bytes.toByteArray(), socket));
  }

  private static void sendReference(byte[] reference, Socket socket) {
    try (socket) {
      socket.getOutputStream().write(reference);
    } catch (IOException e) {
      LOG.log(
          Level.DEBUG, "a peer disconnected before it received this endpoint's RMI reference", e);
    }
  }

  @Override
  public String address() {
    return port.address().toString();
  }

  @Override
  public Connection connect(String address) throws IOException {
    var peer = Address.parse(address);
    var dialler = new PeerDialler(port, peer);
    byte[] reference;
    try (var socket = port.connectSocket(peer, REFERENCE, PeerDialler.PATIENCE)) {
      reference = socket.getInputStream().readNBytes(LARGEST_REFERENCE);
    }
    try (var in = new ReferenceInput(new ByteArrayInputStream(reference), dialler)) {
      var frames =
          Proxy.newProxyInstance(
              RemoteReceiver.class.getClassLoader(),
              new Class<?>[] {RemoteReceiver.class},
              in.readReference());
      return new RmiConnection((RemoteReceiver) frames, dialler);
    }
  }

  @Override
  public void close() {
    server.close();
    port.close();
  }
}
