package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.TestGrid;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.JobProcess;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.descriptors.BatchJvms;

/** Jobs of the real schedulers of the test grid, with a shell command instead of the JVMs. */
@Timeout(240)
class BatchGridTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final BatchJvms.Scheduler SLURM = new BatchJvms.Scheduler.Slurm();
  private static final BatchJvms.Scheduler PBS = new BatchJvms.Scheduler.Pbs();
  private static final BatchJvms.Scheduler GRID_ENGINE =
      new BatchJvms.Scheduler.GridEngine(Optional.of("spread"));
  private static final BatchJvms.Scheduler OAR = new BatchJvms.Scheduler.Oar();
  private static final BatchJvms.Scheduler FLUX = new BatchJvms.Scheduler.Flux();
  private static final BatchJvms.Scheduler LSF = new BatchJvms.Scheduler.Lsf();

  /** A command instead of the JVM, which gets the settings file and the rank. */
  private static final String STAND_IN =
      """
      echo "$GREETING, rank $2 on $(hostname) in $(pwd), job $TROUPE_JOB"
      echo "settings: $(od -An -c "$1" | tr -d ' \\\\\\n')" >&2
      ls -l "$1" | cut -c 1-10 >&2
      """;

  private MachineRegistry machines;
  private final BatchSystems systems = new BatchSystems();

  @BeforeEach
  void findGrid() throws IOException {
    var config = TestGrid.sshConfig(BatchGridTest.class);
    machines = new MachineRegistry("", SshConfig.read(Path.of(config)));
  }

  @AfterEach
  void close() {
    if (machines != null) {
      systems.close();
      machines.close();
    }
  }

  private BatchJob job(BatchJvms element, String standIn) {
    return new BatchJob(
        element,
        "test-" + UUID.randomUUID(),
        new BatchJob.Site() {
          @Override
          public RunJournal run() {
            return RunJournal.planned();
          }

          @Override
          public Machine machine() throws IOException {
            return machines.of(element.via());
          }

          @Override
          public JobWatch<BatchSystem> watch(Machine machine) throws IOException {
            return systems.of(element, machine);
          }

          @Override
          public List<String> command(Machine machine) {
            return List.of("/bin/sh", "-c", standIn, "sh");
          }

          @Override
          public List<byte[]> withRoutes(List<byte[]> settings) {
            return settings;
          }
        });
  }

  private static List<JobProcess> told(BatchJob job, int count) throws IOException {
    var nodes = new ArrayList<JobProcess>();
    for (var rank = 0; rank < count; rank++) {
      var node = job.node(rank);
      node.getOutputStream().write(("S" + rank).getBytes(StandardCharsets.UTF_8));
      node.getOutputStream().flush();
      nodes.add(node);
    }
    return nodes;
  }

  private static String text(java.io.InputStream stream) throws IOException {
    return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
  }

  private String on(String host, String command) throws IOException {
    var element = BatchElements.of(SLURM, Optional.of(host), 1, 1);
    return new MachineCommands(machines.of(element.via()), Duration.ofSeconds(30))
        .run(List.of("/bin/sh", "-c", command))
        .output();
  }

  private void nothingIsLeft(BatchJob job, String frontEnd) throws Exception {
    job.finished().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(on(frontEnd, "ls " + RunJournal.RUNS + job.folderName())).isEmpty();
  }

  private void runsEverywhere(BatchJvms.Scheduler scheduler, String site) throws Exception {
    var job = job(BatchElements.of(scheduler, Optional.of(site + "-fe"), 2, 2), STAND_IN);
    var nodes = told(job, 4);

    var hosts = new ArrayList<String>();
    for (var rank = 0; rank < 4; rank++) {
      var node = nodes.get(rank);
      assertThat(node.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as(node.progress().orElse(""))
          .isTrue();
      assertThat(node.exitValue()).as(node.explanation().orElse("")).isZero();
      var words = text(node.getInputStream());
      assertThat(words)
          .matches(
              "it's \\$HOME, rank %d on %s-[12] in /home/griduser, job \\S+\n"
                  .formatted(rank, site));
      hosts.add(words.split(" ")[5]);
      assertThat(text(node.getErrorStream())).contains("-rw-------").contains("S0").contains("S3");
    }
    assertThat(hosts.get(0)).isEqualTo(hosts.get(1)).isNotEqualTo(hosts.get(2));
    assertThat(hosts.get(2)).isEqualTo(hosts.get(3));
    nothingIsLeft(job, site + "-fe");
  }

  @Test
  void slurmRunsAllNodes() throws Exception {
    runsEverywhere(SLURM, "alpha");
  }

  @Test
  void pbsRunsAllNodes() throws Exception {
    runsEverywhere(PBS, "beta");
  }

  @Test
  void gridEngineRunsAllNodes() throws Exception {
    runsEverywhere(GRID_ENGINE, "gamma");
  }

  @Test
  void oarRunsAllNodes() throws Exception {
    runsEverywhere(OAR, "eta");
  }

  @Test
  void fluxRunsAllNodes() throws Exception {
    TestGrid.needsFlux(BatchGridTest.class);
    runsEverywhere(FLUX, "theta");
  }

  @Test
  void openPbsRunsAllNodes() throws Exception {
    TestGrid.needsOpenPbs(BatchGridTest.class);
    runsEverywhere(PBS, "iota");
  }

  @Test
  void lsfRunsAllNodes() throws Exception {
    TestGrid.needsLsf(BatchGridTest.class);
    runsEverywhere(LSF, "kappa");
  }

  /** Waits for the first output of a node. */
  private static void awaitStart(JobProcess node) throws IOException {
    assertThat(node.getInputStream().read()).isEqualTo('r');
  }

  private void endsWithItsNodes(BatchJvms.Scheduler scheduler, String site, String question)
      throws Exception {
    var job =
        job(
            BatchElements.of(scheduler, Optional.of(site + "-fe"), 2, 1),
            "echo run; exec sleep 600");
    var nodes = told(job, 2);
    for (var node : nodes) {
      awaitStart(node);
    }
    assertThat(on(site + "-1", "pgrep -fx 'sleep 600'")).isNotEmpty();

    for (var node : nodes) {
      node.destroyForcibly();
    }

    nothingIsLeft(job, site + "-fe");
    assertThat(on(site + "-fe", question)).isEmpty();
    assertThat(on(site + "-1", "pgrep -fx 'sleep 600'")).isEmpty();
    assertThat(on(site + "-2", "pgrep -fx 'sleep 600'")).isEmpty();
  }

  @Test
  void slurmsJobEndsWithItsNodes() throws Exception {
    endsWithItsNodes(SLURM, "alpha", "squeue -h -n troupe-bundle -t RUNNING,PENDING");
  }

  @Test
  void pbssJobEndsWithItsNodes() throws Exception {
    endsWithItsNodes(PBS, "beta", "qstat | grep bundle | grep -v ' C '");
  }

  @Test
  void gridEnginesJobEndsWithItsNodes() throws Exception {
    endsWithItsNodes(GRID_ENGINE, "gamma", "qstat | grep troupe");
  }

  @Test
  void oarsJobEndsWithItsNodes() throws Exception {
    endsWithItsNodes(OAR, "eta", "oarstat -u griduser | grep bundle");
  }

  @Test
  void fluxsJobEndsWithItsNodes() throws Exception {
    TestGrid.needsFlux(BatchGridTest.class);
    endsWithItsNodes(FLUX, "theta", "flux jobs -n");
  }

  @Test
  void openPbssJobEndsWithItsNodes() throws Exception {
    TestGrid.needsOpenPbs(BatchGridTest.class);
    endsWithItsNodes(PBS, "iota", "qstat | grep bundle");
  }

  @Test
  void lsfsJobEndsWithItsNodes() throws Exception {
    TestGrid.needsLsf(BatchGridTest.class);
    endsWithItsNodes(LSF, "kappa", "bjobs -w | grep bundle");
  }

  private void saysWhyItWasRefused(BatchJvms.Scheduler scheduler, String site, String why)
      throws Exception {
    var element =
        BatchElements.in(
            BatchElements.of(scheduler, Optional.of(site + "-fe"), 1, 1), Optional.of("nope"));
    var job = job(element, STAND_IN);
    var node = told(job, 1).getFirst();

    assertThat(node.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(node.exitValue()).isEqualTo(1);
    assertThat(node.explanation().orElseThrow())
        .startsWith("grid.xml:7:5: 'bundle' got no job from ")
        .contains(why)
        .contains("; correct the element; the command was: ")
        .contains("nope");
    nothingIsLeft(job, site + "-fe");
  }

  @Test
  void slurmsRefusalIsPassedOn() throws Exception {
    saysWhyItWasRefused(SLURM, "alpha", "Invalid partition name specified");
  }

  @Test
  void pbssRefusalIsPassedOn() throws Exception {
    saysWhyItWasRefused(PBS, "beta", "Invalid partition name specified");
  }

  @Test
  void gridEnginesRefusalIsPassedOn() throws Exception {
    saysWhyItWasRefused(GRID_ENGINE, "gamma", "unknown queue");
  }

  @Test
  void oarsRefusalIsPassedOn() throws Exception {
    saysWhyItWasRefused(OAR, "eta", "queue");
  }

  @Test
  void fluxsRefusalIsPassedOn() throws Exception {
    TestGrid.needsFlux(BatchGridTest.class);
    saysWhyItWasRefused(FLUX, "theta", "ERROR");
  }

  @Test
  void openPbssRefusalIsPassedOn() throws Exception {
    TestGrid.needsOpenPbs(BatchGridTest.class);
    saysWhyItWasRefused(PBS, "iota", "Unknown queue");
  }

  @Test
  void lsfsRefusalIsPassedOn() throws Exception {
    TestGrid.needsLsf(BatchGridTest.class);
    saysWhyItWasRefused(LSF, "kappa", "nope: No such queue. Job not submitted.");
  }

  @Test
  void aJobThatWaitsSaysWhyAndLeavesWhenItIsNoLongerWanted() throws Exception {
    var element =
        BatchElements.in(
            BatchElements.of(SLURM, Optional.of("alpha-fe"), 1, 1), Optional.empty(), "--hold");
    var job = job(element, STAND_IN);
    var node = told(job, 1).getFirst();
    do {
      assertThat(node.waitFor(1, TimeUnit.SECONDS)).isFalse();
    } while (!node.progress().orElseThrow().contains("PENDING"));
    assertThat(node.progress().orElseThrow())
        .matches("queued for \\d+ s, job \\d+ of Slurm at alpha-fe: PENDING \\(JobHeldUser\\)");

    node.getOutputStream().close();

    assertThat(node.waitFor()).isZero();
    nothingIsLeft(job, "alpha-fe");
    assertThat(on("alpha-fe", "squeue -h -n troupe-bundle -t PENDING")).isEmpty();
  }

  private void saysThatItWasCancelled(
      BatchJvms.Scheduler scheduler, String frontEnd, String command, String why) throws Exception {
    var job =
        job(
            BatchElements.of(scheduler, Optional.of(frontEnd), 1, 1),
            "echo run $TROUPE_JOB; exec sleep 600");
    var node = told(job, 1).getFirst();
    awaitStart(node);

    on(frontEnd, command);

    assertThat(node.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(node.explanation().orElseThrow()).contains(why);
    nothingIsLeft(job, frontEnd);
  }

  @Test
  void aCancelledJobOfSlurmSaysSo() throws Exception {
    saysThatItWasCancelled(
        SLURM,
        "alpha-fe",
        "scancel -n troupe-bundle",
        "of Slurm at alpha-fe: CANCELLED: the job was cancelled");
  }

  @Test
  void aKilledJobOfLsfSaysByWhom() throws Exception {
    TestGrid.needsLsf(BatchGridTest.class);
    saysThatItWasCancelled(
        LSF, "kappa-fe", "bkill -J troupe-bundle 0", "of LSF at kappa-fe: killed by griduser");
  }

  @Test
  void aKilledNodeIsKnownWhileTheOthersGoOn() throws Exception {
    var job =
        job(
            BatchElements.of(GRID_ENGINE, Optional.of("gamma-fe"), 2, 1),
            "echo run; [ $2 -eq 0 ] && kill -9 $$; exec sleep 600");
    var nodes = told(job, 2);
    awaitStart(nodes.get(1));

    assertThat(nodes.get(0).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(nodes.get(0).exitValue()).isEqualTo(137);
    assertThat(nodes.get(0).explanation()).isEmpty();
    assertThat(nodes.get(1).isAlive()).isTrue();

    nodes.get(1).destroyForcibly();
    nothingIsLeft(job, "gamma-fe");
  }

  /**
   * Runs the library's test on the machine that has the library, with or without the environment it
   * needs.
   */
  private String nativeJob(String glibcTunables) throws Exception {
    var element = BatchElements.of(GRID_ENGINE, Optional.of("gamma-fe"), 1, 1);
    var frontEnd = machines.of(element.via());
    var there = machines.staging().on(frontEnd, BatchElements.STAGED);
    var answer =
        new MachineCommands(frontEnd, PATIENCE)
            .run(
                List.of(
                    "env",
                    "GLIBC_TUNABLES=" + glibcTunables,
                    there.java(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-cp",
                    String.join(":", there.classPath()),
                    "org.troupe.deployment.batch.NativeJob"));
    return answer.output() + answer.errorOutput();
  }

  @Test
  void gridEnginesLibraryRunsJobs() throws Exception {
    assertThat(nativeJob("glibc.rtld.optional_static_tls=16384").lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("finished, exit status 3"),
            line -> assertThat(line).isEqualTo("held by its user"),
            line -> assertThat(line).isEqualTo("ended before it ran"),
            line -> assertThat(line).contains("unknown queue \"nope\""));
  }

  @Test
  void gridEnginesLibrarySaysWhatItNeeds() throws Exception {
    assertThat(nativeJob("glibc.rtld.optional_static_tls=512"))
        .contains("libdrmaa.so' cannot be loaded: ")
        .contains("; start this program with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384");
  }
}
