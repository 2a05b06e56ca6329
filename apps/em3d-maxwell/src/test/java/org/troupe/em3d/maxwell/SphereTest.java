package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SphereMode;

/** The lowest standing wave of a spherical cavity, on an unstructured mesh of edge 0.18. */
class SphereTest {

  @Test
  void resonatesWithinOnePerCentOfTheExactFrequency() {
    LockstepSolver solver =
        new LockstepSolver(
            DivisionIndependenceTest.mesh("sphere.msh").parts(3),
            Physics.cavity(MediumMap.uniform(Medium.VACUUM)));
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));

    ResonancePeak found = solver.resonance(SphereMode.electric(), 24, SphereMode.OMEGA);

    assertThat(found.omega()).isCloseTo(2.743707, within(0.01 * 2.743707));
    assertThat(found.amplitude()).isBetween(0.4, 1.0);
  }

  @Test
  void frequencyIsTheRootOfTheMode() {
    double x = SphereMode.OMEGA;

    // (x j1)' = sin x - j1 with j1 = sin x / x^2 - cos x / x
    assertThat(Math.sin(x) - Math.sin(x) / (x * x) + Math.cos(x) / x).isCloseTo(0, within(1e-15));
  }

  @Test
  void fieldIsSmoothAtTheCentre() {
    double[] centre = value(0, 0, 0);
    double[] series = value(0.0036, 0.0002, -0.0001);
    double[] formula = value(0.0037, 0.0002, -0.0001);

    assertThat(centre)
        .containsExactly(new double[] {0, 0, 2 * SphereMode.OMEGA / 3}, within(1e-15));
    assertThat(series).containsExactly(centre, within(1e-4));
    assertThat(formula).containsExactly(series, within(1e-5));
  }

  @Test
  void fieldIsNormalToTheWall() {
    double third = 1 / Math.sqrt(3);
    double[] value = value(third, third, third);

    assertThat(value[0]).isCloseTo(value[2], within(1e-14));
    assertThat(value[1]).isCloseTo(value[2], within(1e-14));
  }

  private static double[] value(double x, double y, double z) {
    double[] value = new double[3];
    SphereMode.electric().at(x, y, z, value);
    return value;
  }
}
