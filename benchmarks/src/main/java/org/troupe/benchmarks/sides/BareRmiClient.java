package org.troupe.benchmarks.sides;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Base64;
import org.troupe.benchmarks.harness.ServerProcess;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Calls the object that a {@link BareRmiServer} exports. */
final class BareRmiClient {

  private BareRmiClient() {}

  static void main(String[] arguments) throws Exception {
    try (var server = ServerProcess.start(BareRmiServer.class)) {
      TurnProtocol.serve(new CalleeLoads(stub(server.receive())), Integer.parseInt(arguments[0]));
    }
  }

  private static RemoteCallee stub(String text) throws IOException, ClassNotFoundException {
    var bytes = Base64.getDecoder().decode(text);
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (RemoteCallee) in.readObject();
    }
  }
}
