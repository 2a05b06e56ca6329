package org.troupe.deployment.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the standard error goes. */
class StandardOutputTest {

  @ParameterizedTest
  @CsvSource({
    "/dev/pts/3,true",
    "/dev/tty1,true",
    "/dev/console,true",
    "/home/me/run.log,false",
    "/dev/null,false",
    "pipe:[4711],false",
  })
  void terminalsAreKnownByTheirDevices(String device, boolean isTerminal) {
    assertThat(StandardOutput.isTerminal(device)).isEqualTo(isTerminal);
  }

  @Test
  void theErrorsOfATestAreNotShownByATerminal() {
    assertThat(StandardOutput.isErrorShown()).isFalse();
  }
}
