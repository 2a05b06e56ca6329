package org.troupe.transport.rmi;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.server.RMIClientSocketFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.troupe.links.Address;
import org.troupe.links.LinkAddresses;
import org.troupe.links.port.Port;

/**
 * Connects to one peer through the authenticated port; ignores the host and port that RMI asks for.
 */
final class PeerDialler implements RMIClientSocketFactory {

  /*
   * Equality is identity. RMI caches idle connections by socket factory, so two connections of Troupe to
   * one peer never share a socket.
   */

  static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Port port;
  private final Address peer;
  private final Set<Socket> sockets = new HashSet<>(); // under this
  private boolean closed; // under this

  PeerDialler(Port port, Address peer) {
    this.port = port;
    this.peer = peer;
  }

  @Override
  public Socket createSocket(String host, int number) throws IOException {
    throwIfClosed();
    Socket socket = port.connectSocket(peer, RmiEndpoint.CALLS, PATIENCE);
    synchronized (this) {
      if (!closed) {
        sockets.removeIf(Socket::isClosed); // RMI closes sockets that are idle for 15 s
        sockets.add(socket);
        return socket;
      }
    }
    socket.close();
    throw closed();
  }

  synchronized void throwIfClosed() throws SocketException {
    if (closed) {
      throw closed();
    }
  }

  /** Returns the addresses of an open socket; there may be several, which differ in a port. */
  synchronized LinkAddresses addresses() {
    return sockets.stream()
        .filter(each -> !each.isClosed())
        .findFirst()
        .map(each -> LinkAddresses.of(each.getLocalSocketAddress(), each.getRemoteSocketAddress()))
        .orElse(LinkAddresses.NONE);
  }

  private SocketException closed() {
    return new SocketException("the connection to " + peer.name() + " is closed");
  }

  /** Closes all sockets, which fails the calls in progress; later calls fail at once. */
  synchronized void close() {
    closed = true;
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException _) {
        // The descriptor is released in any case.
      }
    }
    sockets.clear();
  }
}
