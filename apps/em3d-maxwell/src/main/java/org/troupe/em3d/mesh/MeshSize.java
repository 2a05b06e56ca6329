package org.troupe.em3d.mesh;

/**
 * How large a divided mesh is. Add up all its parts before asking.
 *
 * @param cells number of tetrahedra
 * @param wallFaces number of faces with one cell
 * @param borderFaces number of faces between sub-domains, each counted on both sides
 */
public record MeshSize(long cells, long wallFaces, long borderFaces) {

  /** The size of nothing. */
  public static final MeshSize NONE = new MeshSize(0, 0, 0);

  /** The two together. */
  public MeshSize plus(MeshSize other) {
    return new MeshSize(
        cells + other.cells, wallFaces + other.wallFaces, borderFaces + other.borderFaces);
  }

  /** Number of faces of the whole mesh: those between two cells, and the walls. */
  public long faces() {
    return (4 * cells + wallFaces) / 2;
  }
}
