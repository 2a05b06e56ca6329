package org.troupe.deployment;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.descriptors.BatchJvms;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

/**
 * Failures of real grids: each ends, in bounded time, with a message that names the element, the
 * host, the cause and the remedy. Needs a test grid that may be damaged.
 */
@Timeout(400)
class NamedFailuresTest {

  private static final Duration PATIENCE = Duration.ofSeconds(150);
  private static final String UNIQUE = "n" + ProcessHandle.current().pid();

  @TempDir private Path folder;
  private String config;

  @BeforeEach
  void findGrid() {
    config = TestGrid.sshConfigOfOurOwn(NamedFailuresTest.class);
    System.setProperty("troupe.ssh.config", config);
  }

  @AfterEach
  void repair() throws Exception {
    System.clearProperty("troupe.ssh.config");
    if (config != null) {
      TestGrid.command("heal");
    }
  }

  private Path descriptor(String infrastructure, String... ids) throws IOException {
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="workers"/></virtualNodes>
          <mapping>%s</mapping>
          <infrastructure>
            <login id="alpha" host="alpha-fe"/><login id="gateway" host="delta-gw"/>
            %s
          </infrastructure>
        </troupe>
        """
            .formatted(
                List.of(ids).stream()
                    .map(id -> "<map virtualNode='workers' to='" + UNIQUE + id + "'/>")
                    .collect(joining()),
                infrastructure.replace("%s", UNIQUE)));
  }

  private static GridOptions options() {
    return Quick.GRID.withOutput(line -> {});
  }

  private String on(String host, String command) throws IOException {
    try (var machines = new MachineRegistry("", SshConfig.read(Path.of(config)))) {
      var login = BatchElements.of(new BatchJvms.Scheduler.Slurm(), Optional.of(host), 1, 1).via();
      return new MachineCommands(machines.of(login), Duration.ofSeconds(60))
          .run(List.of("/bin/sh", "-c", command))
          .output();
    }
  }

  /** Returns the message of a failed wait; waits again until the message has a certain part. */
  private static String vainWait(Grid grid, String part) throws InterruptedException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        grid.nodes("workers").await(Nodes.all(), Duration.ofSeconds(1));
        throw new AssertionError("they are there");
      } catch (TimeoutException e) {
        if (e.getMessage().contains(part)) {
          return e.getMessage();
        }
        assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(deadline);
      }
    }
  }

  /** Completes with the reason when a node leaves. */
  private static CompletableFuture<String> loss(Grid grid) {
    var loss = new CompletableFuture<String>();
    grid.nodes("workers").onLeave((node, reason) -> loss.complete(node.name() + ": " + reason));
    return loss;
  }

  private static String awaited(CompletableFuture<String> loss) throws Exception {
    return loss.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void killAndStart(String host) throws Exception {
    TestGrid.command("kill", host);
    TestGrid.command("start", host);
  }

  @Test
  void aSchedulerThatIsKilled() throws Exception {
    var file = descriptor("<slurm id='%sa' via='alpha'><option>--hold</option></slurm>", "a");
    try (var grid = Grid.deploy(file, options())) {
      vainWait(grid, "PENDING (JobHeldUser)");
      TestGrid.command("exec", "alpha-fe", "pkill", "-KILL", "-x", "slurmctld");

      assertThat(vainWait(grid, "has not answered"))
          .contains("node '" + UNIQUE + "a-1': queued for ")
          .contains("Slurm at alpha-fe has not answered for ")
          .contains(", polling continues; check whether it runs there: ")
          .containsIgnoringCase("unable to contact slurm controller");
    }
    try (var grid = Grid.deploy(file, options())) {
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("'" + UNIQUE + "a' got no job from Slurm at alpha-fe: ")
          .hasMessageContaining(file.toString());
    } finally {
      killAndStart("alpha-fe");
      on("alpha-fe", "scancel -n troupe-" + UNIQUE + "a");
    }
  }

  @Test
  void aGatewayThatIsKilled() throws Exception {
    var file = descriptor("<ssh id='%sg' hosts='delta-1' via='gateway'/>", "g");
    try (var grid = Grid.deploy(file, options())) {
      var worker =
          ActiveObjects.on(grid.nodes("workers").await(Nodes.all(), PATIENCE).first())
              .create(Worker.class);
      assertThat(worker.count()).isEqualTo(1);
      var loss = loss(grid);

      TestGrid.command("kill", "delta-gw");

      assertThat(awaited(loss)).startsWith(UNIQUE + "g-1: ").containsAnyOf("heard", "connection");
    }
    try (var grid = Grid.deploy(file, options())) {
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("node '" + UNIQUE + "g-1': ")
          .hasMessageContaining("delta-1: its gateway fails: delta-gw: ")
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void aWallTimeThatExpires() throws Exception {
    var file = descriptor("<slurm id='%sw' via='alpha' wallTime='1m'/>", "w");
    try (var grid = Grid.deploy(file, options())) {
      grid.nodes("workers").await(Nodes.all(), PATIENCE);

      assertThat(awaited(loss(grid)))
          .startsWith(UNIQUE + "w-1: ")
          .contains("of Slurm at alpha-fe: TIMEOUT: it reached its time limit of 00:01:00");
    }
  }

  @Test
  void aPartitionThatIsFullAndThenStartsLate() throws Exception {
    var blocker = "block-" + UNIQUE;
    on("alpha-fe", "sbatch -N2 --exclusive -o /dev/null -J " + blocker + " --wrap 'sleep 600'");
    var file = descriptor("<slurm id='%sf' via='alpha'/>", "f");
    try (var grid = Grid.deploy(file, options())) {
      assertThat(vainWait(grid, "PENDING (Resources)"))
          .contains("node '" + UNIQUE + "f-1': queued for ")
          .contains("of Slurm at alpha-fe: ");

      on("alpha-fe", "scancel -n " + blocker);

      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      assertThat(ActiveObjects.on(nodes.first()).create(Worker.class).count()).isEqualTo(1);
    } finally {
      on("alpha-fe", "scancel -n " + blocker);
    }
  }

  @Test
  void halfOfTheNodesAreRefused() throws Exception {
    var file =
        descriptor(
            "<slurm id='%sy' via='alpha'/><slurm id='%sn' via='alpha' queue='nope'/>", "y", "n");
    try (var grid = Grid.deploy(file, options())) {
      var nodes = grid.nodes("workers").await(Nodes.atLeast(1), PATIENCE);

      assertThat(ActiveObjects.on(nodes.first()).create(Worker.class).count()).isEqualTo(1);
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("'" + UNIQUE + "n' got no job from Slurm at alpha-fe: ")
          .hasMessageContaining("Invalid partition")
          .hasMessageContaining("correct the element; the command was: ");
    }
  }

  @Test
  void aNodeThatStartsAndCannotCallHome() throws Exception {
    TestGrid.command("cut", "alpha-1", "launcher");
    TestGrid.command("cut", "alpha-2", "launcher");
    var file = descriptor("<slurm id='%sc' via='alpha'><option>--hold</option></slurm>", "c");
    try (var grid = Grid.deploy(file, options())) {
      vainWait(grid, "PENDING (JobHeldUser)");
      on("alpha-fe", "pkill -f troupe.run=" + grid.run() + ".*[F]orwarderMain"); // the last route
      on("alpha-fe", "scontrol release $(squeue -h -n troupe-" + UNIQUE + "c -o %i)");

      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("node '" + UNIQUE + "c-1'")
          .hasMessageContaining("cannot join its grid: ")
          .hasMessageContaining("Slurm at alpha-fe")
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void aJobThatStartsWhenItsLauncherIsDeadEndsByItself() throws Exception {
    var file =
        descriptor(
            "<slurm id='%sl' via='alpha' wallTime='10m'><option>--hold</option></slurm>", "l");
    var launcher =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dtroupe.ssh.config=" + config,
                "-Duser.home=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "org.troupe.program.Deployer",
                file.toString(),
                "close")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    var job = "squeue -h -n troupe-" + UNIQUE + "l -o ";
    on("alpha-fe", "for i in $(seq 50); do " + job + "%i | grep . && break; sleep 1; done");
    var id = on("alpha-fe", job + "%i").strip();
    assertThat(id).matches("\\d+");
    launcher.destroyForcibly().waitFor();

    on("alpha-fe", "scontrol release " + id);

    for (var minute = 0; minute < 4; minute++) {
      on("alpha-fe", "for i in $(seq 50); do " + job + "%i | grep . || break; sleep 1; done");
    }
    assertThat(on("alpha-fe", job + "'%i %T %M'")).isEmpty();
    var run = "$(dirname $(grep -l -- " + UNIQUE + " " + RunJournal.RUNS + "*/job))";
    assertThat(on("alpha-fe", "cat " + run + "/0.err")).contains("cannot join its grid: ");
    on("alpha-fe", "rm -r " + run);
  }
}
