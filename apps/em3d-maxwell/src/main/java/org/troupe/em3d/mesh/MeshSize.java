package org.troupe.em3d.mesh;

/**
 * The size of a divided mesh, or of some of its parts.
 *
 * @param cells number of tetrahedra
 * @param wallFaces number of faces with one cell
 * @param borderFaces number of faces between sub-domains, each counted on both sides
 */
public record MeshSize(long cells, long wallFaces, long borderFaces) {

  /** The size of no parts. */
  public static final MeshSize NONE = new MeshSize(0, 0, 0);

  /** Returns the sum of two sizes. */
  public MeshSize plus(MeshSize other) {
    return new MeshSize(
        cells + other.cells, wallFaces + other.wallFaces, borderFaces + other.borderFaces);
  }

  /** Returns the number of faces of a whole mesh: those between two cells, and the walls. */
  public long faces() {
    return (4 * cells + wallFaces) / 2;
  }
}
