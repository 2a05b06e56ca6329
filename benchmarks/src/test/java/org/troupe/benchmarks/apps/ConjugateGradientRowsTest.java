package org.troupe.benchmarks.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ConjugateGradientRowsTest {

  @Test
  void readsTheSecondsOfThePeer() throws IOException {
    assertThat(
            ConjugateGradientRows.seconds(
                "class A rows processes 2 seconds 1.234500 zeta 17.1302350540299 verified\n"))
        .isEqualTo(1.2345);
  }

  @Test
  void quotesOutputWithoutSeconds() {
    assertThatThrownBy(() -> ConjugateGradientRows.seconds("no such class"))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("no such class");
  }
}
