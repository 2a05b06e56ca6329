package org.troupe.benchmarks.sides;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
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
public final class ServerGrid implements AutoCloseable {

  /** Where a node runs: the prefix of the command that starts it, and its address. */
  private record Place(List<String> prefix, String address) {
    static final Place HERE = new Place(List.of(), TroupeServer.LOOPBACK);

    Place(SimulatedHost host) {
      this(host.prefix(), host.address());
    }
  }

  /** The system property that names the transport. */
  public static final String TRANSPORT = TroupeServer.TRANSPORT;

  private static final int SECRET_BYTES = 32;

  private final GridMember host;
  private final List<ServerProcess> servers = new ArrayList<>();
  private List<Node> nodes = List.of();

  private ServerGrid(GridMember host) {
    this.host = host;
  }

  /** Starts nodes and waits until they have joined. */
  public static ServerGrid of(int size) throws Exception {
    return at(Collections.nCopies(size, Place.HERE));
  }

  /**
   * Starts nodes, the first of them on the host of this JVM, and waits until they have joined.
   *
   * @param hosts the hosts of the nodes; empty for this machine
   */
  static ServerGrid of(int size, List<SimulatedHost> hosts) throws Exception {
    return hosts.isEmpty() ? of(size) : at(hosts.stream().limit(size).map(Place::new).toList());
  }

  /**
   * Starts nodes on this machine, each at a loopback address, and waits until they have joined.
   * Nodes at different addresses belong to different clusters; this JVM is at the first address.
   */
  public static ServerGrid atAddresses(List<String> addresses) throws Exception {
    return at(addresses.stream().map(address -> new Place(List.of(), address)).toList());
  }

  private static ServerGrid at(List<Place> places) throws Exception {
    var secret = secret();
    var address = places.getFirst().address;
    var grid =
        new ServerGrid(
            GridMember.open(TroupeServer.settings("client", address, List.of(), secret)));
    try {
      grid.start(places, secret);
      return grid;
    } catch (Exception e) {
      grid.close();
      throw e;
    }
  }

  private void start(List<Place> places, String secret) throws Exception {
    host.coordinate();
    for (var i = 0; i < places.size(); i++) {
      var place = places.get(i);
      var server =
          ServerProcess.start(place.prefix, TroupeServer.class, "server" + i, place.address);
      servers.add(server);
      server.send(host.contact());
      server.send(secret);
    }
    for (var server : servers) {
      server.receive();
    }
    nodes =
        host.nodes(TroupeServer.VIRTUAL_NODE)
            .await(Nodes.atLeast(places.size()), TroupeServer.PATIENCE)
            .list();
  }

  private static String secret() {
    var bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public List<Node> nodes() {
    return nodes;
  }

  /** Returns the nodes as a live list. */
  public Nodes all() {
    return host.nodes(TroupeServer.VIRTUAL_NODE);
  }

  @Override
  public void close() {
    servers.forEach(ServerProcess::close);
    host.close();
  }
}
