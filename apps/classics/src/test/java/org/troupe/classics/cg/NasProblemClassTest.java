package org.troupe.classics.cg;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NasProblemClassTest {

  /** This estimate decides whether a problem is rejected for lack of memory. */
  @ParameterizedTest
  @EnumSource(names = {"S", "W"})
  void estimatesTheBytesOfItsMatrix(NasProblemClass problem) {
    var matrix = new MatrixGenerator(problem).matrix(0, problem.order, 0, problem.order);

    var least = 12.0 * matrix.values().length;
    assertThat(problem.bytes()).isBetween(least, 4 * least);
  }
}
