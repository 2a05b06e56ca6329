package org.troupe.em3d.mesh;

/**
 * What the mesh of one sub-domain is made from: a plain value that may travel to the node where
 * {@link #build} then does the work.
 */
public sealed interface MeshPart permits CubePart, TetrahedralPart {

  /** The number of the sub-domain, from 0. */
  int rank();

  /** Makes the mesh that the sub-domain computes on. */
  PartMesh build();

  /** Finds the corners of the cells of {@link #build}, in their order. */
  CellCorners corners();
}
