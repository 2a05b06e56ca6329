package org.troupe.em3d.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.maxwell.LockstepSolver;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.maxwell.StepBound;
import org.troupe.em3d.mesh.Meshes;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.physics.SphereMode;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.state.StateArchive;

class SimulationTest {

  private static final double CFL = 0.9;

  @ParameterizedTest
  @CsvSource({
    "cube:9, 1x1x1, 1",
    "cube:9, 2x1x1, 1",
    "cube:9, 2x1x1, 2",
    "cube:9, 2x2x1, 2",
    "cube:9, 2x2x2, 2",
    "cube:9, 2x2x2, 3",
    "cube:9, 8x1x1, 8"
  })
  void fieldsAreEqualToTheLastBitHoweverTheyAreDividedAndPlaced(
      String mesh, String division, int count) {
    var expected = lockstep(MaxwellProblem.of(mesh, "1x1x1", 1), 40);

    try (var nodes = LocalNodes.start(count)) {
      var problem = MaxwellProblem.of(mesh, division, 1);
      var simulation = run(problem, nodes, 40);

      assertThat(simulation.checksum()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "4, 2", "8, 3"})
  void partsOfAMeshFromAFileAgreeToo(int parts, int count) {
    var mesh = Meshes.file("cube.msh").toString();
    var expected = lockstep(MaxwellProblem.of(mesh, "auto", 1), 30);

    try (var nodes = LocalNodes.start(count)) {
      var simulation = run(MaxwellProblem.of(mesh, "auto", parts), nodes, 30);

      assertThat(simulation.checksum()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"cube:6, 2x2x1, 3", "cube:6, 2x1x1, 2"})
  void linearFieldsAreEqualToTheLastBitToo(String mesh, String division, int count) {
    var expected =
        lockstep(MaxwellProblem.of(mesh, "1x1x1", 1).withOrder(PolynomialOrder.LINEAR), 30);

    try (var nodes = LocalNodes.start(count)) {
      var problem = MaxwellProblem.of(mesh, division, 1).withOrder(PolynomialOrder.LINEAR);
      var simulation = run(problem, nodes, 30);
      var report = simulation.report("in-process", Set.of(), List.of());

      assertThat(simulation.checksum()).isEqualTo(expected);
      assertThat(report.haloBytesPerStep()).isEqualTo(3 * 48 * report.borderFaces());
      assertThat(report.toJson()).contains("\"order\": 1,");
      assertThat(report.energyDriftRelative()).isLessThan(1e-12);
    }
  }

  @ParameterizedTest
  @CsvSource({"CONSTANT, 1", "LINEAR, 2"})
  void severalThreadsForEachSubDomainMakeTheSameFields(PolynomialOrder order, int count) {
    var expected = lockstep(MaxwellProblem.of("cube:9", "1x1x1", 1).withOrder(order), 12);

    try (var nodes = LocalNodes.start(count)) {
      var problem = MaxwellProblem.of("cube:9", "2x1x1", 1).withOrder(order);
      var simulation = run(problem, nodes, RunOptions.of(12, CFL).withThreads(3));

      assertThat(simulation.checksum()).isEqualTo(expected);
      assertThat(simulation.report("in-process", Set.of(), List.of()).threads()).isEqualTo(6);
    }
  }

  @Test
  void reportsWhatTheSpecificationsTableSays() {
    try (var nodes = LocalNodes.start(2)) {
      var simulation = run(MaxwellProblem.of("cube:9", "2x1x1", 1), nodes, 100);
      var report = simulation.report("in-process", Set.of(), List.of());

      assertThat(report.errorRelativeL2()).isCloseTo(3.134e-1, within(5e-5));
      assertThat(report.energyInitial() / Physics.VACUUM_PERMITTIVITY)
          .isCloseTo(0.1241259101260, within(5e-14));
      assertThat(report.energyDriftRelative()).isLessThan(1e-13);
      assertThat(report.cells()).isEqualTo(6 * 8 * 8 * 8);
      assertThat(report.faces()).isEqualTo(12 * 512 - 6 * 64 + 12 * 64);
      assertThat(report.borderFaces()).isEqualTo(4 * 64);
      assertThat(report.haloBytesPerStep()).isEqualTo(48 * 4 * 64);
      assertThat(report.subdomains()).isEqualTo(2);
      assertThat(report.steps()).isEqualTo(100);
    }
  }

  @Test
  void aPausedRunRestsAtOneStepAndGoesOn() {
    try (var nodes = LocalNodes.start(2)) {
      var restedAt = new ArrayList<Integer>();
      var simulation = new Simulation[1];
      simulation[0] =
          simulation(
              MaxwellProblem.of("cube:9", "2x1x1", 1),
              nodes,
              400,
              progress -> {
                if (progress.resting()) {
                  restedAt.add(progress.step());
                  simulation[0].resume();
                }
              });
      simulation[0].pauseAt(213);
      simulation[0].run();

      assertThat(restedAt).containsExactly(213);
      assertThat(simulation[0].report("in-process", Set.of(), List.of()).steps()).isEqualTo(400);
    }
  }

  @Test
  void aStoppedRunEndsAtAStepThatIsTheSameForAll() {
    try (var nodes = LocalNodes.start(3)) {
      var problem = MaxwellProblem.of("cube:9", "3x1x1", 1);
      var simulation = new Simulation[1];
      simulation[0] = simulation(problem, nodes, 1_000_000, progress -> simulation[0].stop());
      simulation[0].run();
      var reached = simulation[0].report("in-process", Set.of(), List.of()).steps();

      assertThat(reached).isBetween(1, 999_999);
      assertThat(simulation[0].checksum())
          .isEqualTo(lockstep(MaxwellProblem.of("cube:9", "1x1x1", 1), reached));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 2", "5, 3"})
  void aStartAtRestIsTheSameForAllDivisionsToo(int parts, int count) {
    var mesh = Meshes.file("sphere.msh").toString();
    var expected = lockstep(MaxwellProblem.of(mesh, "auto", 1), 20);

    try (var nodes = LocalNodes.start(count)) {
      var simulation = run(MaxwellProblem.of(mesh, "auto", parts), nodes, 20);

      assertThat(simulation.checksum()).isEqualTo(expected);
    }
  }

  @Test
  void aPauseIsNoTimeOfTheSteps() {
    var rest = new long[2];
    try (var nodes = LocalNodes.start(1)) {
      var began = System.nanoTime();
      var run =
          new ScriptedRun(
                  MaxwellProblem.of("cube:3", "1x1x1", 1),
                  nodes.nodes(),
                  RunOptions.of(ScriptedRun.STEPS, CFL))
              .inVainAt(20, () -> rest[0] = System.nanoTime())
              .inVainAt(20, () -> rest[1] = System.nanoTime()) // within one pause
              .run();
      var atMost = System.nanoTime() - began - (rest[1] - rest[0]);

      assertThat(run.report().secondsPerStep() * ScriptedRun.STEPS).isLessThan(atMost / 1e9);
    }
  }

  private static Simulation run(MaxwellProblem problem, LocalNodes nodes, int steps) {
    return run(problem, nodes, RunOptions.of(steps, CFL));
  }

  private static Simulation run(MaxwellProblem problem, LocalNodes nodes, RunOptions options) {
    var simulation = simulation(problem, nodes, options, progress -> {});
    simulation.run();
    return simulation;
  }

  private static Simulation simulation(
      MaxwellProblem problem, LocalNodes nodes, int steps, RunListener watcher) {
    return simulation(problem, nodes, RunOptions.of(steps, CFL), watcher);
  }

  private static Simulation simulation(
      MaxwellProblem problem, LocalNodes nodes, RunOptions options, RunListener watcher) {
    var archive =
        ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(CFL), "", "");
    return new Simulation(problem, nodes.nodes(), archive, options, watcher);
  }

  static long lockstep(MaxwellProblem problem, int steps) {
    var solver =
        new LockstepSolver(
            List.copyOf(problem.partition(1).parts()), problem.physics(), problem.order());
    solver.useStep(StepBound.step(solver.stableStepBound(), CFL));
    switch (problem.start()) {
      case InitialFields.Cavity cavity -> solver.start(cavity.mode());
      case InitialFields.AtRest rest -> solver.startAtRest(SphereMode.electric());
      case InitialFields.CavityAtRest cavity -> solver.startAtRest(cavity.mode().electric(0));
      case InitialFields.Zero zero -> {}
      case InitialFields.Kept kept -> throw new IllegalArgumentException("no state is here");
    }
    for (var step = 0; step < steps; step++) {
      solver.step();
    }
    return solver.checksum();
  }
}
