package org.troupe.classics.asp;

import java.util.SplittableRandom;

/**
 * Some rows of the table of distances between all vertices, with the update step that all versions
 * share.
 *
 * <p>Row {@code i} has the lengths of the shortest paths from vertex {@code i} found so far;
 * initially the lengths of the edges.
 *
 * @see "R. W. Floyd, Algorithm 97: Shortest path, Communications of the ACM 5(6), 1962"
 */
final class DistanceTable {

  /** No path; the sum of two such values does not overflow. */
  static final int NONE = Integer.MAX_VALUE / 2;

  private static final int EDGES_PER_VERTEX = 8; // so that most paths have several edges
  private static final int LONGEST_EDGE = 1000;

  private final int first;

  /*
   * One array per row: the compiler vectorises the addition of two rows at the same index. With all
   * rows in one array it must assume that they overlap, and the loop takes three times as long.
   */
  private final int[][] rows;

  /**
   * Generates rows of the table of a random graph, which is the same for every caller.
   *
   * @param first the first row
   */
  DistanceTable(int vertices, int first, int count) {
    this.first = first;
    rows = new int[count][vertices];
    for (var i = 0; i < count; i++) {
      var random = new SplittableRandom(first + i);
      for (var to = 0; to < vertices; to++) {
        rows[i][to] =
            random.nextInt(vertices) < EDGES_PER_VERTEX ? 1 + random.nextInt(LONGEST_EDGE) : NONE;
      }
      rows[i][first + i] = 0;
    }
  }

  /** Returns the rows; not copies. */
  int[][] rows() {
    return rows;
  }

  boolean has(int vertex) {
    return first <= vertex && vertex < first + rows.length;
  }

  /** Returns a vertex's row; not a copy. */
  int[] row(int vertex) {
    return rows[vertex - first];
  }

  /**
   * Shortens the paths of all rows that are shorter through a vertex.
   *
   * @param viaRow the row of that vertex
   */
  void relaxVia(int via, int[] viaRow) {
    for (var row : rows) {
      relaxVia(via, viaRow, row);
    }
  }

  /**
   * Shortens the paths of one row that are shorter through a vertex; a repetition changes nothing.
   */
  static void relaxVia(int via, int[] viaRow, int[] row) {
    var there = row[via];
    for (var to = 0; to < row.length; to++) {
      row[to] = Math.min(row[to], there + viaRow[to]);
    }
  }
}
