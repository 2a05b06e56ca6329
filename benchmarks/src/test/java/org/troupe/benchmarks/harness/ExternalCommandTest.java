package org.troupe.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ExternalCommandTest {

  @TempDir private Path folder;

  private String run(String script) throws IOException, InterruptedException {
    return ExternalCommand.run("the script", folder, List.of("sh", "-c", script));
  }

  @Test
  void returnsTheOutput() throws Exception {
    Files.writeString(folder.resolve("here"), "");

    assertThat(run("ls; echo and this >&2")).isEqualTo("here\nand this\n");
  }

  @Test
  void reportsTheExitCode() {
    assertThatThrownBy(() -> run("exit 3"))
        .isInstanceOf(IOException.class)
        .hasMessage("the script ended with exit code 3; its output is above");
  }

  @Test
  void endsTheProgramWhenInterrupted() throws Exception {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> run("echo $$ > pid; exec sleep 1000"))
        .isInstanceOf(InterruptedException.class);

    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }
}
