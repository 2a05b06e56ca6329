package org.troupe.deployment.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Short commands, and their time limit. */
@Timeout(30)
class MachineCommandsTest {

  private final MachineCommands commands =
      new MachineCommands(new LocalMachine(), Duration.ofSeconds(1));

  private final byte[] large = new byte[1 << 20]; // more than a pipe holds

  @Test
  void theInputReachesTheCommand() throws IOException {
    assertThat(commands.run(List.of("wc", "-c"), large).output().strip()).isEqualTo("1048576");
  }

  @Test
  void theTimeLimitHoldsForACommandThatDoesNotReadItsInput() {
    assertThatThrownBy(() -> commands.run(List.of("sleep", "60"), large))
        .isInstanceOf(IOException.class)
        .hasMessage("'sleep 60' on this machine has not ended within 1 s");
  }
}
