package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.model.NodeStatus;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.model.PlannedNode;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

@Timeout(120)
class GridTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Path descriptor(String mapping, String infrastructure) throws IOException {
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <variables><variable name="jvms" default="1"/></variables>
          <virtualNodes><virtualNode name="solvers"/><virtualNode name="display"/></virtualNodes>
          <mapping>%s</mapping>
          <infrastructure>%s</infrastructure>
        </troupe>
        """
            .formatted(mapping, infrastructure));
  }

  private static Worker worker(Node node) {
    return ActiveObjects.on(node).create(Worker.class);
  }

  @Test
  void localNodesAreThereOnReturn() throws Exception {
    try (var grid = Grid.local(2)) {
      var nodes = grid.nodes("default");

      assertThat(nodes).extracting(Node::name).containsExactlyInAnyOrder("local-1", "local-2");
      for (var node : nodes) {
        assertThat(worker(node).pid()).isEqualTo(Processes.pid(node));
      }
      assertThat(grid.status()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.JOINED);
    }
  }

  @Test
  void aDashboardThatIsNotThereIsMissedBeforeANodeStarts() {
    assertThatThrownBy(() -> Grid.local(1, GridOptions.standard().withDashboard()))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContainingAll("troupe-dashboard", "'troupe dashboard'");
  }

  @Test
  void closingEndsTheProcessesAndTheCalls() throws Exception {
    var grid = Grid.local(1, Quick.GRID);
    var node = grid.nodes().first();
    var worker = worker(node);
    worker.count();
    var never = ActiveObjects.ref(worker).ask(Worker::never);

    grid.close();
    grid.close();

    Processes.assertGone(Processes.pid(node));
    assertThatThrownBy(never::join).hasCauseInstanceOf(NodeLostException.class);
    assertThat(grid.status()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.ENDED);
    assertThatThrownBy(() -> grid.nodes().await(Nodes.atLeast(1), PATIENCE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void gridsOfOneProgramAreApart() throws Exception {
    try (var first = Grid.local(1, Quick.GRID)) {
      var early = worker(first.nodes().first());
      try (var second = Grid.local(1, Quick.GRID)) {
        var late = worker(second.nodes().first());

        assertThat(early.pid()).isNotEqualTo(late.pid());
        assertThat(first.nodes().list()).hasSize(1);
        assertThat(second.nodes().list()).hasSize(1);
      }
      assertThat(early.count()).isEqualTo(1);
    }
    try (var third = Grid.local(1, Quick.GRID)) {
      assertThat(worker(third.nodes().first()).count()).isEqualTo(1);
    }
  }

  @Test
  void anUnknownVirtualNodeIsAnErrorThatGuesses() {
    try (var grid = Grid.local(1, Quick.GRID)) {
      assertThatThrownBy(() -> grid.nodes("defualt"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("did you mean 'default'?");
    }
  }

  @Test
  void aSharedElementIsStartedOnceForAllItsVirtualNodes() throws Exception {
    var file =
        descriptor(
            "<map virtualNode='solvers' to='a'/><map virtualNode='display' to='a'/>"
                + "<map virtualNode='solvers' to='b'/>",
            "<local id='a'/><local id='b' jvms='${jvms}'/>");
    var options = Quick.GRID.withVariables(Map.of("jvms", "2"));
    try (var grid = Grid.deploy(file, options)) {
      grid.nodes().await(Nodes.all(), PATIENCE);

      assertThat(grid.nodes("solvers"))
          .extracting(Node::name)
          .containsExactlyInAnyOrder("a-1", "b-1", "b-2");
      assertThat(grid.nodes("display")).extracting(Node::name).containsExactly("a-1");
      assertThat(grid.nodes("display").first().virtualNodes())
          .containsExactly("solvers", "display");
      assertThat(grid.nodes().list()).hasSize(3);
    }
  }

  @Test
  void theDescriptorSaysHowAJvmIsStarted() throws Exception {
    var extra = Files.createDirectory(folder.resolve("extra"));
    var work = Files.createDirectory(folder.resolve("work"));
    var file =
        descriptor(
            "<map virtualNode='solvers' to='a'/><map virtualNode='display' to='a'/>",
            """
            <local id="a" jvm="j" workingDirectory="work"/>
            <jvm id="j">
              <option>-XX:+UseParallelGC</option>
              <option>-Xmx64m</option>
              <classPath>extra</classPath>
              <environment name="TROUPE_TEST" value="a b"/>
              <property name="test.price" value="$5 &amp; up"/>
            </jvm>
            """);
    try (var grid = Grid.deploy(file, Quick.GRID)) {
      var worker = worker(grid.nodes().await(Nodes.all(), PATIENCE).first());

      assertThat(worker.property("test.price")).isEqualTo("$5 & up");
      assertThat(worker.environment("TROUPE_TEST")).isEqualTo("a b");
      assertThat(Path.of(worker.property("user.dir")).toRealPath()).isEqualTo(work.toRealPath());
      assertThat(worker.property("java.class.path")).startsWith(extra + File.pathSeparator);
    }
  }

  @Test
  void nodesGetThePropertiesThatChooseHowTheyTalk() throws Exception {
    System.setProperty("troupe.links", "uds,tcp");
    System.setProperty("ibis.implementation", "troupe");
    try (var grid = Grid.local(1, Quick.GRID)) {
      var worker = worker(grid.nodes().first());
      assertThat(worker.property("troupe.links")).isEqualTo("uds,tcp");
      assertThat(worker.property("ibis.implementation")).isEqualTo("troupe");
      assertThat(grid.drivers()).containsExactly("uds");
    } finally {
      System.clearProperty("troupe.links");
      System.clearProperty("ibis.implementation");
    }
  }

  @Test
  void whatNodesPrintHasTheirNamesInFront() throws Exception {
    BlockingQueue<OutputLine> lines = new LinkedBlockingQueue<>();
    try (var grid = Grid.local(1, Quick.GRID.withOutput(lines::add))) {
      var worker = worker(grid.nodes().first());

      worker.say("out");
      assertThat(lines.poll(20, TimeUnit.SECONDS)).hasToString("[local-1] out");
      worker.complain("error");
      assertThat(lines.poll(20, TimeUnit.SECONDS))
          .isEqualTo(new OutputLine("local-1", true, "error"));
      assertThat(worker.input()).isEqualTo(-1);
    }
  }

  @Test
  void theShutdownHooksOfANodeRunAndItsJvmLeavesNoFile() throws Exception {
    BlockingQueue<OutputLine> lines = new LinkedBlockingQueue<>();
    String pid;
    try (var grid = Grid.local(1, Quick.GRID.withOutput(lines::add))) {
      var worker = worker(grid.nodes().first());
      worker.sayAtTheEnd("hook");
      pid = Long.toString(worker.pid());
      assertThat(lines).isEmpty();
    }

    assertThat(lines).extracting(OutputLine::text).containsExactly("hook");
    var counters = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"), pid);
    assertThat(counters).doesNotExist();
  }

  @Test
  void noSecretIsOnACommandLineOrInTheEnvironment() throws Exception {
    try (var grid = Grid.local(1, Quick.GRID)) {
      var pid = Processes.pid(grid.nodes().first());

      assertThat(Files.readString(Path.of("/proc/" + pid + "/cmdline")))
          .doesNotContainPattern("\\b[0-9a-f]{64}\\b");
      assertThat(Files.readString(Path.of("/proc/" + pid + "/environ")))
          .doesNotContainPattern("\\b[0-9a-f]{64}\\b");
    }
  }

  @Test
  void aPlanStartsNothingAndShowsTheCommands() throws Exception {
    var file =
        descriptor(
            "<map virtualNode='solvers' to='a'/><map virtualNode='display' to='a'/>",
            "<local id='a' jvms='2' workingDirectory='.'/><local id='unused'/>");

    var plan = Plan.of(DescriptorReader.read(file, Map.of()));

    assertThat(plan.problems()).isEmpty();
    assertThat(plan.nodes()).extracting(PlannedNode::name).containsExactly("a-1", "a-2");
    assertThat(plan.nodes().getFirst().shellCommand()).contains("/bin/java ");
    assertThat(plan.toString()).contains("a-1 on localhost for solvers, display (").contains("cd ");
  }
}
