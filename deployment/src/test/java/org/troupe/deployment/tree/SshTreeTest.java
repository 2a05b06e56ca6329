package org.troupe.deployment.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.Grid;
import org.troupe.deployment.Processes;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.launch.SshLauncher;
import org.troupe.deployment.model.OutputLine;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.Mapping;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SshJvms;
import org.troupe.descriptors.VirtualNode;
import org.troupe.program.Deployer;
import org.troupe.program.Quick;

/**
 * Nodes that are started by other nodes, from login to end; all hosts are one server on this
 * machine.
 */
@Timeout(180)
class SshTreeTest {

  private static final SourcePosition PLACE = new SourcePosition("grid.xml", 3, 5);
  private static final Duration START = Duration.ofSeconds(120);
  private static final String CONFIG = "troupe.ssh.config";

  private SshServerForTests server;

  /** A program that prints its location and ends. */
  public static class Guest {

    public long pid() {
      return ProcessHandle.current().pid();
    }

    public void exit(String lastWords) {
      System.out.println(lastWords);
      Runtime.getRuntime().halt(7);
    }
  }

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    server = new SshServerForTests(folder);
    System.setProperty(
        CONFIG,
        server
            .writeConfig(
                """
                Host near*
                  HostName 127.0.0.1
                  Port %d
                """
                    .formatted(server.port()))
            .toString());
  }

  @AfterEach
  void stop() throws Exception {
    System.clearProperty(CONFIG);
    System.clearProperty(SshLauncher.FAN_OUT);
    server.close();
  }

  private static SshJvms element(Optional<Path> javaHome, Login... hosts) {
    var jvm =
        new Jvm(
            "default",
            javaHome,
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(),
            Map.of(),
            Map.of(),
            false,
            PLACE);
    return new SshJvms(
        "far",
        List.of(hosts),
        1,
        jvm,
        new Cluster("far", List.of(), true, false, PLACE),
        Optional.empty(),
        PLACE);
  }

  private static Grid deploy(BlockingQueue<OutputLine> output, Login... hosts) {
    return deploy(output, Optional.empty(), hosts);
  }

  private static Grid deploy(
      BlockingQueue<OutputLine> output, Optional<Path> javaHome, Login... hosts) {
    return Grid.deploy(
        new Descriptor(
            List.of(),
            List.of(new VirtualNode("guests", PLACE)),
            List.of(new Mapping("guests", "far", PLACE)),
            List.of(element(javaHome, hosts)),
            List.of()),
        Quick.GRID.withOutput(output::add));
  }

  private static Login login(String host) {
    return login(host, OptionalInt.empty());
  }

  private static Login login(String host, OptionalInt port) {
    return new Login(
        host, host, port, Optional.empty(), Optional.empty(), HostKeys.STRICT, List.of(), PLACE);
  }

  private static Map<String, String> starters(Nodes nodes) {
    return nodes.list().stream()
        .collect(
            Collectors.toMap(Node::name, node -> node.attributes().getOrDefault("startedBy", "")));
  }

  private static ProcessHandle process(Guest guest) {
    return ProcessHandle.of(guest.pid()).orElseThrow();
  }

  @Test
  void liveOnWithoutThoseThatHaveStartedThem() throws Exception {
    System.setProperty(SshLauncher.FAN_OUT, "1");
    var output = new LinkedBlockingQueue<OutputLine>();
    var processes = new ArrayList<ProcessHandle>();
    try (var grid = deploy(output, login("near-1"), login("near-2"), login("near-3"))) {
      var nodes = grid.nodes("guests").await(Nodes.all(), START);
      assertThat(starters(nodes))
          .isEqualTo(Map.of("far-1", "", "far-2", "far-1", "far-3", "far-2"));
      var guests =
          nodes.list().stream()
              .collect(
                  Collectors.toMap(Node::name, node -> ActiveObjects.on(node).create(Guest.class)));
      guests.values().forEach(guest -> processes.add(process(guest)));
      var left = new LinkedBlockingQueue<String>();
      grid.nodes().onLeave((node, reason) -> left.add(node.name() + ": " + reason));

      guests.get("far-2").exit("goodbye");

      assertThat(await(output, "goodbye").node()).isEqualTo("far-2");
      assertThat(left.poll(60, TimeUnit.SECONDS))
          .contains("far-2", "its process ended with exit code 7");
      assertThat(guests.get("far-3").pid()).isPositive();

      process(guests.get("far-3")).destroyForcibly();

      assertThat(left.poll(60, TimeUnit.SECONDS))
          .contains(
              "far-3", "how it ended is not known, because 'far-2', which started it, is lost");
    }
    for (var process : processes) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void areStartedAgainIfTheirStarterIsLostBeforeTheyHaveJoined() throws Exception {
    System.setProperty(SshLauncher.FAN_OUT, "1");
    var home = Files.createDirectories(server.home.resolve("jdk/bin")).getParent();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    var java =
        Files.writeString(
            home.resolve("bin/java"),
            """
            #!/bin/sh
            mkdir first 2>/dev/null && exec "%1$s/bin/java" "$@"
            mkdir second 2>/dev/null && { echo held; exec cat >/dev/null; }
            exec "%1$s/bin/java" "$@"
            """
                .formatted(System.getProperty("java.home")));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    var output = new LinkedBlockingQueue<OutputLine>();
    try (var grid = deploy(output, Optional.of(home), login("near-1"), login("near-2"))) {
      var joined = new LinkedBlockingQueue<Node>();
      grid.nodes().onJoin(joined::add);
      var first = joined.poll(START.toSeconds(), TimeUnit.SECONDS);
      assertThat(await(output, "held").node()).isEqualTo("far-2");

      Processes.kill(first);

      var second = joined.poll(START.toSeconds(), TimeUnit.SECONDS);
      assertThat(second.name()).isEqualTo("far-2");
      assertThat(second.attributes()).doesNotContainKey("startedBy");
    }
  }

  @Test
  void areStartedFromHereIfTheirStarterHasEndedBeforeTheirTurn() throws Exception {
    var home = Files.createDirectories(server.home.resolve("jdk/bin")).getParent();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    var java = Files.writeString(home.resolve("bin/java"), "#!/bin/sh\necho started\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    int nobody;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    try (var machines = new MachineRegistry("")) {
      var hosts =
          element(Optional.of(home), login("near-1", OptionalInt.of(nobody)), login("near-2"));
      var launcher = new SshLauncher(hosts, List.of("guests"), machines, 1);
      var nodes = launcher.nodes();
      assertThat(launcher.start(nodes.get(0)).process().waitFor(60, TimeUnit.SECONDS)).isTrue();

      var second = launcher.start(nodes.get(1)).process();

      assertThat(second.onExit().get(60, TimeUnit.SECONDS).inputReader().lines())
          .contains("started");
    }
  }

  private static OutputLine await(BlockingQueue<OutputLine> output, String text) throws Exception {
    while (true) {
      var line = output.poll(START.toSeconds(), TimeUnit.SECONDS);
      assertThat(line).as("a line '%s'", text).isNotNull();
      if (line.text().equals(text)) {
        return line;
      }
    }
  }

  @Test
  void endWithTheirProgramHoweverThatEnds(@TempDir Path folder) throws Exception {
    var grid =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="guests"/></virtualNodes>
              <mapping><map virtualNode="guests" to="far"/></mapping>
              <infrastructure><ssh id="far" hosts="near-1 near-2"/></infrastructure>
            </troupe>
            """);
    var options =
        List.of(
            "-Duser.home=" + folder, // for its record
            "-D" + CONFIG + "=" + System.getProperty(CONFIG),
            "-D" + SshLauncher.FAN_OUT + "=1");
    var program =
        new ProcessBuilder(Quick.command(options, Deployer.class, grid.toString(), "wait"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(program.inputReader().lines().takeWhile(line -> !line.equals("waiting")))
          .contains("called near-1 1", "called near-2 1");
      var nodes =
          ProcessHandle.current()
              .descendants()
              .filter(process -> process.info().command().orElse("").endsWith("/java"))
              .filter(process -> process.pid() != program.pid())
              .toList();
      assertThat(nodes).hasSize(2);

      program.destroyForcibly();

      for (var node : nodes) {
        Processes.assertGone(node.pid());
      }
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void arePlanned() {
    System.setProperty(SshLauncher.FAN_OUT, "2");
    var launcher =
        new SshLauncher(
            element(Optional.empty(), login("near-1"), login("near-2"), login("near-3")),
            List.of("guests"),
            new MachineRegistry(""));

    assertThat(launcher.preparation())
        .startsWith("far is started as a tree: this program starts the nodes of the first 2 of 3");
  }

  // Branches of this JVM

  private Branch branch;

  private BranchMachine machine(MachineRegistry machines) throws Exception {
    var branches = new LaunchTree(1, machines.keys());
    branch = ActiveObjects.here().create(Branch.class);
    branches.expect("far-1");
    branches.add("far-1", branch);
    return branches.machine(0, machines.host(server.login()), "far-1");
  }

  @AfterEach
  void endBranch() throws Exception {
    if (branch != null) {
      ActiveObjects.ref(branch).terminateNow().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void areRefusedByTheKeyOfTheirHost() throws Exception {
    var line = server.knownHost().split(" ");
    var other = SshServerForTests.publicKey(SshServerForTests.key("ssh-ed25519"));
    Files.writeString(server.knownHosts, line[0] + " " + other + "\n");
    try (var machines = new MachineRegistry("", server.config(""))) {
      var machine = machine(machines);

      machine.beginStart();
      assertThatThrownBy(() -> machine.start(List.of("true"), Map.of(), Optional.empty()))
          .hasMessageContaining("through far-1: ")
          .hasMessageContaining("HAS CHANGED");
    }
  }

  @Test
  void areLoggedInToOnlyWhileTheyAreStarted() throws Exception {
    try (var machines = new MachineRegistry("", server.config(""))) {
      var machine = machine(machines);

      assertThatThrownBy(() -> machine.start(List.of("true"), Map.of(), Optional.empty()))
          .hasMessageContaining("the launcher has not requested a login there");

      machine.beginStart();
      var process = machine.start(List.of("sh", "-c", "cat; exit 3"), Map.of(), Optional.empty());
      process.getOutputStream().write("hello".getBytes());
      process.getOutputStream().close();
      assertThat(new String(process.getInputStream().readAllBytes())).startsWith("hello");
      assertThat(process.waitFor()).isEqualTo(3);
    }
  }

  @Test
  void mayLiveOnWithoutTheirConnection() throws Exception {
    try (var machines = new MachineRegistry("", server.config(""))) {
      var machine = machine(machines);
      machine.beginStart();
      var command = machine.start(List.of("cat"), Map.of(), Optional.empty());
      var node = machine.start(List.of("cat"), Map.of(), Optional.empty(), () -> true);

      server.breakConnections();

      assertThat(command.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(node.getInputStream().readAllBytes()).isEmpty();
      assertThat(node.isAlive()).isTrue();
      node.destroy();
      assertThat(node.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(node.explanation())
          .hasValueSatisfying(reason -> assertThat(reason).startsWith("its ssh connection broke"));
    }
  }
}
