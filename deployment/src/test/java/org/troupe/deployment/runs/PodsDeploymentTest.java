package org.troupe.deployment.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Doctor;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.journal.RunRecord;
import org.troupe.deployment.process.LocalMachine;
import org.troupe.deployment.process.MachineCommands;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.program.Quick;
import org.troupe.program.Worker;

/**
 * Grids of real pods, in the current context of {@code kubectl}. The property {@code
 * troupe.kubernetes.image} names an image with a shell and tar, {@code troupe.kubernetes.mounts}
 * paths of the cluster's machines that the pods need, such as those of a Java.
 */
@Timeout(400)
@EnabledIfSystemProperty(
    named = "troupe.kubernetes.image",
    matches = ".+",
    disabledReason = "NOT RUN: needs a Kubernetes cluster; see CONTRIBUTING.md")
class PodsDeploymentTest {

  private static final Duration PATIENCE = Duration.ofSeconds(200);
  private static final String IMAGE = System.getProperty("troupe.kubernetes.image", "");

  @TempDir private Path folder;
  private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();

  private Path descriptor(int pods, String image, String attributes) throws IOException {
    var mounts =
        Stream.of(System.getProperty("troupe.kubernetes.mounts", "").split(" "))
            .filter(path -> !path.isEmpty())
            .map(path -> "<mount path='%1$s' host='%1$s' readOnly='true'/>".formatted(path))
            .collect(Collectors.joining());
    return Files.writeString(
        folder.resolve("grid.xml"),
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="workers"/></virtualNodes>
          <mapping><map virtualNode="workers" to="pods"/></mapping>
          <infrastructure>
            <kubernetes id="pods" pods="%d" image="%s" %s>%s</kubernetes>
          </infrastructure>
        </troupe>
        """
            .formatted(pods, image, attributes, mounts));
  }

  private GridOptions options() {
    return Quick.GRID.withOutput(line -> printed.add(line.toString()));
  }

  private static String kubectl(String... arguments) throws IOException {
    var command = Stream.concat(Stream.of("kubectl"), Stream.of(arguments)).toList();
    var answer = new MachineCommands(new LocalMachine(), PATIENCE).run(command);
    assertThat(answer.exitCode()).as(command + ": " + answer.message()).isZero();
    return answer.output().strip();
  }

  private static String left() throws IOException {
    return kubectl(
        "get", "jobs,secrets,pods", "--selector=app.kubernetes.io/managed-by=troupe", "-o=name");
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    assertThat(left()).isEmpty();
  }

  @Test
  void podsAreNodes() throws Exception {
    var file = descriptor(2, IMAGE, "memory='256m' wallTime='10m' patch='pod.yaml'");
    Files.writeString(
        folder.resolve("pod.yaml"),
        """
        spec:
          template:
            spec:
              containers:
              - name: node
                env: [{name: PATCHED, value: "yes"}]
        """);
    assertThat(Doctor.examine(DescriptorReader.read(file, Map.of())))
        .noneMatch(finding -> finding.grade() == Doctor.Finding.Grade.BAD);
    try (var grid = Grid.deploy(file, options())) {
      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      assertThat(nodes.list()).hasSize(2);
      for (var node : nodes) {
        var worker = ActiveObjects.on(node).create(Worker.class);
        assertThat(worker.count()).isEqualTo(1);
        assertThat(worker.environment("HOME")).isEqualTo("/troupe/home");
        assertThat(worker.environment("PATCHED")).isEqualTo("yes");
        worker.say("hello from " + node.name());
        assertThat(Long.parseLong(node.attributes().get("heap"))).isLessThan(256L << 20);
      }
      assertThat(nodes.list()).extracting(Node::host).doesNotHaveDuplicates();

      grid.nodes("workers").request(1);
      var late = grid.nodes("workers").await(Nodes.atLeast(3), PATIENCE).list().getLast();
      assertThat(left().lines().filter(name -> name.startsWith("job"))).hasSize(2);
      grid.nodes("workers").release(late).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(printed)
        .anyMatch(line -> line.contains("hello from pods-1"))
        .anyMatch(line -> line.contains("hello from pods-2"));
  }

  @Test
  void aKilledPodHasACertificateAndAnAskedOneLeavesInOrder() throws Exception {
    try (var grid = Grid.deploy(descriptor(2, IMAGE, ""), options())) {
      var nodes = grid.nodes("workers").await(Nodes.all(), PATIENCE);
      var lost = new CompletableFuture<String>();
      nodes.onLeave((node, reason) -> lost.complete(reason));
      var killed = nodes.list().get(0);
      var pending =
          ActiveObjects.ref(ActiveObjects.on(killed).create(Worker.class)).ask(Worker::never);

      kubectl("delete", pod(killed), "--grace-period=0", "--force");

      assertThat(lost.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .contains("of Kubernetes: Deleted: its pod was deleted");
      assertThatThrownBy(() -> pending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .hasCauseInstanceOf(NodeLostException.class)
          .hasMessageContaining("its pod was deleted");

      var left = new CompletableFuture<String>();
      var saved = new CompletableFuture<Integer>();
      var asked = nodes.list().getFirst();
      var worker = ActiveObjects.on(asked).create(Worker.class);
      grid.nodes("workers").onLeaving((node, reason) -> saved.complete(worker.count()));
      grid.nodes("workers").onLeave((node, reason) -> left.complete(reason));
      kubectl("delete", pod(asked), "--wait=false");

      assertThat(saved.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(left.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("SIGTERM");
    }
  }

  private static String pod(Node node) throws IOException {
    var name = kubectl("get", "pods", "-o=name", "--selector=app.kubernetes.io/managed-by=troupe");
    return name.lines().filter(each -> each.contains(node.host())).findFirst().orElseThrow();
  }

  private static String vainWait(Nodes nodes) throws InterruptedException {
    try {
      nodes.await(Nodes.all(), Duration.ofSeconds(1));
      return "they are there";
    } catch (TimeoutException e) {
      return e.getMessage();
    }
  }

  private String explanation(Path file, String part) throws Exception {
    try (var grid = Grid.deploy(file, options())) {
      var said = "";
      while (!said.contains(part)) {
        said = vainWait(grid.nodes("workers"));
        assertThat(said).contains("pods-1");
      }
      return said;
    }
  }

  @Test
  void waitsSayWhatTheClusterWaitsFor() throws Exception {
    var missing = descriptor(1, "registry.invalid/none:1", "");
    assertThat(explanation(missing, "correct image"))
        .contains("queued for ")
        .contains("registry.invalid/none:1")
        .contains("correct image");

    assertThat(explanation(descriptor(1, IMAGE, "memory='9000g'"), "Unschedulable"))
        .contains("Insufficient memory")
        .contains("correct cpus, memory or nodeSelector");
  }

  @Test
  void anImageWithoutAShellIsNamed() throws Exception {
    var file = descriptor(1, IMAGE, "jvm='shared'");
    Files.writeString(
        file,
        Files.readString(file)
            .replace(
                "<kubernetes",
                "<jvm id='shared' sharedFiles='true' javaHome='/no/java'/><kubernetes"));
    try (var grid = Grid.deploy(file, options())) {
      assertThatThrownBy(() -> grid.nodes("workers").await(Nodes.all(), PATIENCE))
          .hasMessageContaining("StartError")
          .hasMessageContaining("/no/java/bin/java")
          .hasMessageContaining("correct image or javaHome");
    }
  }

  @Test
  void theTimeLimitIsTheReason() throws Exception {
    try (var grid = Grid.deploy(descriptor(1, IMAGE, "wallTime='30s'"), options())) {
      var reasons = new CompletableFuture<String>();
      grid.nodes("workers").onLeave((node, reason) -> reasons.complete(reason));
      grid.nodes("workers").await(Nodes.all(), PATIENCE);

      assertThat(reasons.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .containsAnyOf("DeadlineExceeded", "SIGTERM");
    }
  }

  /** Starts a program whose record is in the test's folder. */
  private Process launcher(Path file) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
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
  void aKilledLauncherLeavesNothing() throws Exception {
    var launcher = launcher(descriptor(1, IMAGE, ""));
    try (var said = launcher.inputReader()) {
      assertThat(said.lines().takeWhile(line -> !line.equals("waiting")))
          .anyMatch(line -> line.startsWith("called "));
      launcher.destroyForcibly().waitFor();
    }

    kubectl(
        "wait",
        "--for=delete",
        "jobs,secrets,pods",
        "--selector=app.kubernetes.io/managed-by=troupe",
        "--timeout=150s");
    assertThat(onlyRun().clean(false).things()).noneMatch(RunStatus.Thing::isLeft);
  }

  @Test
  void whatAKilledLauncherHasWaitingIsCleaned() throws Exception {
    var launcher = launcher(descriptor(1, IMAGE, "memory='9000g'"));
    try {
      while (!left().contains("secret/") || !left().contains("pod/")) {
        assertThat(launcher.isAlive()).isTrue();
      }
    } finally {
      launcher.destroyForcibly().waitFor();
    }
    var run = onlyRun();
    assertThat(
            RunRecord.read(folder.resolve(RunJournal.RUNS).resolve(run.id())).orElseThrow().pods())
        .hasSize(1);
    assertThat(run.look().things())
        .anyMatch(
            thing ->
                thing.where().equals("Kubernetes")
                    && thing.name().startsWith("job/troupe-" + run.id())
                    && thing.isLeft());

    assertThat(onlyRun().clean(false).things())
        .anyMatch(thing -> thing.state().equals("deleted with its pods and its Secret"))
        .noneMatch(RunStatus.Thing::isLeft);
    assertThat(folder.resolve(RunJournal.RUNS)).isEmptyDirectory();
  }

  @Test
  void aRunIsCancelledByAnotherProcess() throws Exception {
    var launcher = launcher(descriptor(1, IMAGE, ""));
    try (var said = launcher.inputReader()) {
      assertThat(said.lines().takeWhile(line -> !line.equals("waiting")))
          .anyMatch(line -> line.startsWith("called "));
      var id = Long.toString(launcher.pid());
      var grid = RunningGrid.all().stream().filter(each -> each.id().equals(id)).findFirst();

      assertThat(grid.orElseThrow().cancel()).as("its program has ended").isTrue();
    } finally {
      launcher.destroyForcibly().waitFor();
    }
    assertThat(folder.resolve(RunJournal.RUNS)).isEmptyDirectory();
  }
}
