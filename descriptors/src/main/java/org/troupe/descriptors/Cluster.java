package org.troupe.descriptors;

import java.util.List;

/**
 * The network properties that the nodes of one site share. Immutable.
 *
 * @param id unique in the descriptor; the id of the infrastructure element if it names no cluster
 * @param networks the networks whose addresses the nodes offer to others, such as {@code
 *     10.1.0.0/16}; empty for all networks of a machine
 * @param isReachable whether others may try to connect to the nodes; if not, the nodes only connect
 *     to others
 * @param isTrusted whether traffic inside the cluster may go without encryption
 */
public record Cluster(
    String id,
    List<String> networks,
    boolean isReachable,
    boolean isTrusted,
    SourcePosition place) {

  /** Copies the list. */
  public Cluster {
    networks = List.copyOf(networks);
  }

  /** Returns the cluster of an element that names none. */
  public static Cluster undescribed(String id, SourcePosition place) {
    return new Cluster(id, List.of(), true, false, place);
  }
}
