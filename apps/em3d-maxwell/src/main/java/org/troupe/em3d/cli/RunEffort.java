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
   * A JVM of its own with the Vector API costs a second of start and a second in which the compiler
   * competes with the first steps; scalar code is fast after a tenth of that. The bound is the effort at
   * which both took equally long on a machine of two cores.
   */
  private static final double LONG = 1e9; // updates of a cell of order 0

  /** Returns whether starting further JVMs would take longer than the time that they save. */
  boolean isShort() {
    return (double) cells * steps * order.cellValues() / PolynomialOrder.CONSTANT.cellValues()
        < LONG;
  }

  /**
   * Returns the number of JVMs like this one whose heaps hold the run: the fields and the mesh, and
   * as much for the arrays from which the mesh is made. There are no more than processors.
   */
  int jvmsForMemory() {
    var runtime = Runtime.getRuntime();
    var needed = 2 * cells * RunPlan.cellBytes(order);
    return (int) Math.min(1 + needed / runtime.maxMemory(), runtime.availableProcessors());
  }
}
