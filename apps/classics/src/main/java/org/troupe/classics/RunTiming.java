package org.troupe.classics;

import org.troupe.activeobjects.Traffic;
import org.troupe.serialization.SerializationCounts;

/**
 * Time, processor time and traffic of a run or a part of it.
 *
 * @param seconds of the clock
 * @param cpuSeconds of all nodes' processors together, their JVMs' own work included
 * @param traffic what the nodes have sent
 * @param tally the counts of their serializers; zero if counting was not enabled
 */
public record RunTiming(
    double seconds, double cpuSeconds, Traffic traffic, SerializationCounts tally) {

  /** What nothing takes. */
  static final RunTiming NOTHING = new RunTiming(0, 0, Traffic.NONE, SerializationCounts.NONE);

  /** Returns what both took together. */
  RunTiming plus(RunTiming other) {
    return new RunTiming(
        seconds + other.seconds,
        cpuSeconds + other.cpuSeconds,
        traffic.plus(other.traffic),
        tally.plus(other.tally));
  }

  /** Returns what is between both. */
  RunTiming mean(RunTiming other) {
    var both = plus(other);
    return new RunTiming(
        both.seconds / 2,
        both.cpuSeconds / 2,
        new Traffic(both.traffic.messages() / 2, both.traffic.bytes() / 2),
        new SerializationCounts(both.tally.lookUps() / 2, both.tally.objectsReused() / 2));
  }
}
