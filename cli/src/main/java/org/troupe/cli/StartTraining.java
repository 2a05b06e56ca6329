package org.troupe.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.runs.EndedRuns;

/**
 * The training run for the JDK's AOT cache (JEP 483, JEP 514): executes in one JVM the steps that
 * every program and every node executes at its start and at its end, some short commands, and a
 * short run of the solver. With the cache, launchers and nodes start in about half the time.
 *
 * <p>Its argument is the folder for the files of {@code help-texts}, which this run writes, too.
 */
final class StartTraining {

  private static final String DESCRIPTOR =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <virtualNodes><virtualNode name="players"/></virtualNodes>
        <mapping><map virtualNode="players" to="here"/></mapping>
        <infrastructure><local id="here"/></infrastructure>
      </troupe>
      """;

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

  static void main(String[] arguments) throws IOException, TimeoutException, InterruptedException {
    System.setProperty(EndedRuns.PROPERTY, EndedRuns.FAILURE); // as of a program that is run
    var descriptor = Files.createTempFile("troupe", ".xml");
    try {
      Files.writeString(descriptor, DESCRIPTOR);
      play(descriptor);
      Main.main(new String[] {"validate", descriptor.toString()});
    } finally {
      Files.delete(descriptor);
    }
    Main.main(new String[] {"ps"});
    Main.main(new String[] {"--help"});
    Main.main(new String[] {"help-texts", arguments[0]});
    // Last, as the solver ends the JVM with its exit code.
    Main.main(new String[] {"run", "em3d", "--mesh", "cube:17", "--steps", "100"});
  }

  private static void play(Path descriptor) throws TimeoutException, InterruptedException {
    try (var grid = Grid.deploy(descriptor)) {
      var nodes = grid.nodes("players").await(Nodes.all(), Duration.ofMinutes(1));
      var there = ActiveObjects.on(nodes.first()).create(Player.class);
      there.clear();
      ActiveObjects.ref(there).ask(each -> each.add(new double[10_000])).join();
      // A call from the node makes this JVM do the work of a node.
      var here = ActiveObjects.here().create(Player.class);
      if (there.addTo(here) != 6) {
        throw new AssertionError("the training run computed a wrong sum");
      }
    }
  }
}
