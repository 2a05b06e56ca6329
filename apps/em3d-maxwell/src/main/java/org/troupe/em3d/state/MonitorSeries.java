package org.troupe.em3d.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Physics;

/**
 * What the gauges of a run read.
 *
 * @param series for each gauge step, numbers, step, numbers ...
 */
public record MonitorSeries(List<FieldMonitor> gauges, List<double[]> series) {

  /** The texts of a file for each gauge, by its name; numbers have 17 significant digits. */
  public Map<String, String> files(double dtSeconds) {
    Map<String, String> files = new LinkedHashMap<>();
    for (var k = 0; k < gauges.size(); k++) {
      files.put(gauges.get(k).name() + ".csv", csv(gauges.get(k), series.get(k), dtSeconds));
    }
    return files;
  }

  /** How E swings at each probe of which enough was read. */
  public Map<String, ProbeSignal> swings(double dtSeconds) {
    Map<String, ProbeSignal> swings = new LinkedHashMap<>();
    for (var k = 0; k < gauges.size(); k++) {
      if (gauges.get(k) instanceof FieldMonitor.Probe probe) {
        var swing = ProbeSignal.of(probe.name(), series.get(k), dtSeconds);
        if (swing != null) {
          swings.put(probe.name(), swing);
        }
      }
    }
    return swings;
  }

  private static String csv(FieldMonitor gauge, double[] numbers, double dtSeconds) {
    var isProbe = gauge instanceof FieldMonitor.Probe;
    var csv =
        new StringBuilder(
            switch (gauge) {
              case FieldMonitor.Probe probe ->
                  probe.cells().length == 1
                      ? "# in one cell; V/m and A/m%n".formatted()
                      : "# mean of %,d cells; V/m and A/m%n".formatted(probe.cells().length);
              case FieldMonitor.Flux flux -> "# power out of the box, W%n".formatted();
              case FieldMonitor.Outflow outflow ->
                  "# power out through '%s', W%n".formatted(outflow.surface());
            });
    csv.append(isProbe ? "step,time,Ex,Ey,Ez,Hx,Hy,Hz\n" : "step,time,power\n");
    var width = isProbe ? 7 : 2;
    for (var row = 0; row < numbers.length; row += width) {
      csv.append("%d,%s".formatted((long) numbers[row], digits(numbers[row] * dtSeconds)));
      for (var k = 1; k < width; k++) {
        var isElectric = isProbe && k <= 3;
        csv.append(',')
            .append(digits(numbers[row + k] / (isElectric ? 1 : Physics.VACUUM_IMPEDANCE)));
      }
      csv.append('\n');
    }
    return csv.toString();
  }

  private static String digits(double number) {
    return String.format(Locale.ROOT, "%.17g", number);
  }
}
