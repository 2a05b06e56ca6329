package org.troupe.em3d.cli;

import org.troupe.em3d.maxwell.PolynomialOrder;

/**
 * What a run computes, to decide where it is computed.
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

  /** Returns whether the start of further JVMs would take longer than what they save. */
  boolean isShort() {
    return (double) cells * steps * order.cellValues() / PolynomialOrder.CONSTANT.cellValues()
        < LONG;
  }
}
