package org.troupe.em3d.mesh;

import java.util.function.IntFunction;

/**
 * Finds non-conforming outer faces: those with cells behind them that do not share the face,
 * because they have a node in the middle of it, or nodes of their own at its corners.
 *
 * <p>Only outer faces in no physical surface are checked. A slit of width zero may be intended; its
 * faces must then be in a physical surface.
 */
final class LooseFaces {

  /*
   * Vertices of outer faces are ordered as an implicit k-d tree (J. Bentley, Multidimensional binary search
   * trees used for associative searching, CACM 18 (1975) 509-517): the median along the axis of the level
   * lies in the middle, and smaller ones lie before it.
   */

  /** The distance from a face, relative to its size, at which a node counts as lying in it. */
  private static final double TOLERANCE = 1e-9;

  private final int[] vertices;
  private final double[] coordinates;
  private final int[] tree;

  // Of the face under examination
  private final int[] corners = new int[3];
  private final double[] low = new double[3];
  private final double[] high = new double[3];
  private double tolerance;
  private int twins; // a bit for each corner at which there is another vertex
  private boolean hasNodeWithin;

  private LooseFaces(int[] vertices, double[] coordinates, int[] behind) {
    this.vertices = vertices;
    this.coordinates = coordinates;
    boolean[] outer = new boolean[coordinates.length / 3];
    int count = 0;
    for (int face = 0; face < behind.length; face++) {
      for (int k = 0; TetrahedralPart.isWall(behind[face]) && k < 4; k++) {
        int vertex = vertices[(face & ~3) + k];
        if (k != (face & 3) && !outer[vertex]) {
          outer[vertex] = true;
          count++;
        }
      }
    }
    tree = new int[count];
    for (int vertex = 0, next = 0; vertex < outer.length; vertex++) {
      if (outer[vertex]) {
        tree[next++] = vertex;
      }
    }
    grow(0, count, 0);
  }

  /** Reports a problem for each loose face. */
  static void find(
      int[] vertices,
      double[] coordinates,
      int[] behind,
      IntFunction<String> cellName,
      MeshProblems problems) {
    LooseFaces search = null;
    for (int face = 0; face < behind.length; face++) {
      if (behind[face] != TetrahedralPart.wall(0)) {
        continue;
      }
      if (search == null) {
        search = new LooseFaces(vertices, coordinates, behind);
      }
      if (search.isLoose(face)) {
        int cell = face / 4;
        String what =
            search.hasNodeWithin
                ? "a node lies within it"
                : "there are other nodes at all its corners";
        problems.add(
            () ->
                ("%s has an outer face that does not match the cells behind it: %s; make the mesh"
                        + " conforming (in Gmsh: Coherence, or BooleanFragments), or, if it is a wall,"
                        + " put it into a physical surface")
                    .formatted(cellName.apply(cell), what));
      }
    }
  }

  private boolean isLoose(int face) {
    double size = 0;
    for (int k = 0, at = 0; k < 4; k++) {
      if (k != (face & 3)) {
        corners[at++] = vertices[(face & ~3) + k];
      }
    }
    for (int axis = 0; axis < 3; axis++) {
      double a = coordinates[3 * corners[0] + axis];
      double b = coordinates[3 * corners[1] + axis];
      double c = coordinates[3 * corners[2] + axis];
      low[axis] = Math.min(a, Math.min(b, c));
      high[axis] = Math.max(a, Math.max(b, c));
      size = Math.max(size, high[axis] - low[axis]);
    }
    tolerance = TOLERANCE * size;
    twins = 0;
    hasNodeWithin = false;
    visit(0, tree.length, 0);
    return hasNodeWithin || twins == 7;
  }

  // The tree

  private void grow(int from, int to, int axis) {
    if (to - from < 2) {
      return;
    }
    int middle = (from + to) >>> 1;
    select(from, to, middle, axis);
    grow(from, middle, (axis + 1) % 3);
    grow(middle + 1, to, (axis + 1) % 3);
  }

  private void select(int from, int to, int middle, int axis) {
    int first = from;
    int last = to - 1;
    while (first < last) {
      double pivot = coordinates[3 * tree[(first + last) >>> 1] + axis];
      int i = first;
      int j = last;
      while (i <= j) {
        while (coordinates[3 * tree[i] + axis] < pivot) {
          i++;
        }
        while (coordinates[3 * tree[j] + axis] > pivot) {
          j--;
        }
        if (i <= j) {
          int swapped = tree[i];
          tree[i++] = tree[j];
          tree[j--] = swapped;
        }
      }
      if (middle <= j) {
        last = j;
      } else if (middle >= i) {
        first = i;
      } else {
        return;
      }
    }
  }

  private void visit(int from, int to, int axis) {
    if (from >= to) {
      return;
    }
    int middle = (from + to) >>> 1;
    double x = coordinates[3 * tree[middle] + axis];
    if (x >= low[axis] - tolerance) {
      visit(from, middle, (axis + 1) % 3);
    }
    if (x <= high[axis] + tolerance) {
      visit(middle + 1, to, (axis + 1) % 3);
      look(tree[middle]);
    }
  }

  private void look(int vertex) {
    for (int k = 0; k < 3; k++) {
      if (vertex == corners[k]) {
        return;
      }
    }
    for (int k = 0; k < 3; k++) {
      if (distance(vertex, corners[k]) <= tolerance) {
        twins |= 1 << k;
        return;
      }
    }
    hasNodeWithin |= liesWithin(vertex);
  }

  private double distance(int vertex, int other) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
      double difference = coordinates[3 * vertex + axis] - coordinates[3 * other + axis];
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  /** Returns whether the vertex lies in the plane of the face and in the face. */
  private boolean liesWithin(int vertex) {
    double[] u = difference(corners[1], corners[0]);
    double[] v = difference(corners[2], corners[0]);
    double[] w = difference(vertex, corners[0]);
    double[] normal = cross(u, v);
    double square = dot(normal, normal);
    if (Math.abs(dot(w, normal)) > tolerance * Math.sqrt(square)) {
      return false;
    }
    double second = dot(cross(u, w), normal) / square;
    double first = dot(cross(w, v), normal) / square;
    return first >= -TOLERANCE && second >= -TOLERANCE && first + second <= 1 + TOLERANCE;
  }

  private double[] difference(int vertex, int other) {
    double[] result = new double[3];
    for (int axis = 0; axis < 3; axis++) {
      result[axis] = coordinates[3 * vertex + axis] - coordinates[3 * other + axis];
    }
    return result;
  }

  private static double[] cross(double[] u, double[] v) {
    return new double[] {
      u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
    };
  }

  private static double dot(double[] u, double[] v) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  }
}
