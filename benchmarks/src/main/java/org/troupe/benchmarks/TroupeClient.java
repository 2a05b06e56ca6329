package org.troupe.benchmarks;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.spi.NodeHost;

/** Calls an active object on the node of a {@link TroupeServer}, from a platform thread. */
final class TroupeClient {

  private static final int SECRET_BYTES = 32;

  private TroupeClient() {}

  static void main(String[] arguments) throws Exception {
    var secret = secret();
    try (var host = NodeHost.open(TroupeServer.settings("client", List.of(), secret));
        var server = Server.start(TroupeServer.class)) {
      host.coordinate();
      server.tell(host.contact());
      server.tell(secret);
      server.listen();
      var node =
          host.nodes(TroupeServer.VIRTUAL_NODE)
              .await(Nodes.atLeast(1), TroupeServer.PATIENCE)
              .first();
      Turns.take(
          new CalleeLoads(ActiveObjects.on(node).create(Served.class)),
          Integer.parseInt(arguments[0]));
    }
  }

  private static String secret() {
    var bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
