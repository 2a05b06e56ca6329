package org.troupe.classics.cg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;

@Timeout(120)
class MatrixBlockTest {

  /** One block, two in a row, a square of them, and two rows of four. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void findThePublishedZeta(int members) {
    try (var nodes = LocalNodes.start(members)) {
      var solvers =
          Group.of(
              Groups.on(nodes.nodes())
                  .spmd(CgMember.class, NasProblemClass.S, MatrixDecomposition.blocks));
      solvers.tell(CgMember::prepare).join();
      solvers.tell(CgMember::solve).join();

      assertThat(solvers.ask(CgMember::answer).stream())
          .hasSize(members)
          .allSatisfy(
              answer -> assertThat(answer.zeta()).isCloseTo(8.5971775078648, offset(1e-10)));
    }
  }

  @Test
  void needAPowerOfTwo() {
    assertThat(MatrixBlock.isDivisibleAmong(4)).isTrue();
    assertThat(MatrixBlock.isDivisibleAmong(6)).isFalse();
  }
}
