package org.troupe.descriptors;

import java.util.List;

/**
 * The network properties that the nodes of one site share. Immutable.
 *
 * @param id unique in the descriptor; that of the infrastructure element if none is named
 * @param networks those whose addresses the nodes should offer to others, such as {@code
 *     10.1.0.0/16}; empty for all that a machine has
 * @param isReachable whether others may try to connect to the nodes; if not, they only dial out
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

  /** The cluster of an element that names none. */
  public static Cluster undescribed(String id, SourcePosition place) {
    return new Cluster(id, List.of(), true, false, place);
  }
}
