package org.troupe.em3d.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.troupe.em3d.kernel.ExactSum;
import org.troupe.em3d.maxwell.SubDomainMonitors;
import org.troupe.em3d.physics.FieldMonitor;

/**
 * Sums the readings of all sub-domains and records them; the result is equal to the last bit for
 * every division. For one thread.
 */
final class MonitorRecorder {

  private final List<FieldMonitor> monitors;
  private final List<Rows> rows = new ArrayList<>();
  private final List<TreeMap<Integer, ExactSum[]>> pending = new ArrayList<>(); // by step
  private final int[] reportedUpTo; // by rank: the step up to which readings have come

  /** The readings of one monitor: step, numbers, step, numbers ... */
  private static final class Rows {

    private double[] values;
    private int length;

    Rows(double[] values) {
      this.values = values;
      length = values.length;
    }

    void add(int step, double[] reading) {
      var needed = length + 1 + reading.length;
      if (needed > values.length) {
        values = Arrays.copyOf(values, Math.max(needed, 2 * values.length));
      }
      values[length] = step;
      System.arraycopy(reading, 0, values, length + 1, reading.length);
      length = needed;
    }

    double[] all() {
      return Arrays.copyOf(values, length);
    }
  }

  /**
   * Prepares for a run segment.
   *
   * @param from the first step of the segment
   * @param past the {@link #series} up to then; empty at the start of a run
   */
  MonitorRecorder(List<FieldMonitor> monitors, int ranks, int from, List<double[]> past) {
    this.monitors = monitors;
    reportedUpTo = new int[ranks];
    Arrays.fill(reportedUpTo, from);
    for (var k = 0; k < monitors.size(); k++) {
      rows.add(new Rows(past.isEmpty() ? new double[0] : past.get(k)));
      pending.add(new TreeMap<>());
    }
  }

  /** Takes the readings of a sub-domain from all steps before this one. */
  void add(int rank, int before, List<SubDomainMonitors.Share> shares) {
    for (var share : shares) {
      var sums =
          pending
              .get(share.monitor())
              .computeIfAbsent(
                  share.step(), step -> blank(monitors.get(share.monitor()).channels()));
      for (var channel = 0; channel < sums.length; channel++) {
        for (var term : share.sums()[channel]) {
          sums[channel].add(term);
        }
      }
    }
    reportedUpTo[rank] = before;
    var complete = Arrays.stream(reportedUpTo).min().orElse(0);
    for (var k = 0; k < monitors.size(); k++) {
      var steps = pending.get(k);
      while (!steps.isEmpty() && steps.firstKey() < complete) {
        var first = steps.pollFirstEntry();
        var sums = Arrays.stream(first.getValue()).mapToDouble(ExactSum::value).toArray();
        rows.get(k).add(first.getKey(), monitors.get(k).reading(sums));
      }
    }
  }

  private static ExactSum[] blank(int channels) {
    var sums = new ExactSum[channels];
    Arrays.setAll(sums, k -> new ExactSum());
    return sums;
  }

  /**
   * Returns the readings of each monitor in the order of steps: step, numbers, step, numbers ...
   */
  List<double[]> series() {
    return rows.stream().map(Rows::all).toList();
  }
}
