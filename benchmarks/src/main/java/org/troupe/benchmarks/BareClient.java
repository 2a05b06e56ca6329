package org.troupe.benchmarks;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Base64;

/** Calls what a {@link BareServer} has exported. */
final class BareClient {

  private BareClient() {}

  static void main(String[] arguments) throws Exception {
    try (var server = Server.start(BareServer.class)) {
      Turns.take(new CalleeLoads(stub(server.listen())), Integer.parseInt(arguments[0]));
    }
  }

  private static Callee stub(String text) throws IOException, ClassNotFoundException {
    var bytes = Base64.getDecoder().decode(text);
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (Callee) in.readObject();
    }
  }
}
