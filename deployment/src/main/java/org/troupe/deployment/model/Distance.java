package org.troupe.deployment.model;

import java.time.Duration;

/**
 * The network distance between two clusters, as measured by calls between a node of each.
 * Immutable.
 *
 * @param from the cluster that called
 * @param to the cluster that was called
 * @param roundTrip the shortest round-trip time of several empty calls
 * @param bytesPerSecond the throughput of large arguments, without the fixed cost of a call
 */
public record Distance(String from, String to, Duration roundTrip, double bytesPerSecond) {}
