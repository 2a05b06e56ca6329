package org.troupe.classics;

import java.time.Duration;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Traffic;
import org.troupe.serialization.SerializationCounts;

/**
 * An active object that reads what its node has used so far: processor time, traffic and
 * serialization counts.
 */
class ResourceMeter {

  /** A reading of one node, or the sum over all nodes. */
  record Reading(Duration cpu, Traffic traffic, SerializationCounts tally) {

    Reading plus(Reading other) {
      return new Reading(cpu.plus(other.cpu), traffic.plus(other.traffic), tally.plus(other.tally));
    }

    Reading since(Reading earlier) {
      return new Reading(
          cpu.minus(earlier.cpu), traffic.since(earlier.traffic), tally.since(earlier.tally));
    }
  }

  Reading read() {
    return new Reading(
        ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO),
        ActiveObjects.traffic(),
        ActiveObjects.tally());
  }
}
