package org.troupe.benchmarks.sides;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.benchmarks.harness.TurnProtocol;

/** A node of a {@link ServerGrid}. The arguments are its name and its address. */
final class TroupeServer {

  /** The usual address of a node. */
  static final String LOOPBACK = "127.0.0.1";

  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The virtual node of all servers. */
  static final String VIRTUAL_NODE = "servers";

  /** The system property that names the transport. */
  static final String TRANSPORT = "troupe.transport";

  private TroupeServer() {}

  static void main(String[] arguments) throws Exception {
    var input = new BufferedReader(new InputStreamReader(System.in));
    var contact = input.readLine();
    var secret = input.readLine();
    try (var host =
        GridMember.open(settings(arguments[0], arguments[1], List.of(VIRTUAL_NODE), secret))) {
      host.join(contact, PATIENCE);
      System.out.println(TurnProtocol.READY);
      input.readLine();
    }
    System.exit(0);
  }

  static GridMember.Settings settings(
      String name, String address, List<String> virtualNodes, String secret) {
    return new GridMember.Settings(
        name,
        virtualNodes,
        address.equals(LOOPBACK) ? "localhost" : address,
        Map.of(),
        System.getProperty(TRANSPORT),
        new Transport.EndpointOptions(secret, address, 0),
        PATIENCE); // long, since a busy machine starves healthy nodes
  }
}
