package org.troupe.em3d.mesh;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The neighbours of all cells, found by matching their faces, and the physical surfaces of outer
 * faces.
 */
final class FaceAdjacency {

  /*
   * Faces are put into one bucket per lowest vertex (counting sort). The couple of dozen faces of a
   * bucket are sorted by their other two vertices, and equal ones are neighbours. A bucket is sorted
   * in two small arrays; no object is allocated per face.
   */

  private final int[] vertices;
  private final double[] coordinates;
  private final IntFunction<String> cellName;
  private final MeshProblems problems;
  private final int[] behind;
  private final int[] starts;
  private final int[] faces;
  private final int[] triple = new int[3];
  private long[] keys = new long[256];
  private int[] ids = new int[256];

  FaceAdjacency(
      int[] vertices, double[] coordinates, IntFunction<String> cellName, MeshProblems problems) {
    this.vertices = vertices;
    this.coordinates = coordinates;
    this.cellName = cellName;
    this.problems = problems;
    behind = new int[vertices.length];
    starts = new int[coordinates.length / 3 + 1];
    faces = new int[vertices.length];
    Arrays.fill(behind, TetrahedralPart.wall(0));
    fillBuckets();
    for (int bucket = 0; bucket < starts.length - 1; bucket++) {
      sort(starts[bucket], starts[bucket + 1]);
      pair(starts[bucket], starts[bucket + 1]);
    }
  }

  /**
   * {@code [4 * cell + face]}: the cell behind the face opposite that vertex, or {@link
   * TetrahedralPart#wall}.
   */
  int[] behind() {
    return behind;
  }

  private void fillBuckets() {
    for (int face = 0; face < faces.length; face++) {
      starts[lowest(face) + 1]++;
    }
    for (int vertex = 1; vertex < starts.length; vertex++) {
      starts[vertex] += starts[vertex - 1];
    }
    int[] next = Arrays.copyOf(starts, starts.length - 1);
    for (int face = 0; face < faces.length; face++) {
      faces[next[lowest(face)]++] = face;
    }
  }

  private int lowest(int face) {
    load(face);
    return Math.min(triple[0], Math.min(triple[1], triple[2]));
  }

  /** Returns the middle and the highest vertex of a face. */
  private long key(int face) {
    load(face);
    return key();
  }

  private long key() {
    int high = Math.max(triple[0], Math.max(triple[1], triple[2]));
    int low = Math.min(triple[0], Math.min(triple[1], triple[2]));
    long middle = (long) triple[0] + triple[1] + triple[2] - low - high;
    return middle << 32 | high;
  }

  private void load(int face) {
    int cell = face & ~3;
    int opposite = face & 3;
    triple[0] = vertices[cell + (opposite == 0 ? 1 : 0)];
    triple[1] = vertices[cell + (opposite <= 1 ? 2 : 1)];
    triple[2] = vertices[cell + (opposite <= 2 ? 3 : 2)];
  }

  /** Shell sort: as fast as insertion sort for the usual few faces, and acceptable for many. */
  private void sort(int from, int to) {
    int count = to - from;
    if (count > keys.length) {
      keys = new long[2 * count];
      ids = new int[2 * count];
    }
    for (int k = 0; k < count; k++) {
      ids[k] = faces[from + k];
      keys[k] = key(ids[k]);
    }
    int gap = 1;
    while (gap < count / 9) {
      gap = 3 * gap + 1;
    }
    for (; gap > 0; gap /= 3) {
      for (int k = gap; k < count; k++) {
        long key = keys[k];
        int id = ids[k];
        int at = k;
        while (at >= gap && (keys[at - gap] > key || keys[at - gap] == key && ids[at - gap] > id)) {
          keys[at] = keys[at - gap];
          ids[at] = ids[at - gap];
          at -= gap;
        }
        keys[at] = key;
        ids[at] = id;
      }
    }
    System.arraycopy(ids, 0, faces, from, count);
  }

  private void pair(int from, int to) {
    int next = from;
    while (next < to) {
      int first = next++;
      while (next < to && keys[next - from] == keys[first - from]) {
        next++;
      }
      if (next - first == 2) {
        join(faces[first], faces[first + 1]);
      } else if (next - first > 2) {
        int[] shared = Arrays.copyOfRange(faces, first, next);
        problems.add(() -> overfull(shared));
      }
    }
  }

  private void join(int a, int b) {
    behind[a] = b / 4;
    behind[b] = a / 4;
    if (sameVertices(a / 4, b / 4)) {
      if (a % 4 == 0) { // reported once, not for each of the four faces
        problems.add(() -> overfull(new int[] {a, b}));
      }
    } else if (isOnOneSide(a, b)) {
      problems.add(
          () ->
              "%s and %s overlap: both lie on the same side of the face between them; one is turned inside out, make the mesh again"
                  .formatted(cellName.apply(a / 4), cellName.apply(b / 4)));
    }
  }

  /** Returns whether two cells lie on the same side of the face that they share. */
  private boolean isOnOneSide(int face, int same) {
    load(face);
    return height(vertices[face]) * height(vertices[same]) > 0;
  }

  /** Returns a number whose sign tells the side of the loaded face on which a vertex lies. */
  private double height(int vertex) {
    int a = 3 * triple[0];
    int b = 3 * triple[1];
    int c = 3 * triple[2];
    int d = 3 * vertex;
    double bx = coordinates[b] - coordinates[a];
    double by = coordinates[b + 1] - coordinates[a + 1];
    double bz = coordinates[b + 2] - coordinates[a + 2];
    double cx = coordinates[c] - coordinates[a];
    double cy = coordinates[c + 1] - coordinates[a + 1];
    double cz = coordinates[c + 2] - coordinates[a + 2];
    double dx = coordinates[d] - coordinates[a];
    double dy = coordinates[d + 1] - coordinates[a + 1];
    double dz = coordinates[d + 2] - coordinates[a + 2];
    return bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
  }

  private String overfull(int[] shared) {
    String first = cellName.apply(shared[0] / 4);
    for (int k = 1; k < shared.length; k++) {
      if (sameVertices(shared[0] / 4, shared[k] / 4)) {
        return first
            + " is there twice, again as "
            + cellName.apply(shared[k] / 4)
            + "; remove one";
      }
    }
    return first
        + " has a face that it shares with "
        + String.join(
            " and ",
            Arrays.stream(shared, 1, shared.length).mapToObj(f -> cellName.apply(f / 4)).toList())
        + ", but a face has at most two cells; remove cells that overlap";
  }

  private boolean sameVertices(int cell, int other) {
    for (int k = 0; k < 4; k++) {
      int vertex = vertices[4 * cell + k];
      int o = 4 * other;
      if (vertex != vertices[o]
          && vertex != vertices[o + 1]
          && vertex != vertices[o + 2]
          && vertex != vertices[o + 3]) {
        return false;
      }
    }
    return true;
  }

  /** Assigns outer faces to the groups of the triangles that coincide with them. */
  void name(NamedTriangles triangles) {
    int[] corners = triangles.corners();
    for (int k = 0; k < corners.length; k += 4) {
      triple[0] = corners[k];
      triple[1] = corners[k + 1];
      triple[2] = corners[k + 2];
      int group = corners[k + 3];
      int element = k / 4;
      int face = find(Math.min(triple[0], Math.min(triple[1], triple[2])), key());
      if (face < 0) {
        problems.add(
            () ->
                ("%s of the physical group '%s' is no face of a cell, so it would bound nothing;"
                        + " mesh the volume together with its surfaces, or take the surface out of the"
                        + " group")
                    .formatted(
                        triangles.elementName().apply(element), triangles.names().get(group)));
        continue;
      }
      if (behind[face] >= 0) {
        continue; // an inner face has no boundary condition
      }
      int before = TetrahedralPart.wallGroup(behind[face]);
      if (before != 0 && before != group) {
        problems.add(
            () ->
                "%s belongs to the physical groups '%s' and '%s'; keep one of them"
                    .formatted(
                        triangles.elementName().apply(element),
                        triangles.names().get(before),
                        triangles.names().get(group)));
      }
      behind[face] = TetrahedralPart.wall(group);
    }
  }

  /** Returns the face with these vertices, or -1. */
  private int find(int lowest, long key) {
    int low = starts[lowest];
    int high = starts[lowest + 1] - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long there = key(faces[middle]);
      if (there == key) {
        return faces[middle];
      }
      if (there < key) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
