package org.troupe.deployment.runs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.BatchElements;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.TestGrid;
import org.troupe.deployment.batch.JobScript;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.descriptors.BatchJvms;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

/** Grids of real nodes that the schedulers of the test grid start. */
@Timeout(400)
class BatchDeploymentTest {

  private static final Duration PATIENCE = Duration.ofSeconds(150);

  /** Part of the names of this test's jobs; short, since PBS limits names. */
  private static final String UNIQUE = "t" + ProcessHandle.current().pid();

  @TempDir private Path folder;
  private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();
  private String config;

  @BeforeEach
  void findGrid() {
    config = TestGrid.sshConfig(BatchDeploymentTest.class);
    System.setProperty("troupe.ssh.config", config);
  }

  @AfterEach
  void forgetGrid() {
    System.clearProperty("troupe.ssh.config");
  }

  private Path descriptor(List<String> ids, String infrastructure) throws IOException {
    var mapping =
        ids.stream()
            .map(id -> "<map virtualNode='workers' to='" + UNIQUE + "-" + id + "'/>")
            .collect(joining());
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="workers"/></virtualNodes>
          <mapping>%s</mapping>
          <infrastructure>
            <login id="alpha" host="alpha-fe"/>
            <login id="beta" host="beta-fe"/>
            <login id="gamma" host="gamma-fe"/>
            %s
          </infrastructure>
        </troupe>
        """
            .formatted(mapping, infrastructure.replace("%s", UNIQUE)));
  }

  private GridOptions options() {
    return Quick.GRID.withOutput(line -> printed.add(line.toString()));
  }

  private String on(String host, String command) throws IOException {
    try (var machines = new MachineRegistry("", SshConfig.read(Path.of(config)))) {
      var login = BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.of(host), 1, 1).via();
      return new MachineCommands(machines.of(login), Duration.ofSeconds(30))
          .run(List.of("/bin/sh", "-c", command))
          .output();
    }
  }

  /** Returns the jobs of this test, since others may use the test grid at the same time. */
  private void nothingIsLeft() throws IOException {
    for (var site : List.of("alpha", "beta", "gamma")) {
      var ours = "grep -l -- " + UNIQUE + " " + RunJournal.RUNS + "*/job";
      assertThat(on(site + "-fe", ours)).isEmpty();
    }
    assertThat(on("alpha-fe", "squeue -h -t RUNNING,PENDING -o %j | grep -- " + UNIQUE)).isEmpty();
    assertThat(on("beta-fe", "qstat | grep -- " + UNIQUE + " | grep -v ' C '")).isEmpty();
    assertThat(on("gamma-fe", "qstat -xml | grep -- " + UNIQUE)).isEmpty();
  }

  @Test
  void threeSchedulersMakeOneGrid() throws Exception {
    var file =
        descriptor(
            List.of("s", "p", "g"),
            "<slurm id='%s-s' via='alpha' nodes='2' wallTime='10m'/>"
                + "<pbs id='%s-p' via='beta' nodes='2' wallTime='10m'/>"
                + "<gridEngine id='%s-g' via='gamma' nodes='2' parallelEnvironment='spread'"
                + " wallTime='10m'/>");
    var processes = new TreeMap<String, String>();

    try (var grid = Grid.deploy(file, options())) {
      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      assertThat(nodes.list().stream().map(Node::host))
          .containsExactlyInAnyOrder(
              "alpha-1", "alpha-2", "beta-1", "beta-2", "gamma-1", "gamma-2");
      for (var node : nodes) {
        assertThat(node.attributes().get("job")).matches("\\d+");
        assertThat(ActiveObjects.on(node).create(Worker.class).count()).isEqualTo(1);
        processes.put(node.host(), node.attributes().get("pid"));
      }
    }

    nothingIsLeft();
    for (var process : processes.entrySet()) {
      var command = "/proc/" + process.getValue() + "/cmdline";
      assertThat(on(process.getKey(), "grep -a NodeMain " + command)).as(process + "").isEmpty();
    }
  }

  private static String vainWait(Nodes nodes) throws InterruptedException {
    try {
      nodes.await(Nodes.all(), Duration.ofSeconds(1));
      return "they are there";
    } catch (TimeoutException e) {
      return e.getMessage();
    }
  }

  @Test
  void whoWaitsInVainHearsWhatTheSchedulerWaitsFor() throws Exception {
    var file =
        descriptor(
            List.of("s"), "<slurm id='%s-s' via='alpha' nodes='2'><option>--hold</option></slurm>");

    try (var grid = Grid.deploy(file, options())) {
      var said = "";
      while (!said.contains("PENDING (JobHeldUser)")) {
        said = vainWait(grid.nodes("workers"));
        assertThat(said).contains("-s-1' and 1 more: ");
      }
      assertThat(said).contains("queued for ");
      assertThat(grid.status().getFirst().detail()).contains("PENDING (JobHeldUser)");
    }

    nothingIsLeft();
  }

  @Test
  void aRefusedJobFailsTheWaitAtOnce() throws Exception {
    var file =
        descriptor(
            List.of("g"),
            "<gridEngine id='%s-g' via='gamma' nodes='7' parallelEnvironment='spread'/>");

    try (var grid = Grid.deploy(file, options())) {
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .isInstanceOf(RefusedRequestException.class)
          .hasMessageContaining("-g' got no job from Grid Engine at gamma-fe")
          .hasMessageContaining("no suitable queues")
          .hasMessageContaining("-pe spread 7");
    }

    nothingIsLeft();
  }

  @Test
  void nodesThatReachNothingButTheirFrontEndComeThroughThat() throws Exception {
    TestGrid.sshConfigOfOurOwn(BatchDeploymentTest.class);
    var file = descriptor(List.of("s"), "<slurm id='%s-s' nodes='2' via='alpha' wallTime='10m'/>");
    TestGrid.command("cut", "alpha-1", "launcher");
    TestGrid.command("cut", "alpha-2", "launcher");
    try (var grid = Grid.deploy(file, options())) {
      for (var node : grid.nodes("workers").await(Nodes.all(), PATIENCE)) {
        assertThat(ActiveObjects.on(node).create(Worker.class).count()).isEqualTo(1);
      }
      assertThat(printed)
          .filteredOn(line -> line.contains("is reached over the tunnel at "))
          .as("the log names their routes: " + printed)
          .hasSize(2);
      assertThat(on("alpha-fe", "pgrep -f [F]orwarderMain").lines()).hasSize(1);
    } finally {
      TestGrid.command("heal");
    }
    assertThat(on("alpha-fe", "pgrep -f [F]orwarderMain")).isEmpty();
    nothingIsLeft();
  }

  /** Starts a program on a front end, with the descriptor that it deploys. */
  private static Process program(MachineRegistry machines, String host, Path descriptor, String end)
      throws IOException {
    var machine =
        machines.of(
            BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.of(host), 1, 1).via());
    var there = machines.staging().on(machine, BatchElements.STAGED);
    machine.put(descriptor, UNIQUE + ".xml");
    return machine
        .start(
            List.of(
                there.java(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(":", there.classPath()),
                "org.troupe.program.Deployer",
                UNIQUE + ".xml",
                end),
            Map.of(),
            Optional.empty())
        .process();
  }

  @Test
  void aProgramOnTheFrontEndUsesGridEnginesLibrary() throws Exception {
    var file =
        descriptor(
            List.of("g"),
            "<gridEngine id='%s-g' nodes='2' parallelEnvironment='spread' wallTime='10m'"
                + " jvm='j'/><jvm id='j'><option>-Dname=two words</option></jvm>");
    try (var machines = new MachineRegistry("", SshConfig.read(Path.of(config)))) {
      var process = program(machines, "gamma-fe", file, "close");
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      var errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(output.lines())
          .as(errors)
          .containsExactlyInAnyOrder("called gamma-1 1", "called gamma-2 1", "closed");
      assertThat(errors).isEmpty(); // no message about the unusable library
    }
    on("gamma-fe", "rm " + UNIQUE + ".xml");
    nothingIsLeft();
  }

  @Test
  void jobsComeAndGoWithTheirNodes() throws Exception {
    var file = descriptor(List.of("s"), "<slurm id='%s-s' via='alpha' wallTime='10m'/>");
    var jobs = "squeue -h -t RUNNING,PENDING -o %i -n troupe-" + UNIQUE + "-s";

    try (var grid = Grid.deploy(file, options())) {
      grid.nodes("workers").request(1);
      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      assertThat(nodes.list()).hasSize(2);
      assertThat(grid.status())
          .extracting(NodeStatus::host)
          .allSatisfy(host -> assertThat(host).startsWith("alpha-"));
      assertThat(on("alpha-fe", jobs).lines()).hasSize(2);
      var late =
          nodes.list().stream()
              .filter(node -> node.name().endsWith("-2"))
              .findFirst()
              .orElseThrow();

      grid.nodes("workers").release(late).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      on("alpha-fe", untilLeft(jobs, 1));
      assertThat(on("alpha-fe", jobs).lines())
          .containsExactly(nodes.first().attributes().get("job"));

      var saved = new CompletableFuture<Integer>();
      var lost = new CompletableFuture<String>();
      var worker = ActiveObjects.on(nodes.first()).create(Worker.class);
      var pending = ActiveObjects.ref(worker).ask(Worker::never);
      var other = ActiveObjects.on(nodes.first()).create(Worker.class);
      nodes.onLeaving((node, reason) -> saved.complete(other.count()));
      nodes.onLeave((node, reason) -> lost.complete(reason));
      on("alpha-fe", "scancel " + nodes.first().attributes().get("job"));

      assertThat(saved.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .containsAnyOf("CANCELLED", "SIGTERM");
      assertThatThrownBy(() -> pending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(NodeLostException.class);
    }

    nothingIsLeft();
  }

  private static String untilLeft(String jobs, int count) {
    return "for i in $(seq 120); do [ $("
        + jobs
        + " | wc -l) -gt "
        + count
        + " ] || break;"
        + " sleep 0.5; done";
  }

  /** Starts a program on this machine, whose record is in the test's folder. */
  private Process launcher(Path file) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Dtroupe.ssh.config=" + config,
            "-Duser.home=" + folder,
            "-cp",
            System.getProperty("java.class.path"),
            "org.troupe.program.Deployer",
            file.toString(),
            "wait");
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private RecordedRun onlyRun() throws IOException {
    var runs = RecordedRun.all(folder.resolve(RunJournal.RUNS));
    assertThat(runs).hasSize(1);
    return runs.getFirst();
  }

  @Test
  void nodesEndThoughTheirLauncherIsKilled() throws Exception {
    var file = descriptor(List.of("s"), "<slurm id='%s-s' nodes='2' via='alpha' wallTime='10m'/>");
    var launcher = launcher(file);
    try (var said = launcher.inputReader()) {
      assertThat(said.lines().takeWhile(line -> !line.equals("waiting")))
          .containsExactlyInAnyOrder("called alpha-1 1", "called alpha-2 1");
      launcher.destroyForcibly().waitFor();
    }

    var jobs = "squeue -h -t RUNNING,PENDING -o %j | grep -- " + UNIQUE;
    on("alpha-fe", "for i in $(seq 60); do " + jobs + " || break; sleep 0.5; done");
    assertThat(on("alpha-fe", jobs)).isEmpty();
    var left = "$(dirname $(grep -l -- " + UNIQUE + " " + RunJournal.RUNS + "*/job))";
    assertThat(on("alpha-fe", "cd " + left + " && ls"))
        .as("what 'clean' needs, and no secret")
        .contains("id")
        .doesNotContain(JobScript.SETTINGS);
    assertThat(onlyRun().look().things())
        .anyMatch(thing -> thing.kind().equals("folder") && thing.where().equals("alpha-fe"));

    assertThat(onlyRun().clean(false).things()).noneMatch(RunStatus.Thing::isLeft);
    assertThat(folder.resolve(RunJournal.RUNS)).isEmptyDirectory();
    nothingIsLeft();
  }

  @Test
  void aGridOfJobsIsCancelledByAnotherProcess() throws Exception {
    var file =
        descriptor(
            List.of("s", "g"),
            "<slurm id='%s-s' via='alpha' wallTime='10m'/>"
                + "<gridEngine id='%s-g' via='gamma' wallTime='10m'/>");
    var launcher = launcher(file);
    try (var said = launcher.inputReader()) {
      assertThat(said.lines().takeWhile(line -> !line.equals("waiting")))
          .filteredOn(line -> line.startsWith("called "))
          .hasSize(2);
      var id = Long.toString(launcher.pid());
      var grid = RunningGrid.all().stream().filter(each -> each.id().equals(id)).findFirst();

      assertThat(grid.orElseThrow().cancel()).as("its program has ended").isTrue();
    } finally {
      launcher.destroyForcibly().waitFor();
    }
    assertThat(folder.resolve(RunJournal.RUNS)).as("of its record").isEmptyDirectory();
    nothingIsLeft();
  }

  @Test
  void whatAKilledLauncherHasInQueuesIsCleaned() throws Exception {
    var file =
        descriptor(
            List.of("s", "p", "g"),
            "<slurm id='%s-s' via='alpha'><option>--hold</option></slurm>"
                + "<pbs id='%s-p' via='beta'><option>-h</option></pbs>"
                + "<gridEngine id='%s-g' via='gamma'><option>-h</option></gridEngine>");
    var launcher = launcher(file);
    try {
      awaitSubmissions(launcher, 3);
    } finally {
      launcher.destroyForcibly().waitFor();
    }
    assertThat(onlyRun().look().things().stream().filter(RunStatus.Thing::isLeft))
        .extracting(thing -> thing.kind() + " on " + thing.where())
        .containsExactlyInAnyOrder(
            "job on Slurm at alpha-fe",
            "folder on alpha-fe",
            "job on PBS at beta-fe",
            "folder on beta-fe",
            "job on Grid Engine at gamma-fe",
            "folder on gamma-fe");

    var cleaned = onlyRun().clean(false).things();

    assertThat(cleaned).noneMatch(RunStatus.Thing::isLeft);
    assertThat(cleaned.stream().filter(thing -> thing.kind().equals("job")))
        .hasSize(3)
        .allMatch(thing -> thing.state().startsWith("cancelled; it was "));
    assertThat(folder.resolve(RunJournal.RUNS)).isEmptyDirectory();
    nothingIsLeft();
  }

  /** Waits until the program's record has a number of jobs with their ids. */
  private void awaitSubmissions(Process launcher, int count) throws Exception {
    var home = folder.resolve(RunJournal.RUNS);
    for (var submitted = 0L; submitted < count; ) {
      assertThat(launcher.waitFor(500, TimeUnit.MILLISECONDS)).isFalse();
      for (var run : home.toFile().exists() ? RecordedRun.all(home) : List.<RecordedRun>of()) {
        submitted =
            RunRecord.read(home.resolve(run.id())).orElseThrow().jobs().stream()
                .filter(job -> !job.number().isEmpty())
                .count();
      }
    }
  }
}
