package org.troupe.em3d.mesh;

import java.util.Arrays;
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
 *     opposite vertex {@code face}: another cell of this part, a {@link #wall}, or {@link #ownedBy}
 *     another part
 * @param globalCells the number of each cell in the whole mesh
 * @param regions of the cells: indices into {@code regionNames}
 * @param regionNames the physical volumes of the mesh, for choosing materials
 * @param wallNames the physical surfaces of the mesh, for choosing boundary conditions; the first
 *     one is empty, for faces that are in none
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

  // Neighbours below zero: walls from -1 down, ranks of other parts from the lowest number up.
  static final int MOST_WALLS = 1 << 16;

  /**
   * Stands for the neighbour behind a wall.
   *
   * @param group the index of its name in {@code wallNames}
   */
  static int wall(int group) {
    return -1 - group;
  }

  /** Whether nothing lies there. */
  static boolean isWall(int neighbour) {
    return neighbour < 0 && neighbour >= -MOST_WALLS;
  }

  /** The index of a wall's name. */
  static int wallGroup(int wall) {
    return -1 - wall;
  }

  /** Stands for a neighbour that belongs to another part. */
  static int ownedBy(int rank) {
    return Integer.MIN_VALUE + rank;
  }

  /**
   * The part that {@code neighbour} was made from by {@link #ownedBy}; negative for a wall and a
   * cell of this part.
   */
  static int owner(int neighbour) {
    return neighbour < -MOST_WALLS ? neighbour - Integer.MIN_VALUE : -1;
  }

  /** How many faces it shares with other parts. */
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
