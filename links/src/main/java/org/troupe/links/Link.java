package org.troupe.links;

import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.util.Set;

/** A connection of a port: a plain socket that leaves the port's set of open ones when closed. */
final class Link extends Socket {

  /*
   * A socket of its own and not one of a SocketChannel: an interrupt closes a channel under the
   * thread that uses it, and links are used by threads of the user, who may interrupt them.
   */

  private final Set<Link> open;

  Link(Set<Link> open) {
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

  /** Closes where nobody could do anything about a failure: the descriptor is gone all the same. */
  void closeQuietly() {
    try {
      close();
    } catch (IOException _) {
      // as said above
    }
  }
}
