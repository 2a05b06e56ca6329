package org.troupe.deployment.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** Copies to pods over connections that hang. */
@Timeout(value = 50, threadMode = ThreadMode.SEPARATE_THREAD) // less than the connections hang
class PodMachineTest {

  private static final int MORE_THAN_A_PIPE = 1 << 20;

  @TempDir private Path folder;
  private ScriptedKubectl cluster;

  @BeforeEach
  void startCluster() throws IOException {
    cluster = new ScriptedKubectl(folder.resolve("cluster"));
  }

  @AfterEach
  void endCommands() throws InterruptedException {
    cluster.awaitEnds();
  }

  private PodMachine pod(Duration longestPause) {
    var kubectl = new Kubectl(cluster, Optional.empty(), Optional.empty());
    return new PodMachine(kubectl, "p-1", longestPause);
  }

  @Test
  void aFileArrivesInParts() throws IOException {
    var text = "0123456789abcde\n".repeat(MORE_THAN_A_PIPE / 16);

    pod(Duration.ofSeconds(60)).put(text.getBytes(StandardCharsets.US_ASCII), "a-file");

    assertThat(cluster.read("home/a-file")).isEqualTo(text);
  }

  @Test
  void aPodThatTakesNoPartOfAFileIsGivenUp() throws IOException {
    cluster.say("stalled", "");

    assertThatThrownBy(() -> pod(Duration.ofSeconds(1)).put(new byte[MORE_THAN_A_PIPE], "a-file"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "pod 'p-1': 'a-file' cannot be written there: it has taken nothing for 1 s")
        .hasMessageContaining("'kubectl describe pod p-1'");
  }

  @Test
  void aPodThatDoesNotEndAFileIsGivenUp() throws IOException {
    cluster.say("stalled", "");

    assertThatThrownBy(() -> pod(Duration.ofSeconds(1)).put(new byte[1], "a-file"))
        .hasMessageContaining("it has taken nothing for 1 s");
  }
}
