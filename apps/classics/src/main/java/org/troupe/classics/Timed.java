package org.troupe.classics;

import org.troupe.activeobjects.Traffic;
import org.troupe.serialization.Tally;

/**
 * What something took.
 *
 * @param seconds of the clock
 * @param cpuSeconds of all nodes' processors together, their JVMs' own work included
 * @param traffic between the nodes
 * @param tally of what their serializers did; nothing if they were not to count
 */
public record Timed(double seconds, double cpuSeconds, Traffic traffic, Tally tally) {}
