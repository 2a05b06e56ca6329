package org.troupe.benchmarks.sides;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.TurnProtocol;

/** Calls an active object on the node of a {@link TroupeServer}, from a platform thread. */
final class TroupeClient {

  private TroupeClient() {}

  static void main(String[] arguments) throws Exception {
    try (var grid = ServerGrid.of(1)) {
      var node = grid.nodes().getFirst();
      TurnProtocol.serve(
          new CalleeLoads(ActiveObjects.on(node).create(CalleeService.class)),
          Integer.parseInt(arguments[0]));
    }
  }
}
