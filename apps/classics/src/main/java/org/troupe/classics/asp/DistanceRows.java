package org.troupe.classics.asp;

import org.troupe.classics.IndexRange;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The distances from those vertices that one member has. */
class DistanceRows {

  private final int vertices;
  private DistanceTable table;
  private int[][] came; // a row of somebody else's, and the next one

  public DistanceRows(int vertices) {
    this.vertices = vertices;
  }

  /** Takes its share of the vertices, and the edges that begin there. */
  void prepare() {
    var spmd = Spmd.here(DistanceRows.class);
    var own = IndexRange.of(vertices, spmd);
    table = new DistanceTable(vertices, own.first(), own.count());
    came = new int[2][vertices];
  }

  /**
   * Finds the shortest paths. Who has the next vertex brings its row up to date before all others
   * and broadcasts it, so that it travels while those are computed.
   */
  void findPaths() {
    var spmd = Spmd.here(DistanceRows.class);
    var owner = 0;
    var row = broadcast(spmd, owner, 0);
    for (var next = 1; next < vertices; next++) {
      var via = next - 1;
      if (table.has(next)) {
        DistanceTable.goThrough(via, row, table.row(next));
      }
      if (next == IndexRange.of(vertices, owner, spmd.size()).end()) {
        owner++;
      }
      var nextRow = broadcast(spmd, owner, next);
      table.goThrough(via, row);
      row = nextRow;
    }
    table.goThrough(vertices - 1, row);
    spmd.barrier().join();
  }

  /** Gives all members a vertex's row. */
  private int[] broadcast(Spmd<DistanceRows> spmd, int owner, int vertex) {
    var row = table.has(vertex) ? table.row(vertex) : came[vertex % 2];
    spmd.broadcast(owner, Slice.of(row));
    return row;
  }

  int[][] distances() {
    return table.rows();
  }
}
