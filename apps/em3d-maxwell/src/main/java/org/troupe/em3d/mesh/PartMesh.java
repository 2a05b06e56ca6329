package org.troupe.em3d.mesh;

import java.util.List;

/**
 * The mesh of one sub-domain, ready for computing.
 *
 * <p>Cells come first, those without a face on a border (the inner ones) before the others. Behind
 * them lie the ghosts: one for each wall face, then one for each border face, those of one
 * neighbour together and in ascending order of the face's three global vertex numbers. Both sides
 * of a border obtain the same order without talking. Cell or ghost s has the place {@code 3 * s} in
 * an array of vectors.
 *
 * <p>The arrays are the working ones, not copies; they must not be changed.
 *
 * @param rank the number of the sub-domain
 * @param cells how many cells
 * @param innerCells how many of them have no face on a border
 * @param volumes of the cells, cubic metres
 * @param surfaces of the cells, sum of the four face areas, square metres
 * @param barycentres {@code [3 * cell + axis]}, metres
 * @param curlWeights of the cells
 * @param neighbourPlaces {@code [4 * cell + face]}: three times the cell or ghost behind the face
 *     opposite that vertex
 * @param wallCells the cell in front of each wall face
 * @param wallCentres barycentre of each wall face, {@code [3 * wall + axis]}, metres
 * @param wallWeights outward area vector of each wall face, divided by twice the volume of its
 *     cell, 1/metre
 * @param borderCells the cell in front of each border face
 * @param neighbourRanks the sub-domains on the other sides of the border, ascending
 * @param borderStarts {@code borderStarts[k]} to {@code borderStarts[k + 1] - 1} are the border
 *     faces of neighbour k
 * @param globalCells the number of each cell in the whole mesh
 * @param regions of the cells: indices into {@code regionNames}
 * @param regionNames the physical volumes of the whole mesh
 * @param wallGroups of the wall faces, in the order of {@code wallCells}: indices into {@code
 *     wallNames}
 * @param wallNames the physical surfaces of the whole mesh; the first one is empty, for faces that
 *     are in none
 */
public record PartMesh(
    int rank,
    int cells,
    int innerCells,
    double[] volumes,
    double[] surfaces,
    double[] barycentres,
    CurlWeights curlWeights,
    int[] neighbourPlaces,
    int[] wallCells,
    double[] wallCentres,
    double[] wallWeights,
    int[] borderCells,
    int[] neighbourRanks,
    int[] borderStarts,
    int[] globalCells,
    int[] regions,
    List<String> regionNames,
    int[] wallGroups,
    List<String> wallNames) {

  /**
   * How many numbers an array of vectors holds beyond its last one: who reads four numbers at a
   * time to get the three of a vector, reads that far.
   */
  public static final int MARGIN = 1;

  /** How many cells and ghosts there are. */
  public int slots() {
    return cells + wallCells.length + borderCells.length;
  }

  /** The ghost of the first border face. */
  public int firstBorderGhost() {
    return cells + wallCells.length;
  }

  /** What this part contributes to the figures of a report. */
  public MeshSize size() {
    return new MeshSize(cells, wallCells.length, borderCells.length);
  }
}
