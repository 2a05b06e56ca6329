package org.troupe.links.connect;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.Set;

/** Makes the sockets that somebody needs, of two kinds. */
public interface SocketFactory {

  /** Makes one that is not connected. */
  Socket create() throws IOException;

  /** Makes one of a connection that was accepted. */
  Socket adopt(Socket accepted) throws IOException;

  /** Sockets of channels, which links are made of. */
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

  /** Sockets that can be given to others, and leave the open ones when they are closed. */
  static SocketFactory forOthers(Set<Closeable> open) {
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
