package org.troupe.classics.sor;

import java.util.Arrays;
import org.troupe.classics.IndexRange;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** The rows of one member, and between them and its neighbours' a copy of those next to them. */
class PlateStrip {

  private final int size;
  private final int iterations;
  private int first; // row of the whole plate, and never an edge
  private int rows;
  private PlateRows plate; // row 0 is the one above the first

  public PlateStrip(int size, int iterations) {
    this.size = size;
    this.iterations = iterations;
  }

  /** Takes its share of the rows between the edges, as they are in the beginning. */
  void prepare() {
    var spmd = Spmd.here(PlateStrip.class);
    var own = IndexRange.of(size - 2, spmd);
    first = 1 + own.first();
    rows = own.count();
    plate = new PlateRows(size, first - 1, rows + 2);
  }

  /**
   * Relaxes both colours in turns. The rows at the border come first, so that they travel while the
   * others are relaxed.
   */
  void relax() {
    var spmd = Spmd.here(PlateStrip.class);
    for (var iteration = 0; iteration < iterations; iteration++) {
      relax(spmd, first & 1);
      relax(spmd, first + 1 & 1);
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

  /** Returns its rows, one after the other. */
  double[] rows() {
    var begin = plate.row(1);
    return Arrays.copyOfRange(plate.values(), begin, begin + rows * size);
  }
}
