package org.troupe.em3d.mesh;

import java.util.List;

/**
 * The cells of one sub-domain in full, as cut from a mesh that was read from a file.
 *
 * <p>The arrays are not copied; do not change them afterwards.
 *
 * @param rank the number of the sub-domain, from 0
 * @param coordinates of the vertices that the cells use: {@code coordinates[3 * vertex + axis]},
 *     metres
 * @param vertexNumbers the number of each vertex in the whole mesh
 * @param vertices of the cells: {@code vertices[4 * cell + k]}, indices into the two arrays above
 * @param neighbours of the cells: {@code neighbours[4 * cell + face]}, the face being the one
 *     opposite vertex {@code face}: another cell of this part, {@link #WALL}, or {@link #ownedBy}
 *     another part
 * @param globalCells the number of each cell in the whole mesh
 * @param regions of the cells: indices into {@code regionNames}
 * @param regionNames the physical volumes of the mesh, for choosing materials
 */
public record MeshPart(
    int rank,
    double[] coordinates,
    int[] vertexNumbers,
    int[] vertices,
    int[] neighbours,
    int[] globalCells,
    int[] regions,
    List<String> regionNames)
    implements Part {

  /** Stands for the neighbour behind a wall of the cavity. */
  static final int WALL = -1;

  /** Stands for a neighbour that belongs to another part. */
  static int ownedBy(int rank) {
    return -2 - rank;
  }

  /**
   * The part that {@code neighbour} was made from by {@link #ownedBy}; negative for a wall and a
   * cell of this part.
   */
  static int owner(int neighbour) {
    return -2 - neighbour;
  }

  @Override
  public PartMesh build() {
    return new PartMeshBuilder(this).build();
  }
}
