package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.GmshReader;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.mesh.TetrahedralMesh;
import org.troupe.em3d.physics.BoundaryCondition;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.FieldSource;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SourcePulse;
import org.troupe.em3d.physics.Vector3;

/** The fields equal those of the sequential solver to the last bit for every division. */
class DivisionIndependenceTest {

  private static final int STEPS = 30;
  private static final CavityMode MODE = CavityMode.inVacuum(1, 2, 1);

  /** Different at every place, so that a medium taken from the wrong cell would show. */
  private static final MediumMap SMOOTH =
      (region, x, y, z) -> new Medium(1 + x + y * y, 1.5 + 0.5 * Math.sin(z));

  @ParameterizedTest
  @ValueSource(
      strings = {"1x1x1", "2x1x1", "1x2x1", "1x1x2", "2x2x1", "2x2x2", "3x1x2", "5x4x1", "10x1x1"})
  void cubesAreEqualToTheLastBit(String division) {
    TetrahedralMesh whole = TetrahedralMesh.cube(11);

    assertEqual(
        whole, CubePart.all(11, CubeDivision.parse(division)), MediumMap.uniform(Medium.VACUUM));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1x1", "3x2x2"})
  void cubesOfManyMediaAreEqualToTheLastBit(String division) {
    assertEqual(TetrahedralMesh.cube(11), CubePart.all(11, CubeDivision.parse(division)), SMOOTH);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 7, 8})
  void filesAreEqualToTheLastBit(int parts) {
    TetrahedralMesh whole = mesh("cube.msh");

    assertEqual(whole, whole.parts(parts), MediumMap.uniform(Medium.VACUUM));
  }

  /** Walls of all kinds, a medium that conducts here and there, a wave and a dipole. */
  static final Physics ALL =
      new Physics(
          (region, x, y, z) -> new Medium(1 + x, 1 + y * z, z < 0.4 ? 0.01 * x : 0),
          (surface, x, y, z) ->
              x < 1e-9
                  ? BoundaryCondition.PMC
                  : x > 1 - 1e-9 ? BoundaryCondition.PEC : BoundaryCondition.ABSORBING,
          List.of(
              new FieldSource.PlaneWave(
                  new Vector3(0, 1, 0), new Vector3(1, 0, 2), new SourcePulse.Gaussian(0.4, 0.1)),
              new FieldSource.Dipole(
                  new Vector3(0.4, 0.5, 0.6),
                  new Vector3(1, 2, 3),
                  0.3,
                  new SourcePulse.Wave(9, 0.5))));

  @ParameterizedTest
  @ValueSource(strings = {"1x1x1", "3x2x2"})
  void openCubesWithSourcesAreEqualToTheLastBit(String division) {
    assertEqual(TetrahedralMesh.cube(11), CubePart.all(11, CubeDivision.parse(division)), ALL);
  }

  @Test
  void openFilesWithSourcesAreEqualToTheLastBit() {
    TetrahedralMesh whole = mesh("cube.msh");

    assertEqual(whole, whole.parts(4), ALL);
  }

  private static void assertEqual(
      TetrahedralMesh whole, List<? extends MeshPart> parts, MediumMap media) {
    assertEqual(whole, parts, Physics.cavity(media));
  }

  private static void assertEqual(
      TetrahedralMesh whole, List<? extends MeshPart> parts, Physics described) {
    Physics physics = DipoleDiscretization.on(whole, PolynomialOrder.CONSTANT, described);
    MediumMap media = physics.media();
    double bound = SequentialSolver.stableStepBound(whole, media);
    double dt = StepBound.step(bound, 0.9);
    SequentialSolver expected = new SequentialSolver(whole, physics, dt);
    expected.set(FieldKind.E, MODE.electric(0));
    expected.set(FieldKind.H, MODE.magnetic(-dt / 2));
    LockstepSolver divided = new LockstepSolver(parts, physics);
    assertThat(divided.stableStepBound()).isEqualTo(bound);
    divided.useStep(dt);
    divided.start(MODE);
    for (int n = 0; n < STEPS; n++) {
      expected.step();
      if (n % 2 == 0) {
        divided.step();
      } else {
        divided.stepWithEnergy();
      }
    }

    assertThat(divided.gather(FieldKind.E)).isEqualTo(expected.values(FieldKind.E));
    assertThat(divided.gather(FieldKind.H)).isEqualTo(expected.values(FieldKind.H));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2x1x1", "3x1x2", "2x2x2"})
  void theFingerprintDoesNotDependOnTheDivision(String division) {
    assertThat(checksum(CubeDivision.parse(division), 5))
        .isEqualTo(checksum(new CubeDivision(1, 1, 1), 5));
    assertThat(checksum(CubeDivision.parse(division), 5))
        .isNotEqualTo(checksum(new CubeDivision(1, 1, 1), 6));
  }

  private static long checksum(CubeDivision division, int steps) {
    LockstepSolver solver =
        new LockstepSolver(
            CubePart.all(7, division), Physics.cavity(MediumMap.uniform(Medium.VACUUM)));
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));
    solver.start(MODE);
    for (int n = 0; n < steps; n++) {
      solver.step();
    }
    return solver.checksum();
  }

  static TetrahedralMesh mesh(String name) {
    return GmshReader.read(Meshes.file(name));
  }
}
