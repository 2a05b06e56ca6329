package org.troupe.activeobjects.internal.membership;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeVitals;
import org.troupe.activeobjects.hosting.ObservationTier;
import org.troupe.activeobjects.internal.body.Body;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.observe.TierSwitch;
import org.troupe.activeobjects.internal.peer.MemoryUsage;
import org.troupe.activeobjects.internal.peer.PeerTable;

/** Reads the vital signs of this node, once per heartbeat. Used by one thread. */
final class VitalsMeter {

  private static final int MOST_BODIES = 1_024; // whose queues are counted
  private static final String STATUS = "/proc/self/stat";
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10); // on all Linuxes
  private static final int USER_TICKS = 11; // words behind the name of the program
  private static final int SYSTEM_TICKS = 12;

  private final NodeObjects node;
  private final PeerTable peers;
  private @Nullable List<GarbageCollectorMXBean> collectors; // null before the first reading

  VitalsMeter(NodeObjects node, PeerTable peers) {
    this.node = node;
    this.peers = peers;
  }

  /** Returns the vital signs; {@code null} if this JVM observes nothing. */
  @Nullable NodeVitals read(MemoryUsage memory) {
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
        processorNanos(),
        collectionNanos(),
        queued,
        waiting,
        totals.served(),
        totals.failed(),
        peers.all().stream().mapToLong(each -> each.outbox().traffic().bytes()).sum());
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

  /** Reads the processor time of this process; 0 if it is not known. */
  private static long processorNanos() {
    try (var in = new FileInputStream(STATUS)) {
      var text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      var words = text.substring(text.lastIndexOf(')') + 2).split(" ", SYSTEM_TICKS + 2);
      return (Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[SYSTEM_TICKS])) * TICK_NANOS;
    } catch (IOException | RuntimeException e) {
      return 0; // not Linux
    }
  }
}
