package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.mesh.WholeMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.BoundaryMap;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SourcePulse;
import org.troupe.em3d.physics.Vector3;

/** The current of a dipole on the cells around it, and its radiation. */
class DipoleTest {

  private static final SourcePulse PULSE = new SourcePulse.Gaussian(0.56, 0.14);

  private static FieldSource.Dipole dipole(double radius) {
    return new FieldSource.Dipole(
        new Vector3(0.513, 0.488, 0.502), new Vector3(0.3, -0.5, 0.8), radius, PULSE);
  }

  private static LockstepSolver solver(
      WholeMesh mesh,
      List<? extends MeshPart> parts,
      FieldSource.Dipole dipole,
      PolynomialOrder order) {
    var physics =
        DipoleDiscretization.on(
            mesh,
            order,
            new Physics(
                MediumMap.uniform(Medium.VACUUM),
                BoundaryMap.everywhere(BoundaryCondition.PEC),
                List.of(dipole)));
    LockstepSolver solver = new LockstepSolver(parts, physics, order);
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));
    return solver;
  }

  private static LockstepSolver ofCube(
      int points, FieldSource.Dipole dipole, PolynomialOrder order) {
    return solver(
        new CubeMesh(points), CubePart.all(points, new CubeDivision(2, 1, 1)), dipole, order);
  }

  /** After the first step E is the current of that step, and nothing else. */
  private static void assertWholeCurrent(LockstepSolver solver, FieldSource.Dipole dipole) {
    double dt = StepBound.step(solver.stableStepBound(), 0.9);
    solver.step();
    double[] sum = new double[3];
    int carriers = 0;
    for (SubDomain each : solver.subDomains()) {
      double[] e = each.means(FieldKind.E);
      for (int k = 0; k < e.length; k++) {
        sum[k % 3] += each.mesh().volumes()[k / 3] * e[k];
        carriers += e[k] == 0 || k % 3 > 0 ? 0 : 1;
      }
    }

    assertThat(carriers).isBetween(5, 80);
    double current = -dt * PULSE.slope(dt / 2);
    for (int axis = 0; axis < 3; axis++) {
      double expected = current * dipole.moment().dot(axis(axis));
      assertThat(sum[axis]).isCloseTo(expected, within(1e-12 * Math.abs(expected)));
    }
  }

  private static Vector3 axis(int axis) {
    return new Vector3(axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0);
  }

  /** An analytic integral over such a ball is off by up to a fifth. */
  @ParameterizedTest
  @EnumSource(PolynomialOrder.class)
  void fewCellsCarryTheWholeCurrent(PolynomialOrder order) {
    FieldSource.Dipole ofCube = dipole(0.08);
    FieldSource.Dipole ofFile = dipole(0.09);
    TetrahedralMesh file = DivisionIndependenceTest.mesh("cube.msh");

    assertWholeCurrent(ofCube(13, ofCube, order), ofCube);
    assertWholeCurrent(solver(file, file.parts(3), ofFile, order), ofFile);
  }

  /**
   * The whole energy of the fields after the pulse, before anything returns from the walls, is that
   * of Larmor's formula with the form factor of the ball. What a ball of fewer cells adds stays
   * where it is, as modes of the size of cells: of 400 cells 10 %, of 20 ten times what is radiated
   * (order 1: of 100 cells 10 %, of 20 the half).
   */
  @ParameterizedTest
  @CsvSource({"CONSTANT, 31, 400, 0.15", "LINEAR, 17, 100, 0.15", "LINEAR, 17, 800, 0.01"})
  void theBallRadiatesWhatLarmorsFormulaSays(
      PolynomialOrder order, int points, double cells, double tolerance) {
    double edge = 1.0 / (points - 1);
    FieldSource.Dipole dipole = dipole(edge * Math.cbrt(cells / 8 / Math.PI));
    LockstepSolver solver = ofCube(points, dipole, order);
    double dt = StepBound.step(solver.stableStepBound(), 0.9);
    for (int n = 0; n * dt < 1; n++) {
      solver.step();
    }

    assertThat(solver.stepWithEnergy() / radiated(dipole)).isCloseTo(1, within(tolerance));
  }

  /** The integral of {@code |k^2 p(k) w(k)|^2 / 6 pi} over all frequencies. */
  private static double radiated(FieldSource.Dipole dipole) {
    double width = 0.14;
    double sum = 0;
    double spacing = 0.01 / width;
    for (double k = spacing / 2; k < 10 / width; k += spacing) {
      double amplitude = width * Math.sqrt(Math.PI) * Math.exp(-k * k * width * width / 4);
      double field = k * k * amplitude * formFactor(dipole, k);
      sum += field * field * spacing / Math.PI;
    }
    return dipole.moment().dot(dipole.moment()) * sum / (6 * Math.PI);
  }

  private static double formFactor(FieldSource.Dipole dipole, double k) {
    double sum = 0;
    double all = 0;
    for (double part = 0.0025; part < 1; part += 0.005) {
      double r = part * dipole.radius();
      double share = r * r * Math.pow(Math.cos(Math.PI / 2 * part), 2);
      all += share;
      sum += share * Math.sin(k * r) / (k * r);
    }
    return sum / all;
  }

  @Test
  void aBallThatNoCellCarriesIsRefused() {
    assertThatThrownBy(() -> ofCube(3, dipole(1e-3), PolynomialOrder.CONSTANT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no cell carries the dipole at (0.513, 0.488, 0.502) m");
  }

  @Test
  void aDipoleOnNoMeshHasNoCurrent() {
    var physics =
        new Physics(
            MediumMap.uniform(Medium.VACUUM),
            BoundaryMap.everywhere(BoundaryCondition.PEC),
            List.of(dipole(1)));

    assertThatThrownBy(
            () -> new LockstepSolver(CubePart.all(3, new CubeDivision(1, 1, 1)), physics))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not normalised");
  }
}
