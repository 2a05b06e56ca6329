package org.troupe.deployment.node;

import org.troupe.activeobjects.hosting.MiddlewareObject;

/**
 * An active object that measures round-trip time and throughput to another one; used for one
 * measurement.
 */
public class LatencyProbe implements MiddlewareObject {

  private static final int WARMING_CALLS = 5;
  private static final int CALLS = 10;

  /**
   * A transfer is long enough when the resolution of the clock and the cost of one call are
   * negligible.
   */
  private static final long LONG_ENOUGH_NANOS = 200_000_000;

  private static final int FIRST_BYTES = 64 << 10;

  /** Nodes with a small heap have to hold several copies of the argument. */
  private static final int MOST_BYTES = 4 << 20;

  /** Receives bytes; returns their number. */
  public int take(byte[] bytes) {
    return bytes.length;
  }

  /** Returns the round-trip time in nanoseconds, and the throughput in bytes per second. */
  public double[] measure(LatencyProbe other) {
    var roundTrip = Long.MAX_VALUE;
    for (var call = -WARMING_CALLS; call < CALLS; call++) {
      var nanos = nanos(other, new byte[0]);
      roundTrip = call < 0 ? roundTrip : Math.min(roundTrip, nanos);
    }
    for (var size = FIRST_BYTES; ; size *= 2) { // smaller ones first, since connections speed up
      var bytes = new byte[size];
      var nanos = Math.min(nanos(other, bytes), nanos(other, bytes));
      if (nanos >= LONG_ENOUGH_NANOS || size == MOST_BYTES) {
        var passing = Math.max(nanos - roundTrip, nanos / 2);
        return new double[] {roundTrip, size * 1e9 / passing};
      }
    }
  }

  private static long nanos(LatencyProbe other, byte[] bytes) {
    var start = System.nanoTime();
    other.take(bytes);
    return Math.max(1, System.nanoTime() - start);
  }
}
