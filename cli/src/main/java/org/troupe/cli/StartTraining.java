package org.troupe.cli;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.Grid;
import org.troupe.deployment.runs.EndedRuns;

/**
 * The training run for the JDK's AOT cache (JEP 483, JEP 514): executes in one JVM the steps that
 * every program and every node executes at its start and at its end, two short commands, and a
 * short run of the solver. With the cache, launchers and nodes start in about half the time.
 */
final class StartTraining {

  private StartTraining() {}

  /** The active object that is called. */
  static class Player {

    private double sum;

    double add(double... numbers) {
      for (var number : numbers) {
        sum += number;
      }
      return sum;
    }

    void clear() {
      sum = 0;
    }

    double addTo(Player other) {
      other.clear();
      return other.add(1, 2, 3);
    }
  }

  static void main(String[] arguments) {
    System.setProperty(EndedRuns.PROPERTY, EndedRuns.FAILURE); // as of a program that is run
    try (var grid = Grid.local(1)) {
      var there = ActiveObjects.on(grid.nodes().first()).create(Player.class);
      there.clear();
      ActiveObjects.ref(there).ask(each -> each.add(new double[10_000])).join();
      // A call from the node makes this JVM do the work of a node.
      var here = ActiveObjects.here().create(Player.class);
      if (there.addTo(here) != 6) {
        throw new AssertionError("the training run computed a wrong sum");
      }
    }
    Main.main(new String[] {"ps"});
    Main.main(new String[] {"--help"});
    // Last, as the solver ends the JVM with its exit code.
    Main.main(new String[] {"run", "em3d", "--mesh", "cube:17", "--steps", "100"});
  }
}
