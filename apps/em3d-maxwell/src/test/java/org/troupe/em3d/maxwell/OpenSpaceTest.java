package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SourcePulse;
import org.troupe.em3d.physics.Vector3;
import org.troupe.em3d.physics.VectorField;

/** Waves that come in, go out, and are lost on their way. */
class OpenSpaceTest {

  private static final MediumMap VACUUM = MediumMap.uniform(Medium.VACUUM);
  private static final BoundaryMap OPEN = BoundaryMap.everywhere(BoundaryCondition.ABSORBING);

  private static LockstepSolver solver(int points, Physics physics, PolynomialOrder order) {
    LockstepSolver solver =
        new LockstepSolver(
            CubePart.all(points, new CubeDivision(1, 1, 1)),
            DipoleDiscretization.on(new CubeMesh(points), order, physics),
            order);
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));
    return solver;
  }

  private static double step(LockstepSolver solver) {
    return StepBound.step(solver.stableStepBound(), 0.9);
  }

  /** Errors and remainders are those of an independent program, with a margin. */
  @ParameterizedTest(name = "{0}, {1} points along ({2}, {3}, 0)")
  @CsvSource({
    "CONSTANT, 17, 1, 0, 0.22, 0.04",
    "CONSTANT, 33, 1, 0, 0.07, 0.01",
    "CONSTANT, 17, 1, 1, 0.22, 0.06",
    "LINEAR, 7, 1, 0, 0.24, 0.03",
    "LINEAR, 13, 1, 0, 0.05, 0.01",
    "LINEAR, 9, 1, 1, 0.15, 0.01"
  })
  void aPlaneWavePassesThroughAnEmptyBox(
      PolynomialOrder order, int points, double x, double y, double error, double remainder) {
    double width = 1 / (2 * Math.PI);
    FieldSource.PlaneWave wave =
        new FieldSource.PlaneWave(
            new Vector3(x, y, 0), new Vector3(0, 0, 1), new SourcePulse.Gaussian(4 * width, width));
    LockstepSolver solver = solver(points, new Physics(VACUUM, OPEN, List.of(wave)), order);
    double dt = step(solver);
    SubDomain box = solver.subDomains().getFirst();

    double largest = 0; // L2 norms
    double worst = 0;
    double now = 0;
    double end = (8 + 2) * width + Math.sqrt(x * x + y * y) + 1;
    for (int n = 1; n * dt < end; n++) {
      solver.step();
      if (n % 4 != 0) {
        continue; // to look takes longer than the step
      }
      double[] e = box.means(FieldKind.E);
      double squared = 0;
      double squaredError = 0;
      for (int cell = 0; cell < box.mesh().cells(); cell++) {
        double exact =
            wave.pulse().at(n * dt - wave.delay(Vector3.at(box.mesh().barycentres(), cell)));
        Vector3 computed = Vector3.at(e, cell);
        Vector3 difference = computed.plus(new Vector3(0, 0, -exact));
        squared += box.mesh().volumes()[cell] * exact * exact;
        squaredError += box.mesh().volumes()[cell] * difference.dot(difference);
      }
      largest = Math.max(largest, Math.sqrt(squared));
      now = Math.sqrt(squaredError);
      worst = Math.max(worst, now);
    }

    assertThat(worst / largest).isLessThan(error);
    assertThat(now / largest).isLessThan(remainder);
  }

  @ParameterizedTest
  @EnumSource(PolynomialOrder.class)
  void aPlaneWaveThatHasPassedAlreadyIsRefused(PolynomialOrder order) {
    var wave =
        new FieldSource.PlaneWave(
            new Vector3(-1, 0, 0), new Vector3(0, 0, 1), new SourcePulse.Gaussian(0.5, 0.1));

    assertThatThrownBy(() -> solver(5, new Physics(VACUUM, OPEN, List.of(wave)), order))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("would be at the absorbing face at (1.0, ")
        .hasMessageContaining("before the run begins");
  }

  @ParameterizedTest
  @CsvSource({"CONSTANT, 9", "LINEAR, 5"})
  void anOpenBoxOnlyLosesEnergy(PolynomialOrder order, int points) {
    LockstepSolver solver = solver(points, new Physics(VACUUM, OPEN, List.of()), order);
    solver.start(CavityMode.inVacuum(1, 1, 1));

    double before = solver.stepWithEnergy();
    double first = before;
    for (int n = 0; n < 200; n++) {
      double after = solver.stepWithEnergy();
      assertThat(after).isLessThanOrEqualTo(before * (1 + 1e-14));
      before = after;
    }
    assertThat(before / first).isLessThan(0.01);
  }

  /** Energy falls as exp(-gamma t), gamma being Z0 sigma / eps. */
  @ParameterizedTest
  @CsvSource({"CONSTANT, 13", "LINEAR, 5"})
  void aConductingMediumTakesItsShare(PolynomialOrder order, int points) {
    CavityMode mode = new CavityMode(1, 1, 0, Medium.VACUUM);
    Medium wet = new Medium(1, 1, 2e-4);
    LockstepSolver solver = solver(points, Physics.cavity(MediumMap.uniform(wet)), order);
    solver.start(mode);
    double dt = step(solver);
    int period = (int) Math.round(2 * Math.PI / mode.omega() / dt);

    double first = energyOfPeriod(solver, period);
    for (int n = 0; n < 4 * period; n++) {
      solver.step();
    }
    double last = energyOfPeriod(solver, period);

    double expected = Math.exp(-wet.decay() * 5 * period * dt);
    assertThat(last / first).isCloseTo(expected, within(5e-3));
  }

  private static double energyOfPeriod(LockstepSolver solver, int period) {
    double sum = 0;
    for (int n = 0; n < period; n++) {
      sum += solver.stepWithEnergy();
    }
    return sum / period;
  }

  /** With a magnetic wall at x = 0: E_z = cos(pi x/2) sin(pi y). */
  @ParameterizedTest
  @CsvSource({"CONSTANT, 13", "LINEAR, 7"})
  void aPlaneOfSymmetryHalvesAWave(PolynomialOrder order, int points) {
    double omega = Math.PI * Math.sqrt(1.25);
    BoundaryMap half =
        (surface, x, y, z) -> x < 1e-9 ? BoundaryCondition.PMC : BoundaryCondition.PEC;
    VectorField mode =
        (x, y, z, value) -> {
          value[0] = 0;
          value[1] = 0;
          value[2] = Math.cos(Math.PI * x / 2) * Math.sin(Math.PI * y);
        };
    LockstepSolver solver = solver(points, new Physics(VACUUM, half, List.of()), order);

    ResonancePeak found = solver.resonance(mode, 16, omega);
    EnergyHistory energy = new EnergyHistory();
    for (int n = 0; n < 200; n++) {
      energy.add(n, solver.stepWithEnergy());
    }

    assertThat(found.omega() / omega).isCloseTo(1, within(0.01));
    assertThat(energy.spread()).isLessThan(1e-12);
  }

  @Test
  void surfacesAreWhatTheyAreCalled() {
    BoundaryMap boundaries = BoundaryMap.byName(List.of("pec", "Absorbing", "17"));

    assertThat(boundaries.at("Absorbing", 0, 0, 0)).isEqualTo(BoundaryCondition.ABSORBING);
    assertThat(boundaries.at("17", 0, 0, 0)).isEqualTo(BoundaryCondition.PEC);
    assertThat(boundaries.at("", 0, 0, 0)).isEqualTo(BoundaryCondition.PEC);
    assertThatThrownBy(() -> BoundaryMap.byName(List.of("wall")))
        .hasMessage(
            "the physical surface 'wall' names no boundary condition; call it pec, pmc"
                + " or absorbing in the mesh");
  }

  /**
   * Against the field of a point dipole, {@code E = 1/(4 pi) ((3 (z.r) r - z)(p/r^3 + p'/r^2) +
   * ((z.r) r - z) p''/r)} at the time t - r, summed over the cells that carry the current.
   */
  @ParameterizedTest
  @CsvSource({"CONSTANT, 33, 5e-3", "LINEAR, 13, 0.03"})
  void aDipoleRadiates(PolynomialOrder order, int points, double remainder) {
    double width = 1 / (2 * Math.PI);
    SourcePulse pulse = new SourcePulse.Gaussian(4 * width, width);
    Vector3 centre = new Vector3(0.5, 0.5, 0.5);
    FieldSource.Dipole dipole = new FieldSource.Dipole(centre, new Vector3(0, 0, 1), 0.125, pulse);
    LockstepSolver solver = solver(points, new Physics(VACUUM, OPEN, List.of(dipole)), order);
    SubDomain box = solver.subDomains().getFirst();
    double dt = step(solver);
    double[] x = box.mesh().barycentres();
    double[] volumes = box.mesh().volumes();
    List<Vector3> probes =
        List.of(
            new Vector3(0.8, 0.5, 0.5),
            new Vector3(0.5, 0.8, 0.5),
            new Vector3(0.7, 0.7, 0.6),
            new Vector3(0.675, 0.5, 0.725));

    List<int[]> around = probes.stream().map(probe -> around(box, probe)).toList();
    int steps = (int) (2.1 / dt);
    double[][] computed = new double[probes.size()][steps];
    double mostEnergy = 0;
    double energy = 0;
    for (int n = 0; n < steps; n++) {
      energy = solver.stepWithEnergy();
      mostEnergy = Math.max(mostEnergy, energy);
      for (int k = 0; k < computed.length; k++) {
        computed[k][n] = mean(box, around.get(k));
      }
    }

    assertThat(energy / mostEnergy).isLessThan(remainder);
    for (int k = 0; k < computed.length; k++) {
      Vector3 probe = centre(box, around.get(k));
      double peak = 0;
      double deviation = 0;
      for (int n = 0; n < steps; n += 3) {
        double exact = 0;
        double all = 0;
        for (int cell = 0; cell < box.mesh().cells(); cell++) {
          Vector3 at = Vector3.at(x, cell);
          if (dipole.reaches(at)) {
            double share = dipole.weight(at) * volumes[cell];
            all += share;
            exact += share * radiated(probe.plus(at.times(-1)), (n + 1) * dt, pulse);
          }
        }
        exact /= all;
        peak = Math.max(peak, Math.abs(exact));
        deviation = Math.max(deviation, Math.abs(exact - computed[k][n]));
      }
      assertThat(deviation / peak).as("at " + probes.get(k)).isLessThan(0.15);
    }
  }

  /** The cells around a point. */
  private static int[] around(SubDomain box, Vector3 point) {
    double[] x = box.mesh().barycentres();
    return IntStream.range(0, box.mesh().cells())
        .filter(cell -> Vector3.at(x, cell).plus(point.times(-1)).length() < 0.035)
        .toArray();
  }

  private static Vector3 centre(SubDomain box, int[] cells) {
    Vector3 sum = new Vector3(0, 0, 0);
    double volume = 0;
    for (int cell : cells) {
      sum = sum.plus(Vector3.at(box.mesh().barycentres(), cell).times(box.mesh().volumes()[cell]));
      volume += box.mesh().volumes()[cell];
    }
    return sum.times(1 / volume);
  }

  /** The mean of E_z. */
  private static double mean(SubDomain box, int[] cells) {
    double[] e = box.means(FieldKind.E);
    double sum = 0;
    double volume = 0;
    for (int cell : cells) {
      sum += box.mesh().volumes()[cell] * e[3 * cell + 2];
      volume += box.mesh().volumes()[cell];
    }
    return sum / volume;
  }

  private static double radiated(Vector3 from, double time, SourcePulse pulse) {
    double r = from.length();
    double cos = from.z() / r;
    double then = time - r;
    double bend = (pulse.slope(then + 1e-5) - pulse.slope(then - 1e-5)) / 2e-5;
    return ((3 * cos * cos - 1) * (pulse.at(then) / (r * r * r) + pulse.slope(then) / (r * r))
            + (cos * cos - 1) * bend / r)
        / (4 * Math.PI);
  }
}
