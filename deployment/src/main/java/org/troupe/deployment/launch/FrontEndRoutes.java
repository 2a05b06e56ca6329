package org.troupe.deployment.launch;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.deployment.node.NodeSettings;
import org.troupe.deployment.process.ShellLine;
import org.troupe.deployment.ssh.Forwarders;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Login;
import org.troupe.links.Address;

/**
 * The routes to this program that lead through an element's front end, since the nodes behind it
 * may have no other.
 */
record FrontEndRoutes(
    String element, Optional<Login> via, Jvm jvm, Cluster cluster, MachineRegistry machines) {

  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** Describes the forwarder on the front end; empty if there is none. */
  String description() {
    if (via.isEmpty()) {
      return "";
    }
    try {
      return """

          nodes that cannot reach this machine themselves go through a process on %s, which is started by
            %s
          (PORT is one that ssh forwards from there to here)"""
          .formatted(
              via.get().host(),
              ShellLine.of(
                  Forwarders.command(
                      machines.run(),
                      machines.staging().planned(jvm),
                      cluster.networks(),
                      "PORT")));
    } catch (IOException e) {
      return ""; // one of the problems
    }
  }

  /** Adds the forwarder's addresses to the settings of nodes; starts it if need be. */
  List<byte[]> addedTo(List<byte[]> settings) throws IOException {
    if (via.isEmpty()) {
      return settings;
    }
    var nodes = new ArrayList<NodeSettings>();
    for (var each : settings) {
      nodes.add(NodeSettings.read(new ByteArrayInputStream(each)));
    }
    var addresses = addressesOfForwarder(nodes.getFirst().contact());
    var fitted = new ArrayList<byte[]>();
    for (var each : nodes) {
      var bytes = new ByteArrayOutputStream();
      each.withContact(GridMember.contact(each.contact(), address -> with(addresses, address)))
          .write(bytes);
      fitted.add(bytes.toByteArray());
    }
    return fitted;
  }

  private List<InetSocketAddress> addressesOfForwarder(String contact) {
    try {
      var frontEnd = machines.of(via.orElseThrow());
      return machines
          .forwarders()
          .through(
              frontEnd,
              machines.staging().on(frontEnd, jvm),
              cluster.networks(),
              Address.parse(GridMember.address(contact)).port());
    } catch (IOException e) {
      LOG.log(
          Level.INFO,
          "the nodes of ''{0}'' get no route through their front end, and depend on other routes: {1}",
          element,
          e.getMessage());
      return List.of();
    }
  }

  private static String with(List<InetSocketAddress> addresses, String address) {
    var all = Address.parse(address);
    for (var way : addresses) {
      all = all.withTunnel(way.getHostString(), way.getPort());
    }
    return all.toString();
  }
}
