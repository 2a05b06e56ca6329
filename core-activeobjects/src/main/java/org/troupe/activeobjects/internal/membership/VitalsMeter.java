package org.troupe.activeobjects.internal.membership;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeVitals;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.peer.MemoryUsage;
import org.troupe.activeobjects.internal.peer.Peer;

/** Reads the vital signs of this node, once per heartbeat. Used by one thread. */
final class VitalsMeter {

  /*
   * Loops where there is a choice: the heartbeats of an idle node are too few for their code to be compiled, and a stream takes many
   * more steps of the interpreter.
   */

  private static final int MOST_BODIES = 1_024; // whose queues are counted

  private final NodeObjects node;
  private final Supplier<Stream<Peer>> peers; // of the grid that gets them
  private @Nullable List<GarbageCollectorMXBean> collectors; // null before the first reading

  VitalsMeter(NodeObjects node, Supplier<Stream<Peer>> peers) {
    this.node = node;
    this.peers = peers;
  }

  /**
   * Returns the vital signs; {@code null} if this JVM observes nothing.
   *
   * @param memory the memory usage of this JVM
   * @param process the use of the machine by its process
   */
  @Nullable NodeVitals read(MemoryUsage memory, ProcessUse process) {
    if (TierSwitch.tier() == ObservationTier.OFF) {
      return null;
    }
    var queued = 0;
    var waiting = 0;
    var left = MOST_BODIES;
    for (var each : node.observer().busyBodies()) {
      if (left-- == 0) {
        break;
      }
      var body = (Body) each;
      queued += body.queued();
      waiting += body.waitingFor == null ? 0 : 1;
    }
    var totals = node.observer().totals();
    return new NodeVitals(
        memory.heapUsedBytes(),
        memory.residentBytes(),
        process.processorNanos(),
        collectionNanos(),
        queued,
        waiting,
        totals.served(),
        totals.failed(),
        peers.get().mapToLong(each -> each.outbox().traffic().bytes()).sum());
  }

  private long collectionNanos() {
    var known = collectors;
    if (known == null) {
      known = ManagementFactory.getGarbageCollectorMXBeans();
      collectors = known;
    }
    var millis = 0L;
    for (var each : known) {
      millis += Math.max(0, each.getCollectionTime());
    }
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
