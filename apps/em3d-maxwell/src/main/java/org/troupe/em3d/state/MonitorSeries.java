package org.troupe.em3d.state;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.Physics;

/**
 * The readings of all monitors of a run.
 *
 * @param series for each monitor step, numbers, step, numbers ...
 */
public record MonitorSeries(List<FieldMonitor> monitors, List<double[]> series) {

  /** Returns a CSV file per monitor, by file name; numbers have 17 significant digits. */
  public Map<String, String> files(double dtSeconds) {
    Map<String, String> files = new LinkedHashMap<>();
    for (var k = 0; k < monitors.size(); k++) {
      files.put(monitors.get(k).name() + ".csv", csv(monitors.get(k), series.get(k), dtSeconds));
    }
    return files;
  }

  /** Returns the signal of each probe with enough readings. */
  public Map<String, ProbeSignal> signals(double dtSeconds) {
    Map<String, ProbeSignal> signals = new LinkedHashMap<>();
    for (var k = 0; k < monitors.size(); k++) {
      if (monitors.get(k) instanceof FieldMonitor.Probe probe) {
        var signal = ProbeSignal.of(probe.name(), series.get(k), dtSeconds);
        if (signal != null) {
          signals.put(probe.name(), signal);
        }
      }
    }
    return signals;
  }

  private static String csv(FieldMonitor monitor, double[] numbers, double dtSeconds) {
    var isProbe = monitor instanceof FieldMonitor.Probe;
    var csv =
        new StringBuilder(
            switch (monitor) {
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
