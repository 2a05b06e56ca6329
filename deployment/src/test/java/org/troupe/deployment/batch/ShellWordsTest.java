package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShellWordsTest {

  @Test
  void splitsAsAShellWould() {
    assertThat(ShellWords.split("  -l  a=1 'two words' \"an'other\" it\\'s '' '--c=x y' "))
        .containsExactly("-l", "a=1", "two words", "an'other", "it's", "", "--c=x y");
    assertThat(ShellWords.split("")).isEmpty();
  }

  @Test
  void refusesAnOpenQuote() {
    assertThatThrownBy(() -> ShellWords.split("a 'b")).hasMessageContaining("not closed");
  }
}
