package org.troupe.classics.asp;

import org.troupe.classics.IndexRange;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** One member's rows of the distance table. */
@SuppressWarnings("NullAway.Init") // prepare() sets the fields before findPaths() is called
class DistanceRows {

  private final int vertices;
  private DistanceTable table;
  private int[][] received; // row of another member, and the next one

  public DistanceRows(int vertices) {
    this.vertices = vertices;
  }

  /** Generates the rows of this member's share of the vertices. */
  void prepare() {
    var spmd = Spmd.here(DistanceRows.class);
    var own = IndexRange.of(vertices, spmd);
    table = new DistanceTable(vertices, own.first(), own.count());
    received = new int[2][vertices];
  }

  /**
   * Finds the shortest paths. The owner of the next vertex updates that vertex's row first and
   * broadcasts it, so that the row travels while the other rows are updated.
   */
  void findPaths() {
    var spmd = Spmd.here(DistanceRows.class);
    var owner = 0;
    var row = broadcast(spmd, owner, 0);
    for (var next = 1; next < vertices; next++) {
      var via = next - 1;
      if (table.has(next)) {
        DistanceTable.relaxVia(via, row, table.row(next));
      }
      if (next == IndexRange.of(vertices, owner, spmd.size()).end()) {
        owner++;
      }
      var nextRow = broadcast(spmd, owner, next);
      table.relaxVia(via, row);
      row = nextRow;
    }
    table.relaxVia(vertices - 1, row);
    spmd.barrier().join();
  }

  /** Broadcasts the row of a vertex from its owner to all members. */
  private int[] broadcast(Spmd<DistanceRows> spmd, int owner, int vertex) {
    var row = table.has(vertex) ? table.row(vertex) : received[vertex % 2];
    spmd.broadcast(owner, Slice.of(row));
    return row;
  }

  int[][] distances() {
    return table.rows();
  }
}
