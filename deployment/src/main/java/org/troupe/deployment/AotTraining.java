package org.troupe.deployment;

import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.hosting.MiddlewareObject;

/**
 * Plays what every program and every node does at its start, in one JVM, for the JDK to note what
 * is loaded and linked then: the cache that it makes of that (JEP 483, JEP 514) starts launchers
 * and nodes in about half the time.
 */
final class AotTraining {

  private AotTraining() {}

  /** What is called. */
  static class Player implements MiddlewareObject {

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
    try (var grid = Grid.local(1)) {
      var there = ActiveObjects.on(grid.nodes().first()).create(Player.class);
      there.clear();
      ActiveObjects.ref(there).ask(each -> each.add(new double[10_000])).join();
      // Called by the node, this JVM does what nodes do.
      var here = ActiveObjects.here().create(Player.class);
      if (there.addTo(here) != 6) {
        throw new AssertionError("the rehearsal went wrong");
      }
    }
  }
}
