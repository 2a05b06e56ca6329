package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeploymentExceptionTest {

  @Test
  void theMessageListsTheFirstOfVeryManyProblems() {
    var problems = IntStream.range(0, 1000).mapToObj(i -> "host-" + i + " is gone").toList();
    var failure = new DeploymentException(problems);
    assertThat(failure.getMessage().lines())
        .hasSize(21)
        .contains("host-0 is gone")
        .endsWith("... and 980 more of 1000 problems; '--verbose' or problems() lists them");
    assertThat(failure.problems()).isEqualTo(problems);
    assertThat(new DeploymentException(List.of("a", "b"))).hasMessage("a\nb");
  }

  @Test
  void problemsCannotControlTheTerminal() {
    var failure = new DeploymentException(List.of("far: \u001b]0;x\u0007denied", "b"));

    assertThat(failure).hasMessage("far: ?]0;x?denied\nb");
    assertThat(failure.problems()).containsExactly("far: ?]0;x?denied", "b");
  }
}
