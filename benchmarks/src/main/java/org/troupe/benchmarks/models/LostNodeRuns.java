package org.troupe.benchmarks.models;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.tasks.Tasks;

/**
 * Runs a tree of tasks on three nodes, and ends the process of one by {@code SIGKILL} when half of
 * the leaves have been begun; then replaces it.
 */
final class LostNodeRuns {

  /** Seconds of a run without a loss. */
  static final String UNDISTURBED = "undisturbed";

  /** Percent of the leaves that are begun again if results of orphans are kept. */
  static final String KEEP = "keep";

  /** Percent of the leaves that are begun again if results of orphans are dropped. */
  static final String DROP = "drop";

  /** Seconds of the latest run. */
  static final String SECONDS = "seconds";

  private static final int NODES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int PERCENT = 100;

  /** Reports each loss; a reference, since a logger without one forgets its level. */
  private static final Logger LOSSES = Logger.getLogger("org.troupe");

  private final Grid grid;
  private int kills;
  private double seconds;

  private LostNodeRuns(Grid grid) {
    this.grid = grid;
  }

  static void main(String[] arguments) throws Exception {
    LOSSES.setLevel(Level.OFF);
    try (var grid = Grid.local(NODES, GridOptions.standard().withOutput(_ -> {}))) {
      grid.nodes().await(Nodes.atLeast(NODES), PATIENCE);
      var runs = new LostNodeRuns(grid);
      runs.percent(KEEP, false); // warms up
      TurnProtocol.serve(load -> _ -> runs.figure(load), 0);
    }
  }

  private double figure(String load) throws Exception {
    return switch (load) {
      case UNDISTURBED -> {
        percent(KEEP, false);
        yield seconds;
      }
      case KEEP, DROP -> percent(load, true);
      case SECONDS -> seconds;
      default -> throw new IllegalArgumentException("there is no load '" + load + "'");
    };
  }

  /** Returns how many percent of the leaves were begun again. */
  private double percent(String orphans, boolean isDisturbed) throws Exception {
    System.setProperty("troupe.tasks.orphans", orphans);
    var file = TerminationCleanup.file(".counts");
    try (var tasks = Tasks.on(grid.nodes())) {
      var leaf = new CountedLeaf(file.toString());
      var victim = isDisturbed ? Optional.of(nextVictim()) : Optional.<Node>empty();
      var kill =
          victim.map(
              node ->
                  CompletableFuture.supplyAsync(
                      () -> killAtHalf(node, leaf), Thread::startVirtualThread));
      var began = System.nanoTime();
      var sum = tasks.run(new LeafTree(leaf, 0, leaf.leaves()));
      seconds = (System.nanoTime() - began) / 1e9;
      if (sum != leaf.total()) {
        throw new AssertionError("a tree on nodes of which one may be lost gave " + sum);
      }
      if (victim.isPresent()) {
        if (!kill.get().join()) {
          throw new AssertionError("the tree had ended before its node was killed");
        }
        replace(victim.get());
      }
      return (double) PERCENT * leaf.counts().repeated() / leaf.leaves();
    } finally {
      TerminationCleanup.delete(file);
    }
  }

  private Node nextVictim() {
    return grid.nodes().get(kills++ % NODES);
  }

  /** Returns whether leaves were left to begin when the node was killed. */
  private static boolean killAtHalf(Node victim, CountedLeaf leaf) {
    while (leaf.counts().begun() < leaf.leaves() / 2) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
    ProcessHandle.of(Long.parseLong(victim.attributes().get("pid")))
        .ifPresent(ProcessHandle::destroyForcibly);
    return leaf.counts().begun() < leaf.leaves();
  }

  private void replace(Node lost) throws TimeoutException, InterruptedException {
    while (grid.nodes().list().contains(lost)) {
      TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    }
    grid.nodes().request(1);
    grid.nodes().await(Nodes.atLeast(NODES), PATIENCE);
  }
}
