package org.troupe.em3d.mesh;

import java.util.List;

/**
 * One sub-domain of a mesh from a file. Its node fetches the cells block by block while it builds
 * the mesh, so that no JVM stores them twice.
 *
 * @param rank the rank of the sub-domain, from 0
 * @param cells number of cells
 * @param innerCells number of cells without a face on a border, which come first
 * @param wallFaces number of faces with one cell
 * @param borderFaces number of faces shared with other parts
 * @param regionNames the physical volumes of the mesh, which determine the media
 * @param wallNames the physical surfaces of the mesh, which determine the boundary conditions; the
 *     first one is empty, for faces that are in none
 * @param source provides the cells
 */
public record TetrahedralPart(
    int rank,
    int cells,
    int innerCells,
    int wallFaces,
    int borderFaces,
    List<String> regionNames,
    List<String> wallNames,
    CellSource source)
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

  /** Returns this part with another source of its cells. */
  public TetrahedralPart from(CellSource other) {
    return new TetrahedralPart(
        rank, cells, innerCells, wallFaces, borderFaces, regionNames, wallNames, other);
  }

  @Override
  public BuiltPart build(boolean withCorners) {
    return new PartMeshBuilder(this, withCorners).build();
  }
}
