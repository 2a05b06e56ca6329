package org.troupe.classics.barneshut;

import java.util.Arrays;

/**
 * An octree: J. Barnes and P. Hut, A hierarchical O(N log N) force-calculation algorithm, Nature
 * 324, 446-449, 1986. Cells with a single non-empty child are omitted.
 */
final class Octree {

  /*
   * Memory layout: nodes are stored in preorder, a cell before its children. So a traversal needs no
   * stack: it skips the children of a cell that is far enough, and otherwise continues with the next
   * node, the first child. The five numbers that a visit reads are adjacent.
   */

  private static final double SOFTENING_SQUARED = 0.05 * 0.05;

  /** The numbers of a node: x, y, z, mass, and the squared distance up to which it is opened. */
  private static final int STRIDE = 5;

  private static final int BODY = -1;

  private final PointMasses points;
  private final BoundingCube cube;
  private final double opening;
  private final double[] nodes;
  private final int[] next; // the node after all children
  private final int[] levels; // of cells, or BODY
  private final int[] firsts; // first point in the cell
  private int count;

  /**
   * Builds the tree.
   *
   * @param points at least one
   * @param opening a cell attracts as a whole if its edge is below this fraction of its distance
   */
  Octree(PointMasses points, BoundingCube cube, double opening) {
    this.points = points;
    this.cube = cube;
    this.opening = opening;
    var most = 2 * points.size() - 1;
    nodes = new double[most * STRIDE];
    next = new int[most];
    levels = new int[most];
    firsts = new int[most];
    build(0, points.size());
  }

  private void build(int from, int to) {
    var node = count++;
    firsts[node] = from;
    if (to - from == 1) {
      levels[node] = BODY;
      System.arraycopy(
          points.values(), from * PointMasses.STRIDE, nodes, node * STRIDE, PointMasses.STRIDE);
      nodes[node * STRIDE + 4] = -1;
    } else {
      levels[node] =
          BoundingCube.levelOfSmallestCommonCell(points.keys()[from], points.keys()[to - 1]);
      buildChildren(node, from, to);
    }
    next[node] = count;
  }

  private void buildChildren(int node, int from, int to) {
    var mass = 0.0;
    var x = 0.0;
    var y = 0.0;
    var z = 0.0;
    for (var begin = from; begin < to; ) {
      var end = BoundingCube.endOfCell(i -> points.keys()[i], begin, to, levels[node] + 1);
      var part = count * STRIDE;
      build(begin, end);
      mass += nodes[part + 3];
      x += nodes[part + 3] * nodes[part];
      y += nodes[part + 3] * nodes[part + 1];
      z += nodes[part + 3] * nodes[part + 2];
      begin = end;
    }
    var tooNear = cube.edge(levels[node]) / opening;
    var at = node * STRIDE;
    nodes[at] = x / mass;
    nodes[at + 1] = y / mass;
    nodes[at + 2] = z / mass;
    nodes[at + 3] = mass;
    nodes[at + 4] = tooNear * tooNear;
  }

  /**
   * Computes the acceleration at a point.
   *
   * @param acceleration receives the result
   * @return the number of bodies and cells that contributed
   */
  int attract(double x, double y, double z, double[] acceleration) {
    var ax = 0.0;
    var ay = 0.0;
    var az = 0.0;
    var attracting = 0;
    for (var node = 0; node < count; ) {
      var at = node * STRIDE;
      var dx = nodes[at] - x;
      var dy = nodes[at + 1] - y;
      var dz = nodes[at + 2] - z;
      var squared = dx * dx + dy * dy + dz * dz;
      if (squared > nodes[at + 4]) {
        var softened = squared + SOFTENING_SQUARED;
        var strength = nodes[at + 3] / (softened * Math.sqrt(softened));
        ax += strength * dx;
        ay += strength * dy;
        az += strength * dz;
        attracting++;
        node = next[node];
      } else {
        node++;
      }
    }
    acceleration[0] = ax;
    acceleration[1] = ay;
    acceleration[2] = az;
    return attracting;
  }

  /** Returns the acceleration of a body by direct summation over all others. */
  static double[] directSum(CelestialBody body, CelestialBody[] all) {
    var acceleration = new double[3];
    for (var each : all) {
      var dx = each.x - body.x;
      var dy = each.y - body.y;
      var dz = each.z - body.z;
      var softened = dx * dx + dy * dy + dz * dz + SOFTENING_SQUARED;
      var strength = each.mass / (softened * Math.sqrt(softened));
      acceleration[0] += strength * dx;
      acceleration[1] += strength * dy;
      acceleration[2] += strength * dz;
    }
    return acceleration;
  }

  /** Accelerates bodies for a step. */
  void attract(CelestialBody[] bodies) {
    var acceleration = new double[3];
    for (var each : bodies) {
      each.cost = attract(each.x, each.y, each.z, acceleration);
      each.accelerate(acceleration[0], acceleration[1], acceleration[2]);
    }
  }

  /**
   * Returns the nodes of this tree that the bodies of another zone need: the children of a cell
   * that is far enough from all of them are omitted.
   *
   * @param before the last key of other members before the keys of this tree
   * @param after the first key of other members after them; a cell with either key is incomplete
   *     here
   */
  PointMasses essential(CurveZone zone, long before, long after) {
    var keys = new long[points.size()];
    var values = new double[points.size() * PointMasses.STRIDE];
    var found = 0;
    for (var node = 0; node < count; ) {
      if (isSufficient(node, zone, before, after)) {
        keys[found] = points.keys()[firsts[node]];
        System.arraycopy(
            nodes, node * STRIDE, values, found * PointMasses.STRIDE, PointMasses.STRIDE);
        found++;
        node = next[node];
      } else {
        node++;
      }
    }
    return new PointMasses(
        Arrays.copyOf(keys, found), Arrays.copyOf(values, found * PointMasses.STRIDE));
  }

  private boolean isSufficient(int node, CurveZone zone, long before, long after) {
    var level = levels[node];
    if (level == BODY) {
      return true;
    }
    var key = points.keys()[firsts[node]];
    var at = node * STRIDE;
    return !BoundingCube.isSameCell(key, before, level)
        && !BoundingCube.isSameCell(key, after, level)
        && zone.isFarther(nodes[at], nodes[at + 1], nodes[at + 2], nodes[at + 4]);
  }
}
