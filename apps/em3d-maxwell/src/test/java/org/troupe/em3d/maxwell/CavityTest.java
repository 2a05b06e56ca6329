package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.VectorField;

/**
 * The standing waves of the unit cube.
 *
 * <p>The reference errors and energies are those of an independent program of the same scheme in
 * another language. The finest mesh takes a minute: it runs with {@code -Dtroupe.long=true} only.
 */
class CavityTest {

  /** The references are printed with four digits: rounded by up to 5e-4 of the value. */
  private static final Percentage FOUR_DIGITS = Percentage.withPercentage(0.06);

  @ParameterizedTest(name = "mode 11{0}, {1} points")
  @CsvSource(
      textBlock =
          """
          1, 9,  100, 3.521e-1, 3.764e-1, 3.134e-1, 2.701e-1
          1, 17, 200, 8.871e-2, 8.189e-2, 7.714e-2, 6.983e-2
          1, 33, 400, 3.526e-2, 4.076e-2, 2.538e-2, 3.113e-2
          0, 9,  100, 2.519e-1, 1.963e-1, 1.979e-1, 1.752e-1
          0, 17, 200, 8.255e-2, 7.968e-2, 6.044e-2, 6.263e-2
          0, 33, 400, 4.450e-2, 4.111e-2, 2.223e-2, 2.832e-2
          """)
  void hasTheErrorsOfTheScheme(
      int n, int points, int steps, double maxE, double maxH, double l2E, double l2H) {
    assertErrors(errors(CavityMode.inVacuum(1, 1, n), points, steps), maxE, maxH, l2E, l2H);
  }

  @ParameterizedTest(name = "mode 11{0}, 65 points")
  @EnabledIfSystemProperty(
      named = "troupe.long",
      matches = "true",
      disabledReason = "takes a minute; run with -Dtroupe.long=true")
  @CsvSource(
      textBlock =
          """
          1, 2.330e-2, 2.353e-2, 9.593e-3, 1.447e-2
          0, 2.089e-2, 2.108e-2, 9.994e-3, 1.416e-2
          """)
  void hasTheErrorsAndOrderOfTheSchemeOnTheFinestMesh(
      int n, double maxE, double maxH, double l2E, double l2H) {
    CavityMode mode = CavityMode.inVacuum(1, 1, n);
    FieldErrors coarse = errors(mode, 17, 200);
    FieldErrors fine = errors(mode, 65, 800);

    assertErrors(fine, maxE, maxH, l2E, l2H);
    assertThat(order(coarse.relativeE(), fine.relativeE(), 4)).isGreaterThan(1);
    assertThat(order(coarse.relativeH(), fine.relativeH(), 4)).isGreaterThan(1);
  }

  @Test
  void convergesInTheMeanWithOrderOneAtLeast() {
    CavityMode mode = CavityMode.inVacuum(1, 1, 1);
    FieldErrors coarse = errors(mode, 17, 200);
    FieldErrors fine = errors(mode, 33, 400);

    assertThat(order(coarse.relativeE(), fine.relativeE(), 2)).isGreaterThan(1.5);
    assertThat(order(coarse.relativeH(), fine.relativeH(), 2)).isGreaterThan(1.1);
  }

  @Test
  void convergesInFrequencyWithOrderTwo() {
    CavityMode mode = CavityMode.inVacuum(1, 1, 1);
    MediumMap vacuum = MediumMap.uniform(Medium.VACUUM);
    double coarse = deviation(9, vacuum, mode.electric(0), 12, mode.omega());
    double fine = deviation(25, vacuum, mode.electric(0), 12, mode.omega());

    assertThat(coarse).isCloseTo(-1.93e-2, within(2e-4));
    assertThat(fine).isCloseTo(-0.168e-2, within(2e-5));
    assertThat(order(-coarse, -fine, 3)).isGreaterThan(1.7);
  }

  /** The root is that of tan(k1/2)/k1 + tan(k2/2)/k2 = 0, k1^2 = 4w^2 - pi^2, k2^2 = w^2 - pi^2. */
  @Test
  void findsTheFrequencyOfTwoLayers() {
    double omega = 2.624533;
    MediumMap layers = (region, x, y, z) -> new Medium(z < 0.5 ? 4 : 1, 1);
    double k1 = Math.sqrt(4 * omega * omega - Math.PI * Math.PI);
    double decay = Math.sqrt(Math.PI * Math.PI - omega * omega);
    double ratio = Math.sin(k1 / 2) / Math.sinh(decay / 2);
    VectorField mode =
        (x, y, z, value) -> {
          value[0] = 0;
          value[1] =
              Math.sin(Math.PI * x)
                  * (z < 0.5 ? Math.sin(k1 * z) : ratio * Math.sinh(decay * (1 - z)));
          value[2] = 0;
        };

    assertThat(deviation(9, layers, mode, 24, omega)).isCloseTo(-1.63e-2, within(1e-3));
    assertThat(deviation(17, layers, mode, 24, omega)).isCloseTo(-0.316e-2, within(2e-4));
  }

  /**
   * With eps = 4 everywhere the step doubles, E is that of the vacuum, H' twice and W four times.
   */
  @Test
  void scalesWithThePermittivity() {
    CavityMode mode = new CavityMode(1, 1, 1, new Medium(4, 1));
    LockstepSolver solver = solver(17, MediumMap.uniform(mode.medium()));
    solver.start(mode);
    double energy = solver.stepWithEnergy();
    for (int n = 1; n < 200; n++) {
      solver.step();
    }
    FieldErrors errors = solver.errors(mode, 200);

    assertThat(energy).isCloseTo(0.4991118976, within(5e-11));
    assertThat(errors.relativeE()).isCloseTo(7.714e-2, FOUR_DIGITS);
    assertThat(errors.relativeH()).isCloseTo(2 * 6.983e-2, FOUR_DIGITS);
  }

  @ParameterizedTest(name = "{0} points")
  @CsvSource({"9, 0.1241259101260", "17, 0.1247779744067", "33, 0.1249442660591"})
  void startsWithTheEnergyOfTheScheme(int points, double energy) {
    LockstepSolver solver = solver(points, MediumMap.uniform(Medium.VACUUM));
    solver.start(CavityMode.inVacuum(1, 1, 1));

    assertThat(solver.stepWithEnergy()).isCloseTo(energy, within(1e-13));
  }

  @Test
  void everyModeHasItsFrequency() {
    for (CavityMode mode :
        List.of(
            CavityMode.inVacuum(0, 1, 1),
            CavityMode.inVacuum(1, 0, 1),
            CavityMode.inVacuum(1, 1, 0))) {
      assertThat(deviation(9, MediumMap.uniform(Medium.VACUUM), mode.electric(0), 12, mode.omega()))
          .as("%s", mode)
          .isBetween(-0.02, 0.0);
    }
  }

  private static void assertErrors(
      FieldErrors errors, double maxE, double maxH, double l2E, double l2H) {
    assertThat(errors.largestE()).isCloseTo(maxE, FOUR_DIGITS);
    assertThat(errors.largestH()).isCloseTo(maxH, FOUR_DIGITS);
    assertThat(errors.relativeE()).isCloseTo(l2E, FOUR_DIGITS);
    assertThat(errors.relativeH()).isCloseTo(l2H, FOUR_DIGITS);
  }

  private static FieldErrors errors(CavityMode mode, int points, int steps) {
    LockstepSolver solver = solver(points, MediumMap.uniform(mode.medium()));
    solver.start(mode);
    for (int n = 0; n < steps; n++) {
      solver.step();
    }
    return solver.errors(mode, steps);
  }

  /** Returns the relative deviation of the measured resonance from the expected one. */
  private static double deviation(
      int points, MediumMap media, VectorField electric, double time, double omega) {
    return solver(points, media).resonance(electric, time, omega).omega() / omega - 1;
  }

  private static double order(double coarse, double fine, double refinement) {
    return Math.log(coarse / fine) / Math.log(refinement);
  }

  private static LockstepSolver solver(int points, MediumMap media) {
    LockstepSolver solver =
        new LockstepSolver(CubePart.all(points, new CubeDivision(1, 1, 1)), Physics.cavity(media));
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));
    return solver;
  }
}
