package org.troupe.links.connect;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** Creates sockets of one kind: of channels, for links, or for libraries. */
public interface SocketFactory {

  /** Creates an unconnected socket. */
  Socket create() throws IOException;

  /** Wraps an accepted connection. */
  Socket adopt(Socket accepted) throws IOException;

  /** Creates sockets of channels, for links. */
  static SocketFactory ofChannels() {
    return new SocketFactory() {
      @Override
      public Socket create() throws IOException {
        return SocketChannel.open().socket();
      }

      @Override
      public Socket adopt(Socket accepted) {
        return accepted;
      }
    };
  }

  /** Creates sockets for libraries; a socket that is closed leaves the set of open connections. */
  static SocketFactory forLibraries(Set<Closeable> open) {
    return new SocketFactory() {
      @Override
      public Socket create() {
        return new PortSocket(open);
      }

      @Override
      public Socket adopt(Socket accepted) throws IOException {
        return ChannelSocket.of(accepted, open);
      }
    };
  }
}
