package org.troupe.em3d.mesh;

import java.util.List;

/**
 * Arranges cells of one sub-domain in any order as a part: inner cells first, then border cells.
 */
final class InnerCellsFirst implements CellSource {

  private final CellBlock cells;
  private final int[] oldCell; // in the new order
  private final int[] newCell;
  private int innerCells;
  private int wallFaces;
  private int borderFaces;

  InnerCellsFirst(CellBlock cells) {
    this.cells = cells;
    oldCell = new int[cells.cells()];
    newCell = new int[cells.cells()];
    for (int neighbour : cells.neighbours()) {
      wallFaces += TetrahedralPart.isWall(neighbour) ? 1 : 0;
      borderFaces += TetrahedralPart.owner(neighbour) >= 0 ? 1 : 0;
    }
    innerCells = number(false, 0);
    number(true, innerCells);
  }

  private int number(boolean onBorder, int from) {
    int next = from;
    for (int cell = 0; cell < oldCell.length; cell++) {
      if (isOnBorder(cell) == onBorder) {
        newCell[cell] = next;
        oldCell[next++] = cell;
      }
    }
    return next;
  }

  private boolean isOnBorder(int cell) {
    for (int face = 4 * cell; face < 4 * cell + 4; face++) {
      if (TetrahedralPart.owner(cells.neighbours()[face]) >= 0) {
        return true;
      }
    }
    return false;
  }

  TetrahedralPart part(int rank, List<String> regionNames, List<String> wallNames) {
    return new TetrahedralPart(
        rank, oldCell.length, innerCells, wallFaces, borderFaces, regionNames, wallNames, this);
  }

  @Override
  public CellBlock block(int rank, int first) {
    int count = Math.min(MeshDivision.BLOCK, oldCell.length - first);
    int[] vertices = new int[4 * count];
    int[] neighbours = new int[4 * count];
    int[] globalCells = new int[count];
    int[] regions = new int[count];
    CellRanges.process(
        count,
        (from, to) -> {
          for (int k = from; k < to; k++) {
            int old = oldCell[first + k];
            globalCells[k] = cells.globalCells()[old];
            regions[k] = cells.regions()[old];
            for (int face = 0; face < 4; face++) {
              vertices[4 * k + face] = cells.vertices()[4 * old + face];
              int behind = cells.neighbours()[4 * old + face];
              neighbours[4 * k + face] = behind < 0 ? behind : newCell[behind];
            }
          }
        });
    return new CellBlock(
        cells.coordinates(), cells.vertexNumbers(), vertices, neighbours, globalCells, regions);
  }
}
