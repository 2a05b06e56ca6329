package org.troupe.links;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Where the bytes of a connection go, for people. Immutable.
 *
 * @param local the address and port of this side; empty if there is none
 * @param remote those of the other side, which may be a relay or the end of a tunnel; empty if
 *     there is none
 * @param file the file of a Unix domain socket or of shared memory; empty if there is none
 */
public record LinkAddresses(String local, String remote, String file) {

  /** Those of a connection that is closed, or has none. */
  public static final LinkAddresses NONE = new LinkAddresses("", "", "");

  /** Returns the addresses of a connected channel. */
  public static LinkAddresses of(SocketChannel channel) {
    try {
      return of(channel.getLocalAddress(), channel.getRemoteAddress());
    } catch (IOException e) {
      return NONE; // it is closed
    }
  }

  /** Returns the addresses of a connection between two sockets. */
  public static LinkAddresses of(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
    var file = file(remote);
    return new LinkAddresses(text(local), text(remote), file.isEmpty() ? file(local) : file);
  }

  /** Returns these addresses, with a file. */
  public LinkAddresses withFile(String its) {
    return new LinkAddresses(local, remote, its);
  }

  private static String text(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress internet)) {
      return "";
    }
    var host = internet.getAddress() == null ? "" : internet.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + internet.getPort();
  }

  private static String file(@Nullable SocketAddress address) {
    return address instanceof UnixDomainSocketAddress socket ? socket.getPath().toString() : "";
  }
}
