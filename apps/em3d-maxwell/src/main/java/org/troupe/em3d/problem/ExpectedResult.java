package org.troupe.em3d.problem;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.maxwell.ResonancePeak;
import org.troupe.em3d.physics.FieldMonitor;
import org.troupe.em3d.physics.FreeField;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.state.RunPosition;

/** A known property of a problem's solution, to which the computed one is compared. */
public sealed interface ExpectedResult {

  /**
   * The results of a run that are compared.
   *
   * @param dt the time step (m)
   * @param energies the energies in the order of steps
   * @param errorOfE relative L2 error against the exact field; {@code null} if that is not known
   * @param monitors the monitors of the problem
   * @param series for each monitor step, numbers, step, numbers ...
   */
  record Evidence(
      double dt,
      List<RunPosition.Sample> energies,
      @Nullable Double errorOfE,
      List<FieldMonitor> monitors,
      List<double[]> series) {

    /** Returns one channel of a probe's readings; channel 0 is the step. */
    private double[] channel(int monitor, int channel) {
      var width = 7;
      var all = series.get(monitor);
      var values = new double[all.length / width];
      for (var k = 0; k < values.length; k++) {
        values[k] = all[width * k + channel];
      }
      return values;
    }
  }

  /**
   * The result of one comparison.
   *
   * @param what the compared quantity
   * @param expected the known value
   * @param found the computed value; NaN if there is none
   * @param tolerance the largest accepted difference
   */
  record Verdict(String what, double expected, double found, double tolerance) {

    /** As many digits as the found value, so that a limit is not printed as smaller than it is. */
    private static final MathContext AS_GIVEN = new MathContext(7);

    public Map<String, Object> values() {
      Map<String, Object> values = new LinkedHashMap<>();
      values.put("what", what);
      values.put("expected", expected);
      values.put("found", found);
      values.put("tolerance", tolerance);
      values.put("isMet", isMet());
      return values;
    }

    public boolean isMet() {
      return Math.abs(found - expected) <= tolerance;
    }

    @Override
    public String toString() {
      var limit = BigDecimal.valueOf(tolerance).round(AS_GIVEN).doubleValue();
      return "%s: %s, found %.7g, %s"
          .formatted(
              what,
              isMet() ? "met" : "MISSED",
              found,
              expected == 0
                  ? "at most " + limit
                  : "expected %.7g within %s".formatted(expected, limit));
    }
  }

  /** Compares the results; returns a verdict for each number that is compared. */
  List<Verdict> judge(Evidence evidence);

  /** Conservation of energy: the largest difference of two energies, relative to the first. */
  record EnergyDrift(double atMost) implements ExpectedResult {
    @Override
    public List<Verdict> judge(Evidence evidence) {
      var all =
          evidence.energies().stream().mapToDouble(RunPosition.Sample::energy).summaryStatistics();
      var first = evidence.energies().getFirst().energy();
      return List.of(new Verdict("energy drift", 0, (all.getMax() - all.getMin()) / first, atMost));
    }
  }

  /** Loss of energy: the last energy, relative to the largest. */
  record EnergyLeft(double atMost) implements ExpectedResult {
    @Override
    public List<Verdict> judge(Evidence evidence) {
      var most =
          evidence.energies().stream().mapToDouble(RunPosition.Sample::energy).max().orElse(0);
      var last = evidence.energies().getLast().energy();
      return List.of(new Verdict("energy left", 0, last / most, atMost));
    }
  }

  /** Agreement with the exact field: the relative L2 error of E at the end. */
  record ErrorOfE(double atMost) implements ExpectedResult {
    @Override
    public List<Verdict> judge(Evidence evidence) {
      var found = evidence.errorOfE() == null ? Double.NaN : evidence.errorOfE();
      return List.of(new Verdict("error of E", 0, found, atMost));
    }
  }

  /**
   * A resonance frequency, measured at a probe.
   *
   * @param monitor index of the probe
   * @param component 0 to 2 for E, 3 to 5 for H
   * @param omega its angular frequency (1/m)
   * @param within the relative tolerance
   */
  record Frequency(int monitor, int component, double omega, double within)
      implements ExpectedResult {
    @Override
    public List<Verdict> judge(Evidence evidence) {
      var probe = evidence.monitors().get(monitor);
      var signal = evidence.channel(monitor, 1 + component);
      var found =
          signal.length < 3
              ? Double.NaN
              : ResonancePeak.of(signal, probe.every() * evidence.dt(), omega).omega();
      return List.of(
          new Verdict(
              "frequency at " + probe.name() + " (Hz)",
              PhysicalDimension.hertz(omega),
              PhysicalDimension.hertz(found),
              PhysicalDimension.hertz(omega * within)));
    }
  }

  /**
   * Agreement with the field of the sources in free space: the largest deviation of E at each
   * probe, relative to the largest E there.
   */
  record OpenSpace(FreeField field, double within) implements ExpectedResult {
    @Override
    public List<Verdict> judge(Evidence evidence) {
      List<Verdict> verdicts = new ArrayList<>();
      for (var monitor = 0; monitor < evidence.monitors().size(); monitor++) {
        if (evidence.monitors().get(monitor) instanceof FieldMonitor.Probe probe) {
          verdicts.add(
              new Verdict(
                  "deviation at " + probe.name(),
                  0,
                  deviation(evidence, monitor, probe.point()),
                  within));
        }
      }
      return verdicts;
    }

    private double deviation(Evidence evidence, int monitor, Vector3 point) {
      var steps = evidence.channel(monitor, 0);
      var peak = 0.0;
      var deviation = 0.0;
      double[][] found = {
        evidence.channel(monitor, 1), evidence.channel(monitor, 2), evidence.channel(monitor, 3)
      };
      for (var k = 0; k < steps.length; k++) {
        var exact = field.at(point, steps[k] * evidence.dt());
        var computed = new Vector3(found[0][k], found[1][k], found[2][k]);
        peak = Math.max(peak, exact.length());
        deviation = Math.max(deviation, computed.plus(exact.times(-1)).length());
      }
      return deviation / peak;
    }
  }
}
