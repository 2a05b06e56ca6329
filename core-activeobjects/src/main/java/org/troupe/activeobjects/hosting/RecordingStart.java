package org.troupe.activeobjects.hosting;

/**
 * A recording of the JDK Flight Recorder that has begun on a node.
 *
 * @param id by which its client names it
 * @param epochNanos the node's clock of the day, in nanoseconds since 1970, when its {@link
 *     System#nanoTime} was {@code nanos}
 */
public record RecordingStart(long id, long epochNanos, long nanos) {}
