package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.em3d.kernel.CompensatedSum;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;

/** The scheme conserves energy, up to the step at which it becomes unstable. */
class EnergyTest {

  private static final CavityMode MODE = CavityMode.inVacuum(1, 1, 1);

  @ParameterizedTest
  @ValueSource(strings = {"1x1x1", "3x2x1"})
  void isConstantToRoundOff(String division) {
    assertThat(afterRun(CubePart.all(17, CubeDivision.parse(division)), 0.9, 1000).spread())
        .isLessThan(1e-13);
  }

  @Test
  void isConstantOnAnUnstructuredMesh() {
    assertThat(afterRun(DivisionIndependenceTest.mesh("cube.msh").parts(4), 0.9, 1000).spread())
        .isLessThan(1e-13);
  }

  /** Measured: stable at 1.49 times the proved bound, unstable at 1.51. */
  @Test
  void staysConstantAboveTheProvedBoundAndBelowTheExactOne() {
    assertThat(afterRun(CubePart.all(9, new CubeDivision(1, 1, 1)), 1.49, 2000).spread())
        .isLessThan(1e-12);
  }

  @Test
  void endsTheRunWhenItOverflows() {
    List<CubePart> cube = CubePart.all(9, new CubeDivision(2, 1, 1));

    assertThatThrownBy(() -> afterRun(cube, 1.6, 4000))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageMatching(
            "the energy is -?(Infinity|NaN) at step \\d+, the fields have grown without bound; use"
                + " a cfl of at most 1");
  }

  @Test
  void courantNumbersAboveOneAreRefused() {
    assertThatThrownBy(() -> StepBound.step(0.03, 1.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "cfl 1.01 is above 1, where stability is not proved (the bound is a step of 0.03 m);"
                + " use at most 1, or ask for an unproved step");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.5, Double.NaN, Double.POSITIVE_INFINITY})
  void courantNumbersThatGiveNoStepAreRefused(double cfl) {
    assertThatThrownBy(() -> StepBound.unprovedStep(0.03, cfl))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("gives no time step");
  }

  @Test
  void sumsKeepWhatPlainOnesLose() {
    CompensatedSum sum = new CompensatedSum();
    for (double term : new double[] {1, 1e100, 1, -1e100}) {
      sum.add(term);
    }

    assertThat(sum.value()).isEqualTo(2);
    sum.reset();
    assertThat(sum.value()).isZero();
    sum.add(Double.POSITIVE_INFINITY);
    assertThat(sum.value()).isInfinite();
  }

  private static EnergyHistory afterRun(List<? extends MeshPart> parts, double cfl, int steps) {
    LockstepSolver solver =
        new LockstepSolver(parts, Physics.cavity(MediumMap.uniform(Medium.VACUUM)));
    solver.useStep(StepBound.unprovedStep(solver.stableStepBound(), cfl));
    solver.start(MODE);
    EnergyHistory history = new EnergyHistory();
    for (int n = 0; n < steps; n++) {
      history.add(n, solver.stepWithEnergy());
    }
    return history;
  }
}
