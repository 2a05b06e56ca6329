package org.troupe.em3d.mesh;

import java.util.List;
import java.util.function.IntFunction;

/**
 * Triangles that belong to physical groups.
 *
 * @param corners {@code [4 * triangle]}: three vertices, and the index of the group's name
 * @param names names of the groups; the first is empty, for faces in no group
 * @param elementName names a triangle in messages
 */
record NamedTriangles(int[] corners, List<String> names, IntFunction<String> elementName) {

  static final NamedTriangles NONE = new NamedTriangles(new int[0], List.of(""), String::valueOf);
}
