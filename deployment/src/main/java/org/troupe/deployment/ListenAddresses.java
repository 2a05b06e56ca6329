package org.troupe.deployment;

import java.util.List;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport.Listening;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Infrastructure;
import org.troupe.descriptors.LocalJvms;

/** Decides on which addresses the JVMs of a grid listen. */
final class ListenAddresses {

  /*
   * A grid on one machine stays on loopback. In any other grid, the coordinator listens on every address of its
   * machine, and is the relay for nodes that some other nodes cannot reach.
   */
  private static final String LOOPBACK = "127.0.0.1";

  private ListenAddresses() {}

  private static boolean isLocal(Descriptor descriptor) {
    return descriptor.infrastructure().stream().allMatch(LocalJvms.class::isInstance);
  }

  static Listening ofCoordinator(Descriptor descriptor) {
    return isLocal(descriptor)
        ? Listening.at(LOOPBACK, 0)
        : new Listening(Listening.EVERYWHERE, 0, List.of(), true, "", "");
  }

  /**
   * Returns the addresses on which a node listens.
   *
   * @param contact the coordinator's contact in the node's settings
   */
  static Listening ofNode(Descriptor descriptor, PlannedNode node, String contact) {
    if (isLocal(descriptor)) {
      return Listening.at(LOOPBACK, 0);
    }
    return ofNode(cluster(descriptor, node), GridMember.address(contact));
  }

  /** Returns the cluster of a node. */
  static Cluster cluster(Descriptor descriptor, PlannedNode node) {
    return descriptor.infrastructure().stream()
        .filter(element -> element.place().equals(node.place()))
        .map(Infrastructure::cluster)
        .findFirst()
        .orElseThrow();
  }

  private static Listening ofNode(Cluster cluster, String relay) {
    return new Listening(
        cluster.isReachable() ? Listening.EVERYWHERE : LOOPBACK,
        0,
        cluster.networks(),
        false,
        relay,
        cluster.isTrusted() ? cluster.id() : "");
  }
}
