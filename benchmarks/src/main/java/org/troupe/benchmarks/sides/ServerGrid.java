package org.troupe.benchmarks.sides;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.benchmarks.harness.NetworkNamespaces.SimulatedHost;
import org.troupe.benchmarks.harness.ServerProcess;

/**
 * A grid of this JVM as the coordinator and of nodes in other JVMs, each a {@link TroupeServer}.
 */
final class ServerGrid implements AutoCloseable {

  private static final int SECRET_BYTES = 32;

  private final GridMember host;
  private final List<ServerProcess> servers = new ArrayList<>();
  private List<Node> nodes = List.of();

  private ServerGrid(GridMember host) {
    this.host = host;
  }

  /** Starts nodes and waits until they have joined. */
  static ServerGrid of(int size) throws Exception {
    return of(size, List.of());
  }

  /**
   * Starts nodes, the first of them on the host of this JVM, and waits until they have joined.
   *
   * @param hosts the hosts of the nodes; empty for this machine
   */
  static ServerGrid of(int size, List<SimulatedHost> hosts) throws Exception {
    var secret = secret();
    var address = hosts.isEmpty() ? TroupeServer.LOOPBACK : hosts.getFirst().address();
    var grid =
        new ServerGrid(
            GridMember.open(TroupeServer.settings("client", address, List.of(), secret)));
    try {
      grid.start(size, hosts, secret);
      return grid;
    } catch (Exception e) {
      grid.close();
      throw e;
    }
  }

  private void start(int size, List<SimulatedHost> hosts, String secret) throws Exception {
    host.coordinate();
    for (var i = 0; i < size; i++) {
      var name = "server" + i;
      var server =
          hosts.isEmpty()
              ? ServerProcess.start(TroupeServer.class, name, TroupeServer.LOOPBACK)
              : ServerProcess.start(
                  hosts.get(i).prefix(), TroupeServer.class, name, hosts.get(i).address());
      servers.add(server);
      server.send(host.contact());
      server.send(secret);
    }
    for (var server : servers) {
      server.receive();
    }
    nodes =
        host.nodes(TroupeServer.VIRTUAL_NODE)
            .await(Nodes.atLeast(size), TroupeServer.PATIENCE)
            .list();
  }

  private static String secret() {
    var bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Returns the nodes as a live list. */
  Nodes all() {
    return host.nodes(TroupeServer.VIRTUAL_NODE);
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::close);
    host.close();
  }
}
