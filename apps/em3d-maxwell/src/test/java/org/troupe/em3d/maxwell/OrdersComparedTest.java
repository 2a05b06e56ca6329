package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.mesh.GmshReader;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.physics.CavityMode;
import org.troupe.em3d.physics.Medium;
import org.troupe.em3d.physics.MediumMap;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SphereMode;

/**
 * The README's table of both orders on finer and finer meshes, and what it is to show.
 *
 * <p>Takes some minutes. The irregular meshes are looked for in the folder that {@code
 * troupe.meshes} names; {@code cube.geo} and {@code sphere.geo} say how Gmsh makes them.
 */
@EnabledIfSystemProperty(
    named = "troupe.long",
    matches = "true",
    disabledReason = "takes minutes; run with -Dtroupe.long=true")
class OrdersComparedTest {

  private static final CavityMode MODE = CavityMode.inVacuum(1, 1, 1);
  private static final double TIME = 3.1066; // 2.7 periods
  private static final int MOST_CELLS = 25_000; // beyond, frequencies take too long

  /** The results of one order on one mesh; NaN if not measured. */
  private record Row(double errorE, double errorH, double drift, double frequency) {}

  @Test
  void structuredCubes() {
    compare(List.of("cube:5", "cube:9", "cube:17"));
  }

  @Test
  void irregularCubes() {
    compare(files("cube", "0.2", "0.1", "0.05"));
  }

  @Test
  void irregularSpheres() {
    compare(files("sphere", "0.3", "0.15"));
  }

  private static List<String> files(String name, String... edges) {
    List<String> found = new ArrayList<>();
    for (String edge : edges) {
      Path file = Path.of(System.getProperty("troupe.meshes", "."), name + "-" + edge + ".msh");
      assertThat(file).as("made by gmsh -3 -setnumber edge %s %s.geo", edge, name).exists();
      found.add(file.toString());
    }
    return found;
  }

  private static void compare(List<String> meshes) {
    Row before = null;
    for (String mesh : meshes) {
      Row constant = measured(mesh, PolynomialOrder.CONSTANT);
      Row linear = measured(mesh, PolynomialOrder.LINEAR);
      assertThat(Math.abs(linear.frequency) > Math.abs(constant.frequency)).isFalse();
      assertThat(linear.drift).isLessThan(1e-12);
      if (!Double.isNaN(linear.errorE)) {
        assertThat(linear.errorE).isLessThan(constant.errorE / 2);
        assertThat(before == null || linear.errorE < 0.52 * before.errorE).isTrue();
        before = linear;
      }
    }
  }

  private static Row measured(String mesh, PolynomialOrder order) {
    boolean isSphere = mesh.contains("sphere");
    List<? extends MeshPart> parts =
        Files.exists(Path.of(mesh))
            ? GmshReader.read(Path.of(mesh)).parts(1)
            : CubePart.all(Integer.parseInt(mesh.substring(5)), new CubeDivision(1, 1, 1));
    LockstepSolver solver =
        new LockstepSolver(parts, Physics.cavity(MediumMap.uniform(Medium.VACUUM)), order);
    double largest = StepBound.step(solver.stableStepBound(), 0.9);
    int steps = (int) Math.ceil(TIME / largest);
    solver.useStep(TIME / steps);
    solver.start(MODE);
    EnergyHistory energy = new EnergyHistory();
    for (int n = 0; n < steps; n++) {
      energy.add(n, solver.stepWithEnergy());
    }
    FieldErrors errors = solver.errors(MODE, steps);
    solver.useStep(largest);
    Row row =
        isSphere
            ? new Row(Double.NaN, Double.NaN, energy.spread(), sphere(solver))
            : new Row(errors.relativeE(), errors.relativeH(), energy.spread(), cube(solver));
    System.out.printf(
        "| %s | %,d | %d | %.4g | %.3g | %.3g | %.3f %% | %.0e |%n",
        mesh,
        solver.size().cells(),
        order.degree(),
        largest / 0.9,
        row.errorE,
        row.errorH,
        100 * row.frequency,
        row.drift);
    return row;
  }

  private static double cube(LockstepSolver solver) {
    return solver.size().cells() > MOST_CELLS
        ? Double.NaN
        : solver.resonance(MODE.electric(0), 12, MODE.omega()).omega() / MODE.omega() - 1;
  }

  /** Against the sphere of the mesh's volume: the polyhedron is smaller than that of radius 1. */
  private static double sphere(LockstepSolver solver) {
    double volume = 0;
    for (SubDomain each : solver.subDomains()) {
      for (double part : each.mesh().volumes()) {
        volume += part;
      }
    }
    double omega = SphereMode.OMEGA * Math.cbrt(4 * Math.PI / 3 / volume);
    return solver.resonance(SphereMode.electric(), 24, omega).omega() / omega - 1;
  }
}
