package org.troupe.transport.rmi;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.server.RMIClientSocketFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.troupe.links.Address;
import org.troupe.links.port.Port;

/** Connects to one peer through our own port, whatever host and port RMI asks for. */
final class PeerDialler implements RMIClientSocketFactory {

  /*
   * Equal to itself only, so that RMI, which keeps idle connections per factory, never shares those of
   * one connection of ours with another.
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
        sockets.removeIf(Socket::isClosed); // RMI closes them after 15 idle seconds
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

  private SocketException closed() {
    return new SocketException("the connection to " + peer.name() + " is closed");
  }

  /** Ends the calls in progress, and lets no other begin. */
  synchronized void close() {
    closed = true;
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException _) {
        // Its descriptor is gone all the same.
      }
    }
    sockets.clear();
  }
}
