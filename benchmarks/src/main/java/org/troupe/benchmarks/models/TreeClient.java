package org.troupe.benchmarks.models;

import java.util.List;
import org.troupe.benchmarks.harness.TurnProtocol;
import org.troupe.benchmarks.sides.ServerGrid;
import org.troupe.tasks.Tasks;

/** Runs a tree of tasks on nodes in other JVMs, in milliseconds. */
final class TreeClient {

  private static final int WARM_UPS = 3;

  private TreeClient() {}

  /** The arguments are a {@link LeafLoad}, and the loopback address of each node. */
  static void main(String[] arguments) throws Exception {
    var load = LeafLoad.valueOf(arguments[0]);
    var addresses = List.of(arguments).subList(1, arguments.length);
    try (var grid = ServerGrid.atAddresses(addresses);
        var tasks = Tasks.on(grid.all())) {
      for (var i = 0; i < WARM_UPS; i++) {
        millis(tasks, load);
      }
      TurnProtocol.serve(() -> millis(tasks, load));
    }
  }

  private static double millis(Tasks tasks, LeafLoad load) {
    var began = System.nanoTime();
    var sum = tasks.run(new LeafTree(load, 0, load.leaves()));
    var millis = (System.nanoTime() - began) / 1e6;
    if (sum != load.total()) {
      throw new AssertionError("a tree of " + load + " gave " + sum);
    }
    return millis;
  }
}
