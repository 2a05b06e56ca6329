package org.troupe.activeobjects;

import org.jspecify.annotations.Nullable;

/**
 * Identifies one life of a node: a node that is restarted under its old name has another id.
 *
 * @param name unique among the living nodes of the grid
 * @param incarnation a random number, drawn when it started
 */
public record NodeId(String name, long incarnation) {

  // Those of a record would be generated at run time, in the start of every JVM.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeId id && incarnation == id.incarnation && name.equals(id.name);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + Long.hashCode(incarnation);
  }

  @Override
  public String toString() {
    return name;
  }
}
