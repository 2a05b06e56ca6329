package org.troupe.classics.sor;

import java.util.Arrays;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The rows of one member, with a copy of the adjacent row of each neighbour. */
class PlateStrip {

  private final int size;
  private int done; // iterations
  private int first; // row of this member in the whole plate, never an edge
  private int rows;

  @SuppressWarnings("NullAway.Init") // prepare() sets it before relax() is called
  private PlateRows plate; // row 0 is the row above the first one

  public PlateStrip(int size) {
    this.size = size;
  }

  /** Creates this member's share of the initial rows between the edges. */
  void prepare() {
    var spmd = Spmd.here(PlateStrip.class);
    var own = IndexRange.of(size - 2, spmd);
    first = 1 + own.first();
    rows = own.count();
    plate = new PlateRows(size, first - 1, rows + 2);
    done = 0;
  }

  /**
   * Relaxes both colours in turns. The border rows come first, so that they travel while the other
   * rows are relaxed.
   */
  void relax(int iterations) {
    var spmd = Spmd.here(PlateStrip.class);
    for (var iteration = 0; iteration < iterations; iteration++) {
      relax(spmd, first & 1);
      relax(spmd, first + 1 & 1);
      done++;
    }
    spmd.barrier().join();
  }

  private void relax(Spmd<PlateStrip> spmd, int parity) {
    plate.relax(1, 2, parity);
    if (rows > 1) {
      plate.relax(rows, rows + 1, parity + rows - 1);
    }
    if (!isUppermost(spmd)) {
      spmd.send(spmd.rank() - 1, row(1));
    }
    if (!isLowest(spmd)) {
      spmd.send(spmd.rank() + 1, row(rows));
    }
    plate.relax(2, rows, parity + 1);
    if (!isUppermost(spmd)) {
      spmd.receive(spmd.rank() - 1, row(0));
    }
    if (!isLowest(spmd)) {
      spmd.receive(spmd.rank() + 1, row(rows + 1));
    }
  }

  private static boolean isUppermost(Spmd<PlateStrip> spmd) {
    return spmd.rank() == 0;
  }

  private static boolean isLowest(Spmd<PlateStrip> spmd) {
    return spmd.rank() == spmd.size() - 1;
  }

  private Slice<double[]> row(int row) {
    return Slice.of(plate.values()).from(plate.row(row), size);
  }

  /** Returns the number of points along one side of the whole plate. */
  int size() {
    return size;
  }

  /** Returns the number of iterations since the beginning. */
  int done() {
    return done;
  }

  /** Returns this member's rows. */
  double[] rows() {
    var begin = plate.row(1);
    return Arrays.copyOfRange(plate.values(), begin, begin + rows * size);
  }
}
