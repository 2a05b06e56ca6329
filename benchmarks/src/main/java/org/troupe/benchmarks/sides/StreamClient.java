package org.troupe.benchmarks.sides;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.troupe.benchmarks.harness.ServerProcess;
import org.troupe.benchmarks.harness.TurnProtocol;

/**
 * Measures streams of {@code java.net}: sends arrays to a {@link StreamServer} and receives them
 * back.
 */
public final class StreamClient implements TurnProtocol.Loads {

  private final DataInputStream in;
  private final DataOutputStream out;

  private StreamClient(Socket socket) throws IOException {
    in = StreamArray.in(socket);
    out = StreamArray.out(socket);
  }

  static void main(String[] arguments) throws Exception {
    try (var server = ServerProcess.start(StreamServer.class);
        var socket =
            new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(server.receive()))) {
      TurnProtocol.serve(new StreamClient(socket), Integer.parseInt(arguments[0]));
    }
  }

  @Override
  public TurnProtocol.Measure measure(String load) {
    var array = StreamArray.of(load, in, out);
    return millis -> TurnProtocol.microsEach(times -> repeat(load, array, times), millis);
  }

  private void repeat(String load, StreamArray array, int times) throws IOException {
    out.writeUTF(load); // buffered with the first array
    out.writeInt(times);
    for (var i = 0; i < times; i++) {
      array.send();
      array.receive();
    }
  }
}
