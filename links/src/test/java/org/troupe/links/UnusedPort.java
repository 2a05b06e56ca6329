package org.troupe.links;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Has a port number on loopback, and does not listen. */
public final class UnusedPort {

  private static final Socket BOUND = bind(); // open until the tests end, so that no other gets it

  private UnusedPort() {}

  @SuppressWarnings("resource")
  private static Socket bind() {
    try {
      var socket = new Socket();
      socket.bind(new InetSocketAddress("127.0.0.1", 0));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static int number() {
    return BOUND.getLocalPort();
  }
}
