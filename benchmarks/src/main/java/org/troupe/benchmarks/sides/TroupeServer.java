package org.troupe.benchmarks.sides;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.benchmarks.harness.TurnProtocol;

/** A node for active objects, of a {@link ServerGrid}; its name is the argument. */
final class TroupeServer {

  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The virtual node that it is of. */
  static final String VIRTUAL_NODE = "servers";

  /** The property that names the transport, as for any program. */
  static final String TRANSPORT = "troupe.transport";

  private TroupeServer() {}

  static void main(String[] arguments) throws Exception {
    var told = new BufferedReader(new InputStreamReader(System.in));
    var contact = told.readLine();
    var secret = told.readLine();
    try (var host = GridMember.open(settings(arguments[0], List.of(VIRTUAL_NODE), secret))) {
      host.join(contact, PATIENCE);
      System.out.println(TurnProtocol.READY);
      told.readLine();
    }
    System.exit(0);
  }

  static GridMember.Settings settings(String name, List<String> virtualNodes, String secret) {
    return new GridMember.Settings(
        name,
        virtualNodes,
        "localhost",
        Map.of(),
        System.getProperty(TRANSPORT),
        new Transport.EndpointOptions(secret, "127.0.0.1", 0),
        PATIENCE); // a machine that is busy starves nodes too, and is no reason to stop
  }
}
