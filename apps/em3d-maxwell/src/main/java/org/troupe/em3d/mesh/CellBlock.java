package org.troupe.em3d.mesh;

/**
 * Consecutive cells of one sub-domain, which travel to its node.
 *
 * <p>The arrays are not copied; do not change them afterwards.
 *
 * @param coordinates of the vertices that the cells use: {@code coordinates[3 * vertex + axis]},
 *     metres
 * @param vertexNumbers the number of each vertex, equal in all blocks of all sub-domains
 * @param vertices of the cells: {@code vertices[4 * cell + k]}, indices into the two arrays above
 * @param neighbours of the cells: {@code neighbours[4 * cell + face]}, the face being the one
 *     opposite vertex {@code face}: a cell of the sub-domain, a {@link TetrahedralPart#wall}, or
 *     {@link TetrahedralPart#ownedBy} another sub-domain
 * @param globalCells the global number of each cell
 * @param regions of the cells: indices into the names of the physical volumes
 */
public record CellBlock(
    double[] coordinates,
    int[] vertexNumbers,
    int[] vertices,
    int[] neighbours,
    int[] globalCells,
    int[] regions) {

  /** Returns the number of cells. */
  public int cells() {
    return globalCells.length;
  }
}
