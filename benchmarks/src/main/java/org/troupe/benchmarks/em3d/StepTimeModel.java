package org.troupe.benchmarks.em3d;

import org.troupe.em3d.mesh.CubeDivision;

/**
 * What a step on a cube takes: each node its cells, and for each half of the step its borders, as
 * far as they do not travel while the inner cells are computed.
 *
 * @param nanosPerCell of the kernel, on a node of its own
 * @param latencyMicros of a message
 * @param nanosPerByte of a message
 */
record StepTimeModel(double nanosPerCell, double latencyMicros, double nanosPerByte) {

  private static final int BYTES_PER_FACE = 24;
  private static final int CELLS_PER_CUBE = 6;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * Fits what an exchange takes to two sizes of border that were measured.
   *
   * @param smallMillis all exchanges of a step with the smaller cube, beside its kernel
   * @param largeMillis the same with the larger one
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

  /** Takes all of a step beside its kernel for what it costs to send, on two nodes. */
  static StepTimeModel fitted(double nanosPerCell, int points, double besideMillis) {
    var perByte = besideMillis * NANOS_PER_MILLI / 2 / bytes(new CubeDivision(2, 1, 1), points);
    return new StepTimeModel(nanosPerCell, 0, perByte);
  }

  /** On a network with another latency. */
  StepTimeModel withLatencyMicros(double other) {
    return new StepTimeModel(nanosPerCell, other, nanosPerByte);
  }

  /** Milliseconds, and whatever is sent while the kernel is busy costs what it takes to send. */
  double millisPerStep(int points, int nodes) {
    var division = CubeDivision.auto(nodes, points);
    double n = points - 1;
    var kernel = nanosPerCell * CELLS_PER_CUBE * n * n * n / nodes;
    var sending = nodes == 1 ? 0 : nanosPerByte * bytes(division, points);
    var travelling = nodes == 1 ? 0 : latencyMicros * NANOS_PER_MICRO;
    return (kernel + 2 * sending + 2 * Math.max(0, travelling - kernel / 2)) / NANOS_PER_MILLI;
  }

  /** What a sub-domain in the middle sends in half a step. */
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
