package org.troupe.activeobjects;

/**
 * Identifies one life of a node: a node that is restarted under its old name has another id.
 *
 * @param name unique among the living nodes of the grid
 * @param incarnation a random number, drawn when it started
 */
public record NodeId(String name, long incarnation) {

  @Override
  public String toString() {
    return name;
  }
}
