package org.troupe.benchmarks.em3d;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.run.SubDomainSolver;
import org.troupe.em3d.state.StateArchive;

class ObjectBorderSolverTest {

  private static final double CFL = 0.9;

  @ParameterizedTest
  @EnumSource
  void computesTheFieldsOfTheSolverWithArrays(PolynomialOrder order) {
    assertThat(checksum(order, "2x2x1", 2, ObjectBorderSolver.class))
        .isEqualTo(checksum(order, "1x1x1", 1, SubDomainSolver.class));
  }

  private static long checksum(
      PolynomialOrder order, String division, int count, Class<? extends SubDomainSolver> solver) {
    try (var nodes = LocalNodes.start(count)) {
      var problem = MaxwellProblem.of("cube:5", division, 1).withOrder(order);
      var archive =
          ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(CFL), "", "");
      var options = RunOptions.of(12, CFL).withSolver(solver);
      var simulation = new Simulation(problem, nodes.nodes(), archive, options, progress -> {});
      simulation.run();
      return simulation.checksum();
    }
  }
}
