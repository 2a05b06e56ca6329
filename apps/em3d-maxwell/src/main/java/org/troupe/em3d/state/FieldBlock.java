package org.troupe.em3d.state;

/**
 * The fields of some cells: E of a step, H of the half step before.
 *
 * @param cells their numbers in the whole mesh
 * @param e {@link org.troupe.em3d.maxwell.PolynomialOrder#cellValues} numbers for each of them
 * @param h alike
 */
public record FieldBlock(int step, int[] cells, double[] e, double[] h) {}
