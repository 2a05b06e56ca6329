package org.troupe.program;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;

/** A program that deploys a descriptor, calls each node once, and closes the grid or waits. */
public final class Deployer {

  private Deployer() {}

  public static void main(String[] arguments) throws Exception {
    try (var grid = Grid.deploy(Path.of(arguments[0]), Quick.GRID)) {
      for (var node : grid.nodes().await(Nodes.all(), Duration.ofMinutes(2))) {
        var count = ActiveObjects.on(node).create(Worker.class).count();
        System.out.println("called " + node.host() + " " + count);
      }
      if (arguments[1].equals("wait")) {
        System.out.println("waiting");
        new CountDownLatch(1).await();
      }
    }
    System.out.println("closed");
  }
}
