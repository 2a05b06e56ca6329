package org.troupe.benchmarks;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.Base64;

/** Calls what a {@link BareServer} has exported. */
final class BareClient {

  private BareClient() {}

  static void main(String[] arguments) throws Exception {
    try (var server = Server.start(arguments[0])) {
      var target = stub(server.listen());
      Turns.take(
          times -> {
            for (var i = 0; i < times; i++) {
              target.call();
            }
          },
          arguments);
    }
  }

  private static BareServer.Callable stub(String text) throws IOException, ClassNotFoundException {
    var bytes = Base64.getDecoder().decode(text);
    try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return (BareServer.Callable) in.readObject();
    }
  }
}
