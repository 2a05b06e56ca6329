package org.troupe.deployment.snippets;

import static org.troupe.activeobjects.Nodes.atLeast;

import java.nio.file.Path;
import java.time.Duration;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/** The code samples of this module's Javadoc. They are compiled, not run. */
final class DeploymentSnippets {

  private DeploymentSnippets() {}

  static class Solver {
    void solve() {}
  }

  static void deploy() throws Exception {
    // @start region="deploy"
    try (Grid grid = Grid.deploy(Path.of("grid.xml"))) {
      Nodes nodes = grid.nodes("solvers").await(atLeast(4), Duration.ofMinutes(5));
      Solver solver = ActiveObjects.on(nodes.get(0)).create(Solver.class);
      solver.solve();
    }
    // @end
  }
}
