package org.troupe.deployment.model;

import java.time.Duration;

/**
 * How far one cluster is from another, as calls between a node of each have shown. Immutable.
 *
 * @param from the cluster that called
 * @param to the cluster that was called
 * @param roundTrip of a call with nothing in it: the shortest of several
 * @param bytesPerSecond of a large argument, beyond the time that any call takes
 */
public record Distance(String from, String to, Duration roundTrip, double bytesPerSecond) {}
