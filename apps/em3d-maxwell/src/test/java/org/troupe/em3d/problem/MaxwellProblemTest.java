package org.troupe.em3d.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MaxwellProblemTest {

  @TempDir Path folder;

  /** A mesh of the unit cube with a named wall surface. */
  private MaxwellProblem cube(String walls) throws IOException {
    var file = folder.resolve(walls + ".msh");
    try (var in = getClass().getResourceAsStream("/org/troupe/em3d/mesh/cube.msh")) {
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).containsOnlyOnce("\"pec\"");
      Files.writeString(file, text.replace("\"pec\"", "\"" + walls + "\""));
    }
    return MaxwellProblem.of(file.toString(), "auto", null);
  }

  @Test
  void isSolvedExactlyOnlyInACavity() throws IOException {
    assertThat(cube("pec").start()).isEqualTo(new InitialFields.Cavity(1, 1, 1));
    assertThat(cube("absorbing").start()).isEqualTo(new InitialFields.AtRest());
    assertThat(cube("pmc").start()).isEqualTo(new InitialFields.AtRest());
  }

  @Test
  void isOpenWhereWallsLetWavesOut() throws IOException {
    assertThat(cube("absorbing").isOpen()).isTrue();
    assertThat(cube("pmc").isOpen()).isFalse();
    assertThat(MaxwellProblem.of("cube:3", "auto", null).isOpen()).isFalse();
  }

  @Test
  void isAnotherOneWithOtherWalls() throws IOException {
    assertThat(cube("absorbing").fingerprint()).isNotEqualTo(cube("pec").fingerprint());
  }
}
