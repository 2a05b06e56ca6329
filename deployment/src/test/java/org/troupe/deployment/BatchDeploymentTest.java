package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.descriptors.Batch;
import org.troupe.program.Worker;

/** Grids of real nodes that the schedulers of the test grid start. */
@Timeout(400)
class BatchDeploymentTest {

  private static final Duration PATIENCE = Duration.ofSeconds(150);

  @TempDir private Path folder;
  private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();
  private String config;

  @BeforeEach
  void findGrid() {
    config = System.getenv("TESTGRID_SSH_CONFIG");
    assumeTrue(
        config != null,
        "NOT RUN: no test grid; 'testgrid/testgrid up', then eval \"$(testgrid/testgrid env)\"");
    System.setProperty("troupe.ssh.config", config);
  }

  @AfterEach
  void forgetGrid() {
    System.clearProperty("troupe.ssh.config");
  }

  private Path descriptor(String mapping, String infrastructure) throws IOException {
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
            .formatted(mapping, infrastructure));
  }

  private GridOptions options() {
    return GridOptions.standard().withOutput(line -> printed.add(line.toString()));
  }

  private String on(String host, String command) throws IOException {
    try (var machines = new Machines("", SshConfig.read(Path.of(config)))) {
      var login = BatchElements.of(new Batch.Scheduler.Slurm(), Optional.of(host), 1, 1).via();
      return new MachineCommands(machines.of(login), Duration.ofSeconds(30))
          .run(List.of("/bin/sh", "-c", command))
          .output();
    }
  }

  private void nothingIsLeft() throws IOException {
    for (var site : List.of("alpha", "beta", "gamma")) {
      assertThat(on(site + "-fe", "ls " + Bundle.RUNS)).as(site).isEmpty();
      for (var node : List.of("-1", "-2")) {
        assertThat(on(site + node, "pgrep -f NodeMai[n]")).as(site + node).isEmpty();
      }
    }
    assertThat(on("alpha-fe", "squeue -h -t RUNNING,PENDING -o %j | grep troupe")).isEmpty();
    assertThat(on("beta-fe", "qstat | grep troupe | grep -v ' C '")).isEmpty();
    assertThat(on("gamma-fe", "qstat | grep troupe")).isEmpty();
  }

  @Test
  void threeSchedulersMakeOneGrid() throws Exception {
    var file =
        descriptor(
            "<map virtualNode='workers' to='slurm'/><map virtualNode='workers' to='pbs'/>"
                + "<map virtualNode='workers' to='ge'/>",
            "<slurm id='slurm' via='alpha' nodes='2' wallTime='10m'/>"
                + "<pbs id='pbs' via='beta' nodes='2' wallTime='10m'/>"
                + "<gridEngine id='ge' via='gamma' nodes='2' parallelEnvironment='spread'"
                + " wallTime='10m'/>");

    try (var grid = Grid.deploy(file, options())) {
      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      assertThat(nodes.list().stream().map(Node::host))
          .containsExactlyInAnyOrder(
              "alpha-1", "alpha-2", "beta-1", "beta-2", "gamma-1", "gamma-2");
      for (var node : nodes) {
        assertThat(node.attributes().get("job")).matches("\\d+");
        assertThat(ActiveObjects.on(node).create(Worker.class).count()).isEqualTo(1);
      }
    }

    nothingIsLeft();
  }

  @Test
  void whoWaitsInVainHearsWhatTheSchedulerWaitsFor() throws Exception {
    var file =
        descriptor(
            "<map virtualNode='workers' to='slurm'/>",
            "<slurm id='slurm' via='alpha' nodes='2'><option>--hold</option></slurm>");

    try (var grid = Grid.deploy(file, options())) {
      while (!grid.status().getFirst().detail().contains("JobHeldUser")) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), Duration.ZERO))
          .isInstanceOf(TimeoutException.class)
          .hasMessageContaining("node 'slurm-1' and 1 more: queued for ")
          .hasMessageContaining("PENDING (JobHeldUser)");
    }

    nothingIsLeft();
  }

  @Test
  void aRefusedJobFailsTheWaitAtOnce() throws Exception {
    var file =
        descriptor(
            "<map virtualNode='workers' to='ge'/>",
            "<gridEngine id='ge' via='gamma' nodes='7' parallelEnvironment='spread'/>");

    try (var grid = Grid.deploy(file, options())) {
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("'ge' got no job from Grid Engine at gamma-fe")
          .hasMessageContaining("no suitable queues")
          .hasMessageContaining("-pe spread 7");
    }

    nothingIsLeft();
  }
}
