package org.troupe.em3d.mesh;

import java.util.List;

/**
 * The mesh of one sub-domain with the geometry that the solver needs.
 *
 * <p>Numbering: inner cells (without a face on a border), border cells, ghosts of wall faces,
 * ghosts of border faces. The ghosts of one neighbour are contiguous, in ascending order of the
 * face's three global vertex numbers, so that both sides of a border use the same order without
 * communication. Cell or ghost s has the place {@code 3 * s} in an array of vectors.
 *
 * <p>The arrays are the working ones, not copies; they must not be changed.
 *
 * @param rank the number of the sub-domain
 * @param cells number of cells
 * @param innerCells number of cells without a face on a border
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
 * @param globalCells the global number of each cell
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
   * The numbers that follow the last vector of an array: vector code that loads four numbers for
   * the three of a vector reads that far.
   */
  public static final int MARGIN = 1;

  /** Returns this mesh without surfaces and regions, which only the set-up of a solver needs. */
  public PartMesh afterSetUp() {
    return new PartMesh(
        rank,
        cells,
        innerCells,
        volumes,
        new double[0],
        barycentres,
        curlWeights,
        neighbourPlaces,
        wallCells,
        wallCentres,
        wallWeights,
        borderCells,
        neighbourRanks,
        borderStarts,
        globalCells,
        new int[0],
        regionNames,
        wallGroups,
        wallNames);
  }

  /** Returns the number of cells and ghosts. */
  public int slots() {
    return cells + wallCells.length + borderCells.length;
  }

  /** Returns the number of the first border ghost. */
  public int firstBorderGhost() {
    return cells + wallCells.length;
  }

  /** Returns the size of this part. */
  public MeshSize size() {
    return new MeshSize(cells, wallCells.length, borderCells.length);
  }
}
