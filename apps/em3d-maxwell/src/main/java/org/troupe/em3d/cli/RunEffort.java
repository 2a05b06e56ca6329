package org.troupe.em3d.cli;

import org.troupe.em3d.maxwell.PolynomialOrder;

/**
 * The amount of computation of a run, by which the program chooses between its own JVM and further
 * ones.
 *
 * @param cells of the mesh
 * @param order of the fields in a cell
 */
record RunEffort(long cells, PolynomialOrder order, int steps) {

  /*
   * A node with the Vector API takes 2 to 3.5 s longer until its steps take their usual time: for its JVM, and
   * because it compiles without the AOT cache. Its steps then take 0.7 to 0.8 of the time of scalar ones. Both ways
   * took equally long at about this bound. Whole commands in turns, two processors with AVX-512, idle, 2026-11-23,
   * this program and a node: cube:33, 5,000 and 5,100 steps 15.5 and 13.4 s, 12.0 and 13.7 s; cube:65, 630 and 640 steps
   * 14.5 and 18.7 s, 15.7 and 16.3 s.
   */
  private static final double LONG = 1e9; // updates of a cell

  /**
   * The bytes of a cell in the arrays that the mesh is made from: vertices, neighbours, region, two
   * places in the division, a fifth of a vertex, and some space that is free.
   */
  private static final long SOURCE_BYTES = 64;

  /**
   * Returns whether starting further JVMs would take longer than the time that their vectors save.
   * There are no vectors for linear functions.
   */
  boolean isShort() {
    return order == PolynomialOrder.LINEAR || (double) cells * steps < LONG;
  }

  /**
   * Returns the number of JVMs like this one whose heaps hold the run: the fields, the mesh, and
   * the arrays from which it is made. There are no more than processors.
   */
  int jvmsForMemory() {
    var runtime = Runtime.getRuntime();
    var needed = cells * (RunPlan.cellBytes(order) + SOURCE_BYTES);
    return (int) Math.min(1 + needed / runtime.maxMemory(), runtime.availableProcessors());
  }
}
