package org.troupe.activeobjects.internal.peer;

import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.NodeId;

/**
 * A node as it introduced itself.
 *
 * @param address where it can be reached, in the transport's notation
 * @param virtualNodes what it was started for; none for the launcher
 */
public record NodeDescription(
    NodeId id,
    String address,
    List<String> virtualNodes,
    String host,
    Map<String, String> attributes) {}
