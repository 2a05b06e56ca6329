package org.troupe.classics;

import org.troupe.activeobjects.Traffic;

/**
 * What something took.
 *
 * @param seconds of the clock
 * @param cpuSeconds of all nodes' processors together, their JVMs' own work included
 * @param traffic between the nodes
 */
public record Timed(double seconds, double cpuSeconds, Traffic traffic) {}
