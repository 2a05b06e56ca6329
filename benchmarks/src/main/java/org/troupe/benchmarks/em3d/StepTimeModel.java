package org.troupe.benchmarks.em3d;

import org.troupe.em3d.mesh.CubeDivision;

/**
 * A model of the time of a step on a cube: the kernel's time for a node's cells, and in each half
 * of the step the time to exchange borders, except for the part in which they travel while inner
 * cells are computed.
 *
 * @param nanosPerCell the kernel's time for a cell
 * @param latencyMicros the latency of a message
 * @param nanosPerByte the time to send a byte
 */
record StepTimeModel(double nanosPerCell, double latencyMicros, double nanosPerByte) {

  private static final int BYTES_PER_FACE = 24;
  private static final int CELLS_PER_CUBE = 6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Fits latency and rate to the measured exchanges of two sizes of border.
   *
   * @param smallMillis the time of a step beside its kernel, on two nodes with the smaller cube
   * @param largeMillis the time of a step beside its kernel, with the larger cube
   */
  static StepTimeModel fitted(
      double nanosPerCell, int small, double smallMillis, int large, double largeMillis) {
    var two = new CubeDivision(2, 1, 1);
    double smallBytes = bytes(two, small);
    double largeBytes = bytes(two, large);
    var perByte =
        Math.max(0, (largeMillis - smallMillis) * NANOS_PER_MILLI / 2 / (largeBytes - smallBytes));
    var latency = Math.max(0, smallMillis * NANOS_PER_MILLI / 2 - perByte * smallBytes);
    return new StepTimeModel(nanosPerCell, latency / NANOS_PER_MICRO, perByte);
  }

  /**
   * Fits the rate alone: attributes all time of a step beside its kernel, on two nodes, to sending.
   */
  static StepTimeModel fitted(double nanosPerCell, int points, double besideMillis) {
    var perByte = besideMillis * NANOS_PER_MILLI / 2 / bytes(new CubeDivision(2, 1, 1), points);
    return new StepTimeModel(nanosPerCell, 0, perByte);
  }

  /** Returns the model for another latency. */
  StepTimeModel withLatencyMicros(double other) {
    return new StepTimeModel(nanosPerCell, other, nanosPerByte);
  }

  /**
   * Returns the milliseconds of a step. Sending costs time even while the kernel computes; only the
   * latency is hidden.
   */
  double millisPerStep(int points, int nodes) {
    var division = CubeDivision.auto(nodes, points);
    double n = points - 1;
    var kernel = nanosPerCell * CELLS_PER_CUBE * n * n * n / nodes;
    var sending = nodes == 1 ? 0 : nanosPerByte * bytes(division, points);
    var travelling = nodes == 1 ? 0 : latencyMicros * NANOS_PER_MICRO;
    return (kernel + 2 * sending + 2 * Math.max(0, travelling - kernel / 2)) / NANOS_PER_MILLI;
  }

  /** Returns the bytes that a sub-domain in the middle of the cube sends in half a step. */
  private static double bytes(CubeDivision division, int points) {
    double n = points - 1;
    var faces = 0.0;
    faces += sides(division.x()) * 2 * n * n / division.y() / division.z();
    faces += sides(division.y()) * 2 * n * n / division.x() / division.z();
    faces += sides(division.z()) * 2 * n * n / division.x() / division.y();
    return BYTES_PER_FACE * faces;
  }

  private static int sides(int parts) {
    return Math.min(parts - 1, 2);
  }
}
