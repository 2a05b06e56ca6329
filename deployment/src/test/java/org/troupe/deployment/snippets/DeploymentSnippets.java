package org.troupe.deployment.snippets;

import static org.troupe.activeobjects.Nodes.atLeast;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.model.PanelItem;

/** The code samples of this module's Javadoc. They are compiled, not run. */
final class DeploymentSnippets {

  private DeploymentSnippets() {}

  static class Solver {
    void solve() {}

    int step() {
      return 0;
    }

    void stop() {}
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

  static void panel(Grid grid, Solver solver) {
    // @start region="panel"
    grid.panel(
        "solver",
        () ->
            List.of(
                new PanelItem.Fact("step", "%d of 1000".formatted(solver.step())),
                new PanelItem.Button("stop", solver::stop)));
    // @end
  }
}
