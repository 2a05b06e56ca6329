package org.troupe.em3d.mesh;

/**
 * The description of one sub-domain's mesh: a plain value that travels to its node, where {@link
 * #build} computes the mesh.
 */
public sealed interface MeshPart permits CubePart, TetrahedralPart {

  /** Returns the rank of the sub-domain, from 0. */
  int rank();

  /**
   * Computes the mesh of the sub-domain. Waits for its cells if another node has them.
   *
   * @param withCorners whether the corners of the cells are needed, too
   */
  BuiltPart build(boolean withCorners);

  /** Computes the mesh of the sub-domain without corners. */
  default PartMesh build() {
    return build(false).mesh();
  }
}
