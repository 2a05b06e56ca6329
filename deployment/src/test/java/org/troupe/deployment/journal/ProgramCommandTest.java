package org.troupe.deployment.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramCommandTest {

  @ParameterizedTest
  @CsvSource({
    "org.troupe.cli.Main run em3d cube:9,troupe run em3d cube:9",
    "org.troupe.cli.Main --verbose run em3d cube:9,troupe run em3d cube:9",
    "org.troupe.cli.Main --verbose=true run em3d --verbose,troupe run em3d --verbose",
    "org.troupe.cli.Main run --verbose em3d,troupe run --verbose em3d",
    "org.troupe.cli.Main,troupe",
    "org.troupe.cli.MainTest --verbose run,org.troupe.cli.MainTest --verbose run",
    "org.acme.Main --verbose run,org.acme.Main --verbose run",
    "'',''"
  })
  void namesTroupeByItsVerb(String command, String line) {
    assertThat(ProgramCommand.of(command)).isEqualTo(line);
  }
}
