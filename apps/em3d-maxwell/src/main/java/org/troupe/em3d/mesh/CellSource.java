package org.troupe.em3d.mesh;

/** The source of a divided mesh's cells, which passes them on block by block. */
public interface CellSource {

  /**
   * Returns the next cells of a part.
   *
   * @param first the number of cells of this part that have been fetched
   */
  CellBlock block(int rank, int first);
}
