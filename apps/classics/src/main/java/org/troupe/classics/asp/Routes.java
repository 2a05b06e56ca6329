package org.troupe.classics.asp;

import org.troupe.classics.Stretch;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The distances from those vertices that one member has. */
class Routes {

  private final int vertices;
  private Table table;
  private int[][] came; // a row of somebody else's, and the next one

  public Routes(int vertices) {
    this.vertices = vertices;
  }

  /** Takes its share of the vertices, and the edges that begin there. */
  void prepare() {
    var spmd = Spmd.here(Routes.class);
    var own = Stretch.of(vertices, spmd);
    table = new Table(vertices, own.first(), own.count());
    came = new int[2][vertices];
  }

  /**
   * Finds the shortest paths. Who has the next vertex brings its row up to date before all others
   * and broadcasts it, so that it travels while those are computed.
   */
  void findPaths() {
    var spmd = Spmd.here(Routes.class);
    var owner = 0;
    var row = broadcast(spmd, owner, 0);
    for (var next = 1; next < vertices; next++) {
      var via = next - 1;
      if (table.has(next)) {
        Table.goThrough(via, row, table.row(next));
      }
      if (next == Stretch.of(vertices, owner, spmd.size()).end()) {
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
  private int[] broadcast(Spmd<Routes> spmd, int owner, int vertex) {
    var row = table.has(vertex) ? table.row(vertex) : came[vertex % 2];
    spmd.broadcast(owner, Slice.of(row));
    return row;
  }

  int[][] distances() {
    return table.rows();
  }
}
