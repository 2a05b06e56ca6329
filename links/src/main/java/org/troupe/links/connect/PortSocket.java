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
   * A socket of its own and not one of a SocketChannel: an interrupt closes a channel under the
   * thread that uses it, and RMI dials from threads of the user, who may interrupt them.
   */

  private final Set<Closeable> open;

  PortSocket(Set<Closeable> open) {
    super(Proxy.NO_PROXY); // a SOCKS proxy set for the user's own traffic is not meant for ours
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
