package org.troupe.em3d.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResultFolderTest {

  @Test
  void stepsThatCouldNotBeWrittenAreNamedAtTheEnd() {
    assertThat(ResultFolder.missed(Set.of(16)))
        .isEqualTo("1 step could not be written: 16; the reason is above");
    assertThat(ResultFolder.missed(Set.of(1200, 50, 100)))
        .isEqualTo("3 steps could not be written: 50; 100; 1,200; the reason is above");
    var many = IntStream.rangeClosed(1, 30).boxed().collect(Collectors.toSet());
    assertThat(ResultFolder.missed(many))
        .contains("30 steps", "; 19; 20; ...; the")
        .doesNotContain("21");
  }
}
