package org.troupe.em3d.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.troupe.em3d.kernel.ExactSum;
import org.troupe.em3d.maxwell.SubDomainMonitors;
import org.troupe.em3d.physics.FieldMonitor;

/**
 * Adds up what the gauges of all sub-domains read, and keeps it: the same to the last bit for every
 * division. For one thread.
 */
final class MonitorRecorder {

  private final List<FieldMonitor> gauges;
  private final List<Rows> rows = new ArrayList<>();
  private final List<TreeMap<Integer, ExactSum[]>> pending = new ArrayList<>(); // by step
  private final int[] told; // up to which step, for each rank

  /** The readings of one gauge: its step, then its numbers. */
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
   * Prepares for a leg.
   *
   * @param from the step that the sub-domains begin with
   * @param past what {@link #series} was then; empty at the beginning of a run
   */
  MonitorRecorder(List<FieldMonitor> gauges, int ranks, int from, List<double[]> past) {
    this.gauges = gauges;
    told = new int[ranks];
    Arrays.fill(told, from);
    for (var k = 0; k < gauges.size(); k++) {
      rows.add(new Rows(past.isEmpty() ? new double[0] : past.get(k)));
      pending.add(new TreeMap<>());
    }
  }

  /** Takes what a sub-domain read in all steps before this one. */
  void add(int rank, int before, List<SubDomainMonitors.Share> shares) {
    for (var share : shares) {
      var sums =
          pending
              .get(share.gauge())
              .computeIfAbsent(share.step(), step -> blank(gauges.get(share.gauge()).channels()));
      for (var channel = 0; channel < sums.length; channel++) {
        for (var term : share.sums()[channel]) {
          sums[channel].add(term);
        }
      }
    }
    told[rank] = before;
    var complete = Arrays.stream(told).min().orElse(0);
    for (var k = 0; k < gauges.size(); k++) {
      var steps = pending.get(k);
      while (!steps.isEmpty() && steps.firstKey() < complete) {
        var first = steps.pollFirstEntry();
        var sums = Arrays.stream(first.getValue()).mapToDouble(ExactSum::value).toArray();
        rows.get(k).add(first.getKey(), gauges.get(k).reading(sums));
      }
    }
  }

  private static ExactSum[] blank(int channels) {
    var sums = new ExactSum[channels];
    Arrays.setAll(sums, k -> new ExactSum());
    return sums;
  }

  /** The readings of each gauge in the order of steps: step, numbers, step, numbers ... */
  List<double[]> series() {
    return rows.stream().map(Rows::all).toList();
  }
}
