package org.troupe.em3d.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.StateArchive;

/** Probes, fluxes and expected results. */
public class MeasuredTest {

  private static final double CFL = 0.9;

  @TempDir private Path folder;

  /** A dipole in an open box, and all kinds of monitors. */
  public static ProblemRun task(Path folder) throws IOException {
    return task(folder, "auto");
  }

  private static ProblemRun task(Path folder, String division) throws IOException {
    var file = folder.resolve("measured.xml");
    Files.writeString(
        file,
        """
        <problem xmlns="urn:troupe:em3d:problem:1">
          <mesh cube="7"/>
          <boundary is="absorbing"/>
          <boundary group="ymin" is="pec"/>
          <box name="middle" from="0.2 0.2 0.2" to="0.8 0.8 0.8"/>
          <material box="middle" epsilon="2" conductivity="0.1 mS/m"/>
          <start><cavityMode numbers="1 1 1"/></start>
          <dipole at="0.5 0.5 0.5" moment="1e-12 0 1e-12" radius="25 cm">
            <gaussian peak="4 ns" width="1 ns"/>
          </dipole>
          <probe name="point" at="0.31 0.52 0.43"/>
          <probe name="ball" at="0.5 0.5 0.5" radius="0.3 m" every="3"/>
          <flux name="box" box="middle"/>
          <flux name="wall" group="xmax" every="2"/>
          <run steps="40"/>
        </problem>
        """);
    return ProblemReader.read(
        file.toString(), Map.of(), division, null, MeshPartitioner.BUILT_IN, (mesh, read) -> {});
  }

  /** Returns the readings of an undisturbed run on one node. */
  public static List<double[]> undisturbed(MaxwellProblem problem, int steps) {
    try (var nodes = LocalNodes.start(1)) {
      return run(problem, nodes, steps).series();
    }
  }

  private static Simulation run(MaxwellProblem problem, LocalNodes nodes, int steps) {
    var archive =
        ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(CFL), "", "");
    var simulation =
        new Simulation(problem, nodes.nodes(), archive, RunOptions.of(steps, CFL), progress -> {});
    simulation.run();
    return simulation;
  }

  @ParameterizedTest
  @CsvSource({"2x1x1, 2, 0", "2x2x1, 3, 0", "3x2x2, 2, 0", "1x1x6, 4, 0", "2x2x1, 3, 1"})
  void readingsAreEqualToTheLastBitForEveryDivision(String division, int count, int order)
      throws IOException {
    var expected = undisturbed(task(folder).problem().withOrder(PolynomialOrder.of(order)), 40);

    try (var nodes = LocalNodes.start(count)) {
      var problem = task(folder, division).problem().withOrder(PolynomialOrder.of(order));
      var found = run(problem, nodes, 40).series();

      assertThat(found).containsExactlyElementsOf(expected);
    }
    assertThat(expected).extracting(each -> each.length).containsExactly(40 * 7, 14 * 7, 80, 40);
    assertThat(expected).allSatisfy(each -> assertThat(each).doesNotContain(Double.NaN));
  }

  /** Energy falls by what leaves through the walls, E and H being half a step apart. */
  @Test
  void whatLeavesIsWhatIsMissing() throws IOException {
    var file = folder.resolve("open.xml");
    Files.writeString(
        file,
        """
        <problem xmlns="urn:troupe:em3d:problem:1">
          <mesh cube="9"/>
          <boundary group="zmax" is="absorbing"/>
          <start><cavityMode numbers="1 1 0"/></start>
          <flux name="out" group="zmax"/>
          <run steps="101"/>
        </problem>
        """);
    var task =
        ProblemReader.read(
            file.toString(), Map.of(), "auto", null, MeshPartitioner.BUILT_IN, (mesh, read) -> {});
    try (var nodes = LocalNodes.start(2)) {
      var simulation = run(task.problem(), nodes, 101);
      var energies = simulation.report("in-process", Set.of(), List.of()).energies();
      var readings = simulation.series().getFirst();
      var dt = CFL * task.problem().stepBound();
      var left = -(readings[1] + readings[201]) / 2; // by the trapezoidal rule
      for (var k = 0; k <= 100; k++) {
        left += readings[2 * k + 1];
      }

      var missing = energies.getFirst().energy() - energies.get(10).energy();
      assertThat(missing).isGreaterThan(0.3 * energies.getFirst().energy());
      assertThat(left * dt).isCloseTo(missing, within(0.01 * missing));
    }
  }

  @Test
  void anUnstableRunEndsWithItsStepAndCellAndCause() {
    var problem = MaxwellProblem.of("cube:4", "auto", 2);
    try (var nodes = LocalNodes.start(1)) {
      var archive =
          ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(2), "", "");
      var simulation =
          new Simulation(
              problem, nodes.nodes(), archive, RunOptions.of(100_000, 2), progress -> {});

      assertThatThrownBy(simulation::run)
          .hasMessageMatching(
              "the fields have grown without bound: at step \\d+, in cell \\d+ at \\(0\\..*\\) m E is"
                  + " \\(.*\\) V/m; the time step is 2.00 times the bound .*: give a smaller --cfl, at"
                  + " most 1 is safe");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cube | points=9, error=0.3135",
        "cube | points=9, error=0.198, mode=1 1 0",
        "dielectric-slab | points=9, tolerance=0.02",
        "sphere | ",
        "dipole | points=25, tolerance=0.3, left=0.01"
      })
  void readyMadeProblemsHaveTheirKnownAnswers(String name, String variables) {
    Map<String, String> given = new HashMap<>();
    for (var each : variables == null ? new String[0] : variables.split(", ")) {
      given.put(each.split("=")[0], each.split("=")[1]);
    }
    var task =
        ProblemReader.read(name, given, "auto", null, MeshPartitioner.BUILT_IN, (mesh, read) -> {});
    try (var nodes = LocalNodes.start(2)) {
      var simulation = run(task.problem(), nodes, task.steps(task.problem(), CFL));

      assertThat(simulation.report("in-process", Set.of(), List.of()).checks())
          .isNotEmpty()
          .allSatisfy(check -> assertThat(check.isMet()).as(check.toString()).isTrue());
    }
  }
}
