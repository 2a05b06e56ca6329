package org.troupe.em3d.mesh;

/**
 * Where the corners of a sub-domain's cells are, for those who look at it; computing needs none of
 * it.
 *
 * <p>The arrays are not copied; do not change them afterwards.
 *
 * @param coordinates of the vertices: {@code coordinates[3 * vertex + axis]}, metres
 * @param vertices of the cells, in the order of {@link PartMesh}: {@code vertices[4 * cell + k]}
 */
public record Corners(double[] coordinates, int[] vertices) {

  /** How many cells there are. */
  public int cells() {
    return vertices.length / 4;
  }
}
