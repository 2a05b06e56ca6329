package org.troupe.links.connect;

import java.io.Closeable;
import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.util.Set;

/**
 * A dialled connection as a socket for libraries; leaves its port's set of open connections when
 * closed.
 */
final class PortSocket extends Socket {

  /*
   * This is not the socket of a SocketChannel, as an interrupt closes a channel: RMI dials from threads
   * of the program, which may be interrupted.
   */

  private final Set<Closeable> open;

  PortSocket(Set<Closeable> open) {
    super(Proxy.NO_PROXY); // the program's SOCKS proxy does not apply to ports
    this.open = open;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      open.remove(this);
    }
  }
}
