package org.troupe.benchmarks.rows;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.troupe.activeobjects.ActiveObjects;

/**
 * A program with objects on many simulated hosts, which it calls all the time. It prints its
 * process id when they are there, and ends with its input.
 */
final class BusyGrid {

  /** Precedes the process id. */
  static final String READY = "ready ";

  private static final int OBJECTS_PER_NODE = 5;

  private BusyGrid() {}

  /** An active object that counts. */
  static class Counter {

    private long sum;

    long add(long value) {
      sum += value;
      return sum;
    }
  }

  /**
   * Runs the program.
   *
   * @param arguments the folder with the login data, the number of hosts, the number of calls in a
   *     round, and the pause between two rounds in seconds
   */
  static void main(String[] arguments) throws Exception {
    var calls = Integer.parseInt(arguments[2]);
    var pause = Duration.ofMillis(Math.round(1e3 * Double.parseDouble(arguments[3])));
    try (var grid = SimulatedHosts.deploy(Path.of(arguments[0]), Integer.parseInt(arguments[1]))) {
      List<Counter> counters = new ArrayList<>();
      for (var node : grid.nodes("hosts")) {
        for (var i = 0; i < OBJECTS_PER_NODE; i++) {
          counters.add(ActiveObjects.on(node).create(Counter.class));
        }
      }
      var input = Thread.startVirtualThread(BusyGrid::readInput);
      System.out.println(READY + ProcessHandle.current().pid());
      while (!input.join(pause)) {
        for (var i = 0; i < calls; i++) {
          counters.get(ThreadLocalRandom.current().nextInt(counters.size())).add(1);
        }
      }
    }
  }

  private static void readInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
