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

  private String said(String script) throws IOException, InterruptedException {
    return ExternalCommand.said("the script", folder, List.of("sh", "-c", script));
  }

  @Test
  void returnsWhatWasSaid() throws Exception {
    Files.writeString(folder.resolve("here"), "");

    assertThat(said("ls; echo and this >&2")).isEqualTo("here\nand this\n");
  }

  @Test
  void tellsHowItFailed() {
    assertThatThrownBy(() -> said("exit 3"))
        .isInstanceOf(IOException.class)
        .hasMessage("the script ended with exit code 3; its own words are above");
  }

  @Test
  void isEndedIfNobodyWaitsAnyMore() throws Exception {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> said("echo $$ > pid; exec sleep 1000"))
        .isInstanceOf(InterruptedException.class);

    assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
  }
}
