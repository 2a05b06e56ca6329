package org.troupe.activeobjects.internal.peer;

import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.NodeId;

/**
 * A node as it describes itself to other nodes.
 *
 * @param address the address at which it can be reached, in the transport's notation
 * @param virtualNodes the virtual nodes that it was started for; none for the launcher
 */
public record NodeDescription(
    NodeId id,
    String address,
    List<String> virtualNodes,
    String host,
    Map<String, String> attributes) {}
