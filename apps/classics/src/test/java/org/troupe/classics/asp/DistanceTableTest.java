package org.troupe.classics.asp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DistanceTableTest {

  private static final int VERTICES = 40;

  @Test
  void findsThePathsThatRepeatedEdgeRelaxationFinds() {
    var edges = new DistanceTable(VERTICES, 0, VERTICES).rows();
    var table = new DistanceTable(VERTICES, 0, VERTICES);

    for (var via = 0; via < VERTICES; via++) {
      table.relaxVia(via, table.row(via));
    }

    for (var from = 0; from < VERTICES; from++) {
      assertThat(table.row(from)).containsExactly(pathsFrom(from, edges));
    }
  }

  /** Appends one edge at a time (Bellman and Ford). */
  private static int[] pathsFrom(int from, int[][] edges) {
    var paths = new int[VERTICES];
    Arrays.fill(paths, DistanceTable.NONE);
    paths[from] = 0;
    for (var length = 1; length < VERTICES; length++) {
      for (var last = 0; last < VERTICES; last++) {
        for (var to = 0; to < VERTICES; to++) {
          paths[to] = Math.min(paths[to], paths[last] + edges[last][to]);
        }
      }
    }
    return paths;
  }
}
