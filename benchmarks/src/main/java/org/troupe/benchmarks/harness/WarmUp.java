package org.troupe.benchmarks.harness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Repeats a measurement until its figures no longer change, which shows that the relevant code is
 * compiled.
 *
 * @param sliceMillis the duration of one measurement
 * @param mostBlocks the largest number of blocks of measurements, since a busy machine never
 *     settles
 */
record WarmUp(int sliceMillis, int mostBlocks) {

  /*
   * Why three equal blocks. Two JVMs on one core took 3 s (a bare link), 4 to 7 s (calls) and up to 11
   * s (calls over TLS) until their round trips stopped falling, with plateaus of half a second and with
   * setbacks where compiled code was discarded. So a block lasts half a second, counts by its median,
   * and three consecutive ones must agree.
   *
   * A fixed second of warm-up showed TLS null calls at several times their settled figure (c708719,
   * 2026-11-21), and SPMD members that exchange a number needed half a minute on one core to fall from
   * 870 to 12 us (02caae3, 2026-11-22).
   */

  /** For the first load of a JVM. */
  static final WarmUp COLD = new WarmUp(100, 30);

  /** For its further loads, most of whose code is compiled. */
  static final WarmUp LUKEWARM = new WarmUp(20, 40);

  private static final int SLICES = 5;
  private static final int ALIKE = 3;
  private static final double TOLERANCE = 0.05;

  /** Returns the number of blocks measured. */
  int run(TurnProtocol.Measure measure) throws Exception {
    Deque<Double> last = new ArrayDeque<>();
    for (var block = 1; block <= mostBlocks; block++) {
      last.add(median(measure));
      if (last.size() > ALIKE) {
        last.remove();
      }
      if (last.size() == ALIKE
          && Collections.max(last) <= Collections.min(last) * (1 + TOLERANCE)) {
        return block;
      }
    }
    return mostBlocks;
  }

  private double median(TurnProtocol.Measure measure) throws Exception {
    List<Double> figures = new ArrayList<>();
    for (var slice = 0; slice < SLICES; slice++) {
      figures.add(measure.during(sliceMillis));
    }
    return FigureSpread.of(figures).median();
  }
}
