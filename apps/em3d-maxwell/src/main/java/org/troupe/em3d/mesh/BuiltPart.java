package org.troupe.em3d.mesh;

import org.jspecify.annotations.Nullable;

/**
 * The mesh of a sub-domain as built on its node.
 *
 * @param corners of the cells; {@code null} if they were not asked for
 */
public record BuiltPart(PartMesh mesh, @Nullable CellCorners corners) {}
