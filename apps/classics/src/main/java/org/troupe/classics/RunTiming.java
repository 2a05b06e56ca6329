package org.troupe.classics;

import org.troupe.activeobjects.Traffic;
import org.troupe.serialization.SerializationCounts;

/**
 * The time, processor time and traffic of a run or of a part of it.
 *
 * @param seconds the elapsed time
 * @param cpuSeconds the processor time of all nodes together, including the work of the JVMs
 *     themselves
 * @param traffic the messages and bytes that the nodes sent
 * @param tally the counts of the nodes' serializers; zero if counting was not enabled
 */
public record RunTiming(
    double seconds, double cpuSeconds, Traffic traffic, SerializationCounts tally) {

  /** The neutral element of {@link #plus}. */
  static final RunTiming NOTHING = new RunTiming(0, 0, Traffic.NONE, SerializationCounts.NONE);

  /** Returns the sum of both. */
  RunTiming plus(RunTiming other) {
    return new RunTiming(
        seconds + other.seconds,
        cpuSeconds + other.cpuSeconds,
        traffic.plus(other.traffic),
        tally.plus(other.tally));
  }

  /** Returns the mean of both. */
  RunTiming mean(RunTiming other) {
    var both = plus(other);
    return new RunTiming(
        both.seconds / 2,
        both.cpuSeconds / 2,
        new Traffic(both.traffic.messages() / 2, both.traffic.bytes() / 2),
        new SerializationCounts(both.tally.lookUps() / 2, both.tally.objectsReused() / 2));
  }
}
