package org.troupe.benchmarks;

import org.troupe.activeobjects.ActiveObjects;

/** Calls an active object on the node of a {@link TroupeServer}, from a platform thread. */
final class TroupeClient {

  private TroupeClient() {}

  static void main(String[] arguments) throws Exception {
    try (var grid = Grid.of(1)) {
      var node = grid.nodes().getFirst();
      Turns.take(
          new CalleeLoads(ActiveObjects.on(node).create(Served.class)),
          Integer.parseInt(arguments[0]));
    }
  }
}
