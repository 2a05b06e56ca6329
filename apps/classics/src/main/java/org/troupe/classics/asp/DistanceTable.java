package org.troupe.classics.asp;

import java.util.SplittableRandom;

/**
 * Some rows of a table of the distances between all vertices, and the step that all versions share.
 *
 * <p>Row {@code i} has the lengths of the shortest paths from vertex {@code i} found so far; in the
 * beginning, of the edges.
 *
 * @see "R. W. Floyd, Algorithm 97: Shortest path, Communications of the ACM 5(6), 1962"
 */
final class DistanceTable {

  /** No path; the sum of two of them still is a number. */
  static final int NONE = Integer.MAX_VALUE / 2;

  private static final int EDGES_PER_VERTEX = 8; // so that most paths have several edges
  private static final int LONGEST_EDGE = 1000;

  private final int first;

  /*
   * An array per row: two rows are added at the same index, which the compiler makes vectors of; with all rows in one
   * array, where it has to fear that they overlap, this takes three times as long.
   */
  private final int[][] rows;

  /**
   * Makes rows of the table of a random graph, the same whoever makes them.
   *
   * @param first of the rows that are wanted
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
   * Lets all paths from here go through a vertex where that is shorter.
   *
   * @param further that vertex's row
   */
  void goThrough(int via, int[] further) {
    for (var row : rows) {
      goThrough(via, further, row);
    }
  }

  /** Does so for the paths of one row; to do it again changes nothing. */
  static void goThrough(int via, int[] further, int[] row) {
    var there = row[via];
    for (var to = 0; to < row.length; to++) {
      row[to] = Math.min(row[to], there + further[to]);
    }
  }
}
