package org.troupe.benchmarks;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** What {@code java.net} streams give: arrays to a {@link StreamServer} and back. */
final class StreamClient implements Turns.Loads {

  private final DataInputStream in;
  private final DataOutputStream out;

  private StreamClient(Socket socket) throws IOException {
    in = StreamBall.in(socket);
    out = StreamBall.out(socket);
  }

  static void main(String[] arguments) throws Exception {
    try (var server = Server.start(StreamServer.class);
        var socket =
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(server.listen()))) {
      Turns.take(new StreamClient(socket), Integer.parseInt(arguments[0]));
    }
  }

  @Override
  public Turns.Measure measure(String load) {
    var ball = StreamBall.of(load, in, out);
    return millis -> Turns.microsEach(times -> play(load, ball, times), millis);
  }

  private void play(String load, StreamBall ball, int times) throws IOException {
    out.writeUTF(load); // with the first ball
    out.writeInt(times);
    for (var i = 0; i < times; i++) {
      ball.send();
      ball.receive();
    }
  }
}
