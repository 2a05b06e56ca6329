package org.troupe.em3d.mesh;

import java.util.Arrays;
import java.util.List;

/**
 * The cells of one sub-domain of a mesh from a file.
 *
 * <p>The arrays are not copied; do not change them afterwards.
 *
 * @param rank the rank of the sub-domain, from 0
 * @param coordinates of the vertices that the cells use: {@code coordinates[3 * vertex + axis]},
 *     metres
 * @param vertexNumbers the global number of each vertex
 * @param vertices of the cells: {@code vertices[4 * cell + k]}, indices into the two arrays above
 * @param neighbours of the cells: {@code neighbours[4 * cell + face]}, the face being the one
 *     opposite vertex {@code face}: another cell of this part, a {@link #wall}, or {@link #ownedBy}
 *     another part
 * @param globalCells the global number of each cell
 * @param regions of the cells: indices into {@code regionNames}
 * @param regionNames the physical volumes of the mesh, which determine the media
 * @param wallNames the physical surfaces of the mesh, which determine the boundary conditions; the
 *     first one is empty, for faces that are in none
 */
public record TetrahedralPart(
    int rank,
    double[] coordinates,
    int[] vertexNumbers,
    int[] vertices,
    int[] neighbours,
    int[] globalCells,
    int[] regions,
    List<String> regionNames,
    List<String> wallNames)
    implements MeshPart {

  // Negative neighbours: walls from -1 down, ranks of other parts from Integer.MIN_VALUE up.
  static final int MOST_WALLS = 1 << 16;

  /**
   * Returns the code of a wall.
   *
   * @param group the index of its name in {@code wallNames}
   */
  static int wall(int group) {
    return -1 - group;
  }

  /** Returns whether a neighbour is the code of a wall. */
  static boolean isWall(int neighbour) {
    return neighbour < 0 && neighbour >= -MOST_WALLS;
  }

  /** Returns the index of a wall's name. */
  static int wallGroup(int wall) {
    return -1 - wall;
  }

  /** Returns the code of a neighbour in another part. */
  static int ownedBy(int rank) {
    return Integer.MIN_VALUE + rank;
  }

  /**
   * Returns the rank of the part that {@link #ownedBy} encoded; negative for a wall and for a cell
   * of this part.
   */
  static int owner(int neighbour) {
    return neighbour < -MOST_WALLS ? neighbour - Integer.MIN_VALUE : -1;
  }

  /** Returns the number of faces shared with other parts. */
  public long borderFaces() {
    return Arrays.stream(neighbours).filter(each -> owner(each) >= 0).count();
  }

  @Override
  public PartMesh build() {
    return new PartMeshBuilder(this).build();
  }

  @Override
  public CellCorners corners() {
    return new PartMeshBuilder(this).corners();
  }
}
