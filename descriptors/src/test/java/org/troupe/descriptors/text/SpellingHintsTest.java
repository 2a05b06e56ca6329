package org.troupe.descriptors.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingHintsTest {

  @ParameterizedTest
  @CsvSource({
    "h9,h1,1",
    "lcoal,local,1",
    "Local,local,0",
    "virtualNod,virtualNode,1",
    "kitten,sitting,3"
  })
  void countsSlips(String written, String meant, int slips) {
    assertThat(SpellingHints.distance(written, meant)).isEqualTo(slips);
  }

  @Test
  void prefersTheClosest() {
    assertThat(SpellingHints.closest("solver", List.of("solvent", "solvers"))).contains("solvers");
    assertThat(SpellingHints.closest("plam", List.of("play", "plan", "ploy", "planet")))
        .hasValue("play");
    assertThat(SpellingHints.closest("plnaet", List.of("plan", "planet"))).hasValue("planet");
  }

  @Test
  void guessesNothingFarFetched() {
    assertThat(SpellingHints.closest("a", List.of("xyz"))).isEmpty();
    assertThat(SpellingHints.closest("frobnicate", List.of("run", "plan"))).isEmpty();
    assertThat(SpellingHints.closest("ssh", List.of("jvm", "local"))).isEmpty();
    assertThat(SpellingHints.closest("x".repeat(1_000_000), List.of("jvm", "local"))).isEmpty();
  }

  @Test
  void listsWhatThereIs() {
    assertThat(SpellingHints.choice("ssh", List.of("jvm", "local"), "add one"))
        .isEqualTo("choose from 'jvm', 'local'");
    assertThat(SpellingHints.choice("ssh", List.of(), "add one")).isEqualTo("add one");
    assertThat(
            SpellingHints.choice(
                "ssh", List.of("aa", "bb", "cc", "dd", "ee", "ff", "gg", "ii", "jj"), ""))
        .isEqualTo("choose from 'aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'ii', ...");
  }
}
