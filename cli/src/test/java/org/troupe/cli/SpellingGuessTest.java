package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingGuessTest {

  @ParameterizedTest
  @CsvSource({
    "run, run, 0",
    "RUN, run, 0",
    "rum, run, 1",
    "ru, run, 1",
    "runn, run, 1",
    "rnu, run, 1",
    "vaildate, validate, 1",
    "'', run, 3",
    "plan, bench, 5"
  })
  void countsSlips(String written, String meant, int slips) {
    assertThat(SpellingGuess.distance(written, meant)).isEqualTo(slips);
  }

  @Test
  void choosesTheClosest() {
    assertThat(SpellingGuess.hint("plam", List.of("play", "plan", "ploy", "planet")))
        .hasValue("; did you mean 'play'?");
    assertThat(SpellingGuess.hint("plnaet", List.of("plan", "planet")))
        .hasValue("; did you mean 'planet'?");
  }

  @Test
  void guessesNothingFarFetched() {
    assertThat(SpellingGuess.hint("frobnicate", List.of("run", "plan"))).isEmpty();
  }
}
