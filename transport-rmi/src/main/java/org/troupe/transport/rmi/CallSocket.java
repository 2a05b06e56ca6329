package org.troupe.transport.rmi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** An accepted socket that the thread which serves its RMI calls can close. */
final class CallSocket extends Socket {

  /*
   * RMI does not reveal on which socket a call came. It serves all calls of a socket on one thread, which
   * opens the input stream of the socket first, so the stream tells which socket the thread serves.
   * The class delegates the methods that RMI calls on an accepted socket (JDK 25).
   */

  private static final ThreadLocal<CallSocket> CURRENT = new ThreadLocal<>();
  private static final System.Logger LOG = System.getLogger("org.troupe.transport.rmi");

  private final Socket socket;

  CallSocket(Socket socket) {
    this.socket = socket;
  }

  /** Closes the socket whose call the current thread serves, if it serves one. */
  static void closeCurrent() {
    CallSocket served = CURRENT.get();
    if (served != null) {
      try {
        served.close();
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "a socket that is given up could not be closed properly", e);
      }
    }
  }

  @Override
  public InputStream getInputStream() throws IOException {
    CURRENT.set(this);
    return socket.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void close() throws IOException {
    if (CURRENT.get() == this) {
      CURRENT.remove();
    }
    socket.close();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    socket.setTcpNoDelay(on);
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    socket.setSoTimeout(millis);
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }
}
