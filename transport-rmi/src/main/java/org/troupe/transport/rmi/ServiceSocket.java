package org.troupe.transport.rmi;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.LinkedBlockingQueue;
import org.troupe.links.port.Port;

/** A server socket that accepts the connections to one service of a port. */
final class ServiceSocket extends ServerSocket {

  private final Port port;
  private final LinkedBlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
  private final Socket last = new Socket(); // end mark in the queue

  ServiceSocket(Port port, String service) throws IOException {
    this.port = port;
    port.serveSockets(service, accepted::add);
  }

  @Override
  public Socket accept() throws IOException {
    try {
      Socket socket = accepted.take();
      if (socket == last) {
        throw new SocketException("closed");
      }
      return new CallSocket(socket);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new SocketException("interrupted");
    }
  }

  @Override
  public int getLocalPort() {
    return port.address().port();
  }

  @Override
  public InetAddress getInetAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public void close() throws IOException {
    super.close();
    accepted.add(last);
  }
}
