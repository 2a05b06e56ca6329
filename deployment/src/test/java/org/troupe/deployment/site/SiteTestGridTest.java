package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.deployment.TestGrid;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.descriptors.BatchJvms;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.read.DescriptorReader;

/**
 * Surveys of the real schedulers of the test grid. With {@code -Dtroupe.record=FOLDER} their
 * commands and answers are written there, for {@code SiteSurveyTest}.
 */
@Timeout(240)
class SiteTestGridTest {

  private String config;

  @TempDir private Path folder;

  @BeforeEach
  void findGrid() {
    config = TestGrid.sshConfig(SiteTestGridTest.class);
  }

  @ParameterizedTest
  @CsvSource({
    "alpha-fe, SLURM, main, --mem",
    "beta-fe, PBS, batch, ''",
    "gamma-fe, GRID_ENGINE, all.q, mem_free",
    "eta-fe, OAR, '', ''",
    "theta-fe, FLUX, '', ''",
    "iota-fe, PBS, workq, ''",
    "kappa-fe, LSF, normal, ''"
  })
  void aFrontEndBecomesADescriptor(
      String host, SiteFacts.Scheduler scheduler, String queue, String skipped) throws IOException {
    switch (host) {
      case "theta-fe" -> TestGrid.needsFlux(SiteTestGridTest.class);
      case "iota-fe" -> TestGrid.needsOpenPbs(SiteTestGridTest.class);
      case "kappa-fe" -> TestGrid.needsLsf(SiteTestGridTest.class);
      default -> {}
    }
    var login =
        new Login(
            host,
            host,
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Login.HostKeys.STRICT,
            List.of(),
            new SourcePosition("test", 0, 0));
    var recorded = new StringBuilder();

    SiteFacts facts;
    try (var machines = new MachineRegistry("", SshConfig.read(Path.of(config)))) {
      var commands = new MachineCommands(machines.of(login), Duration.ofSeconds(60));
      facts =
          SiteSurvey.ask(
              host, RecordedCommands.recording(commands, recorded), 1, List.of(), Instant.now());
    }
    var record = System.getProperty("troupe.record", "");
    if (!record.isEmpty()) {
      Files.writeString(Path.of(record, host.replace("-fe", ".txt")), recorded);
    }

    assertThat(facts.scheduler()).isEqualTo(scheduler);
    var written = new SiteFolder(folder).write("site", login, facts);
    var descriptor = DescriptorReader.read(written.file(), Map.of(), Map.of());
    var job = (BatchJvms) descriptor.infrastructure().getFirst();
    assertThat(descriptor.warnings()).isEmpty();
    assertThat(job.queue().orElse("")).isEqualTo(queue);
    assertThat(String.join(" ", job.skip())).isEqualTo(skipped);
  }
}
