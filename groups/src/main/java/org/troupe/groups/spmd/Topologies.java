package org.troupe.groups.spmd;

import java.util.function.IntFunction;
import org.troupe.groups.spmd.Neighbours.Hypercube;
import org.troupe.groups.spmd.Neighbours.Lattice;
import org.troupe.groups.spmd.Neighbours.Tree;

/**
 * Arranges the members of an SPMD group in lines, grids, trees or graphs, and returns one member's
 * neighbours in each. All members must use the same arrangement.
 *
 * @param <T> the type of the members
 */
public final class Topologies<T> {

  private final Spmd<T> spmd;

  Topologies(Spmd<T> spmd) {
    this.spmd = spmd;
  }

  /** Returns the neighbours in a line of all members. */
  public Lattice<T> line() {
    return Lattice.of(spmd, "line", false, spmd.size());
  }

  /** Returns the neighbours in a ring of all members. */
  public Lattice<T> ring() {
    return Lattice.of(spmd, "ring", true, spmd.size());
  }

  /** Returns the neighbours in a rectangle. */
  public Lattice<T> plate(int width, int height) {
    return Lattice.of(spmd, "plate", false, width, height);
  }

  /** Returns the neighbours in a rectangle whose opposite edges meet. */
  public Lattice<T> torus(int width, int height) {
    return Lattice.of(spmd, "torus", true, width, height);
  }

  /** Returns the neighbours in a cuboid. */
  public Lattice<T> cube(int width, int height, int depth) {
    return Lattice.of(spmd, "cube", false, width, height, depth);
  }

  /** Returns the neighbours in a hypercube; its size must be a power of two. */
  public Hypercube<T> hypercube() {
    return Hypercube.of(spmd);
  }

  /** Returns the neighbours in a binary tree. */
  public Tree<T> tree() {
    return Tree.of(spmd);
  }

  /**
   * Returns the neighbours in a graph.
   *
   * @param name the same at all members; other graphs have other names
   * @param edges the neighbours of each rank; must be mutual
   */
  public Neighbours<T> graph(String name, IntFunction<int[]> edges) {
    return Neighbours.inGraph(spmd, name, edges);
  }
}
