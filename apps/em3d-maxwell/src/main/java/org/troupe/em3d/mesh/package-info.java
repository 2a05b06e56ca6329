/**
 * Tetrahedral meshes: reading, checking, partitioning, and the mesh of one sub-domain.
 *
 * <p>A {@link org.troupe.em3d.mesh.WholeMesh} is the unit cube or a mesh that {@link
 * org.troupe.em3d.mesh.GmshReader} has read. It is divided into {@link
 * org.troupe.em3d.mesh.MeshPart}s, which travel to the nodes and build a {@link
 * org.troupe.em3d.mesh.PartMesh} there: cells in their order of computation, ghosts and geometry.
 * Read {@code PartMesh} first. The whole mesh and its parts refer to each other, as a cube is
 * divided without being stored; this package must not know the fields on a mesh.
 */
@NullMarked
package org.troupe.em3d.mesh;

import org.jspecify.annotations.NullMarked;
