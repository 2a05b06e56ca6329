package org.troupe.deployment.snippets;

import static org.troupe.activeobjects.Nodes.atLeast;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
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

  static class Account {
    Account(String owner) {
      assert !owner.isEmpty();
    }

    void add(int amount) {
      assert amount != 0;
    }
  }

  static void resume(Path folder, String owner) throws Exception {
    // @start region="resume"
    Store store = Store.directory(folder); // has the objects of the earlier run
    Options logged = Options.STANDARD.withKeep(Keep.calls(store));
    try (Grid grid = Grid.resume(store, Path.of("grid.xml"), GridOptions.standard())) {
      Nodes nodes = grid.nodes().await(atLeast(1), Duration.ofMinutes(5));
      Account found = ActiveObjects.on(nodes).with(logged).named("17", Account.class, owner);
      found.add(5);
    }
    // @end
  }

  static void save(Grid grid, Store store) {
    // @start region="save"
    grid.save("before-upgrade").join();
    grid.close();
    Grid later =
        Grid.resume(store, "before-upgrade", Path.of("grid.xml")); // undoes what came after
    // @end
    later.close();
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
