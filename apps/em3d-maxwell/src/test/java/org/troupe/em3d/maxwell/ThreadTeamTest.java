package org.troupe.em3d.maxwell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.troupe.em3d.mesh.CubeDivision;
import org.troupe.em3d.mesh.CubeMesh;
import org.troupe.em3d.mesh.CubePart;
import org.troupe.em3d.physics.CavityMode;

class ThreadTeamTest {

  private static final int STEPS = 12;

  /** The fields are equal to the last bit for every number of threads. */
  @ParameterizedTest
  @EnumSource
  void fieldsDoNotDependOnTheNumberOfThreads(PolynomialOrder order) {
    var alone = run(order, 1);
    for (var threads = 2; threads <= 3; threads++) {
      var shared = run(order, threads);

      assertThat(shared.checksum).isEqualTo(alone.checksum);
      for (var k = 0; k < alone.energies.size(); k++) {
        var energy = alone.energies.get(k);
        assertThat(shared.energies.get(k)).isCloseTo(energy, within(1e-13 * energy));
      }
      assertThat(run(order, threads).energies).isEqualTo(shared.energies);
    }
  }

  private record Run(long checksum, List<Double> energies) {}

  private static Run run(PolynomialOrder order, int threads) {
    var parts = CubePart.all(9, new CubeDivision(2, 1, 1));
    var physics = DipoleDiscretization.on(new CubeMesh(9), order, DivisionIndependenceTest.ALL);
    var solver = new LockstepSolver(parts, physics, order);
    var mode = CavityMode.inVacuum(1, 2, 1);
    solver.useStep(StepBound.step(solver.stableStepBound(), 0.9));
    solver.start(mode);
    var energies = new ArrayList<Double>();
    try (var team = new ThreadTeam(threads, "team-test")) {
      solver.subDomains().forEach(each -> each.useTeam(team));
      for (var step = 0; step < STEPS; step++) {
        if (step % 2 == 0) {
          solver.step();
        } else {
          energies.add(solver.stepWithEnergy());
        }
      }
    }
    return new Run(solver.checksum(), energies);
  }

  @Test
  void allDoTheirSharesInEachRound() {
    var rounds = 1000;
    var done = new AtomicIntegerArray(3);
    try (var team = new ThreadTeam(3, "team-test")) {
      for (var round = 1; round <= rounds; round++) {
        team.run(done::incrementAndGet);
        for (var member = 0; member < 3; member++) {
          assertThat(done.get(member)).isEqualTo(round);
        }
      }
    }
  }

  @Test
  void whatOneThreadThrowsEndsTheRoundForAllAndHelpersEndWithTheTeam() {
    var helper = new Thread[1];
    try (var team = new ThreadTeam(2, "team-test")) {
      for (var failing = 0; failing < 2; failing++) {
        var failure = new ArithmeticException("of member " + failing);
        var number = failing;
        assertThatThrownBy(
                () ->
                    team.run(
                        member -> {
                          if (member == number) {
                            throw failure;
                          }
                        }))
            .isSameAs(failure);
      }
      team.run(
          member -> {
            if (member == 1) {
              helper[0] = Thread.currentThread();
            }
          });
      assertThat(helper[0].isAlive()).isTrue();
    }
    assertThat(helper[0].isAlive()).isFalse();
  }

  @Test
  void aTeamHasAtLeastItsCaller() {
    assertThatThrownBy(() -> new ThreadTeam(0, "team-test"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 threads");
  }
}
