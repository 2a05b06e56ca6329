package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.program.Quick;
import org.troupe.program.RingOwner;

/** With {@code troupe.collect=cycles}, a ring of objects over several JVMs is collected. */
@Timeout(120)
class CollectedRingTest {

  @TempDir private Path home;

  @Test
  void aDroppedRingIsCollectedAndHeldRingsGoOn() throws Exception {
    var options =
        List.of("-Duser.home=" + home, "-Dtroupe.collect=cycles", "-Dtroupe.collect.idle=PT0.2S");
    var command = Quick.command(options, RingOwner.class);
    var program = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = program.inputReader()) {
      assertThat(output.lines().toList())
          .containsExactly(
              "held before 1",
              "dropped 1 COLLECTED",
              "dropped 2 COLLECTED",
              "held after 2",
              "kept 1");
      assertThat(program.waitFor(Processes.SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      program.destroyForcibly();
    }
  }
}
