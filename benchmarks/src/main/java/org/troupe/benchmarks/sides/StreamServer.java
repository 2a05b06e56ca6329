package org.troupe.benchmarks.sides;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Returns each array of a {@link StreamClient}, as many times as the client announces. */
final class StreamServer {

  private StreamServer() {}

  static void main(String[] arguments) throws Exception {
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.out.println(listener.getLocalPort());
      try (var socket = listener.accept()) {
        serve(socket);
      }
    } catch (EOFException e) {
      // The client has ended.
    }
  }

  private static void serve(Socket socket) throws IOException {
    var in = StreamArray.in(socket);
    var out = StreamArray.out(socket);
    var known = "";
    StreamArray array = null;
    for (; ; ) {
      var load = in.readUTF();
      if (array == null || !load.equals(known)) {
        array = StreamArray.of(load, in, out);
        known = load;
      }
      for (var times = in.readInt(); times > 0; times--) {
        array.receive();
        array.send();
      }
    }
  }
}
