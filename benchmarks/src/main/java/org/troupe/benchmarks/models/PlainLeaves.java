package org.troupe.benchmarks.models;

import org.troupe.benchmarks.harness.TurnProtocol;

/** Runs every leaf of a tree, or every second one, in a loop without tasks, in milliseconds. */
final class PlainLeaves {

  private static final int WARM_UPS = 3;

  private PlainLeaves() {}

  /** The arguments are a {@link LeafLoad}, the first leaf, and the distance to the next one. */
  static void main(String[] arguments) throws Exception {
    var load = LeafLoad.valueOf(arguments[0]);
    var first = Integer.parseInt(arguments[1]);
    var distance = Integer.parseInt(arguments[2]);
    for (var i = 0; i < WARM_UPS; i++) {
      millis(load, first, distance);
    }
    TurnProtocol.serve(() -> millis(load, first, distance));
  }

  private static double millis(LeafLoad load, int first, int distance) {
    var sum = 0L;
    var began = System.nanoTime();
    for (var leaf = first; leaf < load.leaves(); leaf += distance) {
      sum += load.run(leaf);
    }
    var millis = (System.nanoTime() - began) / 1e6;
    if (sum <= 0 || distance == 1 && sum != load.total()) {
      throw new AssertionError("the leaves of " + load + " gave " + sum);
    }
    return millis;
  }
}
