package org.troupe.em3d.mesh;

/**
 * The corners of a sub-domain's cells, for pictures and linear functions; constants do not need
 * them.
 *
 * <p>The arrays are not copied; do not change them afterwards.
 *
 * @param coordinates of the vertices: {@code coordinates[3 * vertex + axis]}, metres
 * @param vertices of the cells, in the order of {@link PartMesh}: {@code vertices[4 * cell + k]}
 */
public record CellCorners(double[] coordinates, int[] vertices) {

  /** Returns the number of cells. */
  public int cells() {
    return vertices.length / 4;
  }

  /**
   * Returns the signed volume of a cell in cubic metres: positive if its first three vertices are
   * in counter-clockwise order as seen from the last one.
   */
  public double signedVolume(int cell) {
    double[] edges = new double[9];
    for (int k = 0; k < 9; k++) {
      edges[k] = coordinate(cell, 1 + k / 3, k % 3) - coordinate(cell, 0, k % 3);
    }
    return (edges[0] * (edges[4] * edges[8] - edges[5] * edges[7])
            + edges[1] * (edges[5] * edges[6] - edges[3] * edges[8])
            + edges[2] * (edges[3] * edges[7] - edges[4] * edges[6]))
        / 6;
  }

  private double coordinate(int cell, int vertex, int axis) {
    return coordinates[3 * vertices[4 * cell + vertex] + axis];
  }
}
