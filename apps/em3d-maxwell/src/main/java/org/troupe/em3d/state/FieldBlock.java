package org.troupe.em3d.state;

/**
 * The fields of some cells: E at a step, H at the half step before.
 *
 * @param cells global numbers of the cells
 * @param e {@link org.troupe.em3d.maxwell.PolynomialOrder#cellValues} numbers for each of them
 * @param h likewise
 */
public record FieldBlock(int step, int[] cells, double[] e, double[] h) {}
