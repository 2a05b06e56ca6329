package org.troupe.transport.rmi;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.rmi.server.RMIServerSocketFactory;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates the one server socket of an export at a given address; closes it, since RMI does not for
 * port 0.
 */
final class ExportSocketFactory implements RMIServerSocketFactory, AutoCloseable {

  private static final int BACKLOG = 50;

  private final InetAddress address;
  private final Set<Socket> accepted = new HashSet<>(); // under this
  private @Nullable ServerSocket listener; // under this

  ExportSocketFactory(InetAddress address) {
    this.address = address;
  }

  @Override
  public synchronized ServerSocket createServerSocket(int port) throws IOException {
    try {
      listener = new Listener(port);
      return listener;
    } catch (BindException e) {
      var named =
          new BindException(
              "cannot listen on "
                  + address.getHostAddress()
                  + ":"
                  + port
                  + ": "
                  + e.getMessage()
                  + "; use port 0 for any free port, or end the program that uses this one, and"
                  + " check that the address belongs to this machine");
      named.initCause(e);
      throw named;
    }
  }

  synchronized int port() {
    return Objects.requireNonNull(listener, "RMI creates the listener during export")
        .getLocalPort();
  }

  private synchronized void add(Socket socket, ServerSocket from) throws IOException {
    if (from.isClosed()) {
      socket.close();
      throw new SocketException("closed");
    }
    accepted.removeIf(Socket::isClosed);
    accepted.add(socket);
  }

  @Override
  public synchronized void close() {
    if (listener == null) {
      return;
    }
    try {
      listener.close();
      for (var socket : accepted) {
        socket.close();
      }
    } catch (IOException _) {
      // The descriptor is released in any case.
    }
  }

  private final class Listener extends ServerSocket {

    Listener(int port) throws IOException {
      super(port, BACKLOG, address);
    }

    @Override
    public Socket accept() throws IOException {
      var socket = super.accept();
      add(socket, this);
      return socket;
    }
  }
}
