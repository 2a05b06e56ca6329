package org.troupe.activeobjects;

/**
 * Names one life of one node: a node that is started again under its old name is another.
 *
 * @param name what people call it
 * @param incarnation a random number, drawn when it started
 */
public record NodeId(String name, long incarnation) {

  @Override
  public String toString() {
    return name;
  }
}
