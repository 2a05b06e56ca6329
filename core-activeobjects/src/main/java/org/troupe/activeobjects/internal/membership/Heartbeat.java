package org.troupe.activeobjects.internal.membership;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.hosting.NodeVitals;
import org.troupe.activeobjects.internal.coordination.SilenceLimits;
import org.troupe.activeobjects.internal.deadlock.DeadlockDetector;
import org.troupe.activeobjects.internal.peer.MemoryUsage;
import org.troupe.activeobjects.internal.peer.Peer;

/**
 * Sends the signs of life of this node in one grid, checks those of its peers, and measures how
 * long this JVM has stood still itself.
 */
final class Heartbeat {

  /*
   * Design: pauses of this JVM
   *
   * A heartbeat that runs late shows that this JVM stood still: in a garbage collection, on an overloaded machine,
   * or because its process was stopped. Frames of the peers have not been processed meanwhile, so before it checks
   * their silence, a late heartbeat excuses them for that time. A pause longer than the allowed silence is kept,
   * because deaths that become known soon after it are explained by it rather than by the nodes that died.
   *
   * Threads: the timer of the node runs the heartbeat, one run after the other; any thread may ask for the last pause.
   */

  private static final System.Logger LOG = System.getLogger("org.troupe.activeobjects");

  /**
   * For how many times the allowed silence a pause of this JVM may explain deaths that become
   * known.
   */
  private static final int SILENCES_TO_FORGET_A_PAUSE = 6;

  private final NodeId id;
  private final SilenceLimits limits;
  private final LongSupplier clock;
  private final Supplier<Stream<Peer>> peers;
  private final DeadlockDetector deadlocks;
  private final Supplier<@Nullable Peer> coordinator;
  private final BooleanSupplier isCoordinator;
  private final Runnable tick;
  private final VitalsMeter vitals;
  private volatile NodeVitals.@Nullable Listener vitalsListener; // null: nothing is kept
  private @Nullable ScheduledFuture<?> schedule; // null: driven by hand
  private volatile long lastNanos; // 0 before the first; written only by the heartbeat
  private volatile @Nullable Pause lastPause; // null if there was none that others could notice

  /** A time during which this JVM stood still. */
  private record Pause(long nanos, long endNanos) {}

  /**
   * Makes a heartbeat, which does not run before it is started.
   *
   * @param peers gives the peers of the grid
   * @param coordinator gives the peer that coordinates the grid, or null if there is none
   * @param isCoordinator says whether this node coordinates the grid
   * @param tick is run at each heartbeat
   * @param vitals reads the vital signs of this node
   */
  Heartbeat(
      NodeId id,
      SilenceLimits limits,
      LongSupplier clock,
      Supplier<Stream<Peer>> peers,
      DeadlockDetector deadlocks,
      Supplier<@Nullable Peer> coordinator,
      BooleanSupplier isCoordinator,
      Runnable tick,
      VitalsMeter vitals) {
    this.id = id;
    this.limits = limits;
    this.clock = clock;
    this.peers = peers;
    this.deadlocks = deadlocks;
    this.coordinator = coordinator;
    this.isCoordinator = isCoordinator;
    this.tick = tick;
    this.vitals = vitals;
  }

  /** Begins to run at the interval of the limits. */
  void start(ScheduledExecutorService timer) {
    tick.run(); // else the times of waits that begin before the first heartbeat would not be known
    var interval = limits.intervalNanos();
    schedule = timer.scheduleAtFixedRate(this::runOnTime, interval, interval, TimeUnit.NANOSECONDS);
  }

  void stop() {
    if (schedule != null) {
      schedule.cancel(false);
    }
  }

  /** Runs one heartbeat; if it is late, excuses the peers first. */
  void runOnTime() {
    var now = clock.getAsLong();
    var late = lateNanos(now);
    if (late > limits.intervalNanos() / 2) {
      LOG.log(Level.DEBUG, () -> "this JVM stood still for " + late / 1_000_000 + " ms");
      peers.get().forEach(peer -> peer.stoodStill(late));
    }
    if (late > limits.nanos()) {
      lastPause = new Pause(late, now);
      LOG.log(
          Level.WARNING,
          () ->
              "node '%s' stood still for %.1f s, as if it had been stopped, or its machine suspended; %s"
                  .formatted(
                      id.name(),
                      late / 1e9,
                      isCoordinator.getAsBoolean()
                          ? "its nodes wait for it for %d s, and then end"
                              .formatted(limits.coordinatorPatienceSeconds())
                          : "others may have given it up after %d s"
                              .formatted(limits.silence().toSeconds())));
    }
    lastNanos = now;
    run();
  }

  /** Sends signs of life and checks those of the peers, whenever it is called. */
  void run() {
    try {
      tick.run();
      peers.get().forEach(peer -> peer.beat(limits.nanos()));
      deadlocks.searchAll();
      var receiver = coordinator.get();
      if (receiver != null && receiver.isLinked() && !receiver.isLost()) {
        report(receiver); // a sign of life, so the next heartbeat sends no other one
      }
      var listener = vitalsListener;
      if (listener != null) {
        passVitalsOn(listener);
      }
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "the heartbeat failed", e);
    }
  }

  /** Sends the coordinator the use of the machine by this node. */
  private void report(Peer receiver) {
    var process = ProcessUse.ofThisJvm();
    var memory = MemoryUsage.ofThisJvm(process.residentBytes());
    var own = vitals.read(memory, process);
    receiver.sendMemoryUsage(memory, own == null ? List.of() : numbers(own));
  }

  private static List<Long> numbers(NodeVitals vitals) {
    var numbers = vitals.numbers();
    var boxed = new Long[numbers.length];
    for (var i = 0; i < numbers.length; i++) { // a stream costs more, as in VitalsMeter
      boxed[i] = numbers[i];
    }
    return List.of(boxed);
  }

  /**
   * Passes on the vital signs that have arrived since the last heartbeat, and those of this node.
   */
  private void passVitalsOn(NodeVitals.Listener listener) {
    var process = ProcessUse.ofThisJvm();
    var own = vitals.read(MemoryUsage.ofThisJvm(process.residentBytes()), process);
    if (own != null) {
      listener.arrived(id.name(), System.nanoTime(), own);
    }
    peers
        .get()
        .forEach(
            peer -> {
              var last = peer.takeVitals();
              var read =
                  last == null
                      ? null
                      : NodeVitals.of(last.numbers().stream().mapToLong(each -> each).toArray());
              if (last != null && read != null) {
                listener.arrived(peer.id().name(), last.nanos(), read);
              }
            });
  }

  /** Sets the listener that receives the vital signs of all nodes, at each heartbeat. */
  void onVitals(NodeVitals.Listener listener) {
    vitalsListener = listener;
  }

  /** Returns by how much the next heartbeat is late. */
  private long lateNanos(long now) {
    return lastNanos == 0 ? 0 : Math.max(0, now - lastNanos - limits.intervalNanos());
  }

  /**
   * Returns the part of a message that relates a death to a pause of this JVM; empty if there was
   * none that is long and recent enough.
   */
  String ownPause() {
    var now = clock.getAsLong();
    var pause = lastPause;
    var nanos = lateNanos(now);
    if (pause != null && now - pause.endNanos() < SILENCES_TO_FORGET_A_PAUSE * limits.nanos()) {
      nanos = Math.max(nanos, pause.nanos());
    }
    return nanos < limits.coordinatorPatienceNanos()
        ? ""
        : "; this program itself stood still for %.0f s, as if it had been stopped, or its machine suspended: nodes wait %d s for it"
            .formatted(nanos / 1e9, limits.coordinatorPatienceSeconds());
  }
}
