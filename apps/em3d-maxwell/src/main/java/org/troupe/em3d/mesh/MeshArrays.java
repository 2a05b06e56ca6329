package org.troupe.em3d.mesh;

/**
 * The arrays of an undivided mesh.
 *
 * @param coordinates {@code [3 * vertex + axis]}, metres
 * @param vertices {@code [4 * cell + k]}
 * @param regions of the cells: indices into the names of the physical volumes
 * @param neighbours {@code [4 * cell + face]}: the cell behind each face, or a wall of a group,
 *     encoded as in {@link TetrahedralPart}
 */
record MeshArrays(double[] coordinates, int[] vertices, int[] regions, int[] neighbours) {}
