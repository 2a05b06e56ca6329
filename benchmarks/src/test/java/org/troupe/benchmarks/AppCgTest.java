package org.troupe.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AppCgTest {

  @Test
  void readsWhatThePeerSays() throws IOException {
    assertThat(
            AppCg.seconds(
                "class A rows processes 2 seconds 1.234500 zeta 17.1302350540299 verified\n"))
        .isEqualTo(1.2345);
  }

  @Test
  void quotesWhatItDoesNotUnderstand() {
    assertThatThrownBy(() -> AppCg.seconds("no such class"))
        .isInstanceOf(IOException.class)
        .hasMessageEndingWith("no such class");
  }
}
