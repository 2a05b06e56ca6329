package org.troupe.deployment.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.batch.JobReport;
import org.troupe.deployment.batch.JobState;

/** The output of pods. */
@Timeout(30)
class PodLogsTest {

  private static final String PREFIX = "[pod/p-0/node] 2026-11-27T09:12:16.00000000";

  @TempDir private Path folder;
  private ScriptedKubectl cluster;
  private final List<String> printed = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void makeCluster() throws IOException {
    cluster = new ScriptedKubectl(folder.resolve("cluster"));
  }

  private void finish(Duration patience) {
    var kubectl = new Kubectl(cluster, Optional.empty(), Optional.empty());
    try (var logs =
        new PodLogs(
            kubectl,
            "p",
            (_, line) -> printed.add(new String(line, StandardCharsets.UTF_8)),
            patience)) {
      logs.finish(
          List.of(
              new PodState(
                  0,
                  "p-0",
                  true,
                  false,
                  false,
                  "",
                  new JobReport(JobState.DONE, "Succeeded"),
                  Optional.empty())));
    }
  }

  @Test
  void keepsCarriageReturnsAndRareLineSeparators() throws IOException {
    cluster.say(
        "log",
        PREFIX + "1Z 10%\r20%\r\n" + PREFIX + "2Z one\u2028two\u0085three\n" + PREFIX + "3Z\n");

    finish(Duration.ofSeconds(20));

    assertThat(printed).containsExactly("10%\r20%\r\n", "one\u2028two\u0085three\n", "\n");
  }

  @Test
  void doesNotWaitForAMachineThatIsSilent() throws IOException {
    cluster.say("silent", "");

    finish(Duration.ofMillis(200));

    assertThat(printed).isEmpty();
  }
}
