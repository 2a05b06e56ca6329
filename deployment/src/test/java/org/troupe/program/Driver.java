package org.troupe.program;

import static java.util.stream.Collectors.joining;

import java.util.concurrent.CountDownLatch;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.Grid;

/** A program with a grid of two nodes that ends as its argument tells it. */
public final class Driver {

  private Driver() {}

  public static void main(String[] arguments) throws Exception {
    var grid = Grid.local(2, Quick.GRID);
    var worker = ActiveObjects.on(grid.nodes().first()).create(Worker.class);
    worker.count();
    System.out.println(
        "pids "
            + grid.status().stream()
                .map(each -> Long.toString(each.pid().orElseThrow()))
                .collect(joining(" ")));
    switch (arguments[0]) {
      case "close" -> grid.close();
      case "return" -> worker.say("served at the end");
      case "exit" -> System.exit(7);
      case "throw" -> throw new IllegalStateException("thrown out of main");
      case "wait" -> new CountDownLatch(1).await();
      case "call" -> worker.never();
      case "count" -> {
        while (System.in.read() >= 0) {
          System.out.println("counted " + worker.count());
        }
        grid.close();
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }
}
