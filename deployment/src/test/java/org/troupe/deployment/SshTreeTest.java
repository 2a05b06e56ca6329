package org.troupe.deployment;

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
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.Mapping;
import org.troupe.descriptors.Place;
import org.troupe.descriptors.Ssh;
import org.troupe.descriptors.VirtualNode;

/** Nodes that are started by others, from login to end; the hosts are one server here. */
@Timeout(180)
class SshTreeTest {

  private static final Place PLACE = new Place("grid.xml", 3, 5);
  private static final Duration START = Duration.ofSeconds(120);
  private static final String CONFIG = "troupe.ssh.config";

  private SshServerForTests server;

  /** Says where it is, and ends. */
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

  private static Ssh element(Login... hosts) {
    var jvm =
        new Jvm(
            "default",
            Optional.empty(),
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(),
            Map.of(),
            Map.of(),
            false,
            PLACE);
    return new Ssh(
        "far",
        List.of(hosts),
        1,
        jvm,
        new Cluster("far", List.of(), true, false, PLACE),
        Optional.empty(),
        PLACE);
  }

  private static Grid deploy(BlockingQueue<OutputLine> output, Login... hosts) {
    var usual = GridOptions.standard();
    return Grid.deploy(
        new Descriptor(
            List.of(),
            List.of(new VirtualNode("guests", PLACE)),
            List.of(new Mapping("guests", "far", PLACE)),
            List.of(element(hosts)),
            List.of()),
        new GridOptions(usual.variables(), usual.transport(), output::add, usual.silence()));
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

      assertThat(output.poll(60, TimeUnit.SECONDS))
          .isEqualTo(new OutputLine("far-2", false, "goodbye"));
      assertThat(left.poll(60, TimeUnit.SECONDS))
          .contains("far-2", "its process ended with exit code 7");
      assertThat(guests.get("far-3").pid()).isPositive();

      process(guests.get("far-3")).destroyForcibly();

      assertThat(left.poll(60, TimeUnit.SECONDS))
          .contains(
              "far-3",
              "how it ended is not known, as 'far-2', through which it was started, is lost");
    }
    for (var process : processes) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void areStartedFromHereIfNobodyElseCan() throws Exception {
    System.setProperty(SshLauncher.FAN_OUT, "1");
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    var output = new LinkedBlockingQueue<OutputLine>();
    try (var grid = deploy(output, login("near-1", OptionalInt.of(port)), login("near-2"))) {
      var nodes = grid.nodes("guests").await(Nodes.atLeast(1), START);

      assertThat(starters(nodes)).isEqualTo(Map.of("far-2", ""));
    }
  }

  @Test
  void arePlanned() {
    System.setProperty(SshLauncher.FAN_OUT, "2");
    var launcher =
        new SshLauncher(
            element(login("near-1"), login("near-2"), login("near-3")),
            List.of("guests"),
            new Machines(""));

    assertThat(launcher.preparation())
        .startsWith("far is started as a tree: this program starts the nodes of the first 2 of 3");
  }

  /** A branch of this JVM. */
  private static BranchMachine machine(Branches branches, Machines machines, Login login)
      throws Exception {
    branches.expect("far-1");
    branches.begin("far-1", ActiveObjects.here().create(Branch.class));
    return branches.machine(0, machines.host(login), "far-1");
  }

  @Test
  void areRefusedByTheKeyOfTheirHost() throws Exception {
    var line = server.knownHost().split(" ");
    var other = SshServerForTests.publicKey(SshServerForTests.key("ssh-ed25519"));
    Files.writeString(server.knownHosts, line[0] + " " + other + "\n");
    try (var machines = new Machines("", server.config(""))) {
      var machine = machine(new Branches(1, machines.keys()), machines, server.login());

      machine.beginStart();
      assertThatThrownBy(() -> machine.start(List.of("true"), Map.of(), Optional.empty()))
          .hasMessageContaining("through far-1: ")
          .hasMessageContaining("HAS CHANGED");
    }
  }

  @Test
  void areLoggedInToOnlyWhileTheyAreStarted() throws Exception {
    try (var machines = new Machines("", server.config(""))) {
      var machine = machine(new Branches(1, machines.keys()), machines, server.login());

      assertThatThrownBy(() -> machine.start(List.of("true"), Map.of(), Optional.empty()))
          .hasMessageContaining("no login that the launcher has asked for");

      machine.beginStart();
      var process =
          machine.start(List.of("sh", "-c", "echo hello; exit 3"), Map.of(), Optional.empty());
      assertThat(new String(process.getInputStream().readAllBytes())).isEqualTo("hello\n");
      assertThat(process.waitFor()).isEqualTo(3);
    }
  }
}
