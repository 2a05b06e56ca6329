package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.troupe.activeobjects.Nodes.atLeast;

import java.io.IOException;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.deployment.staging.Installation;
import org.troupe.deployment.staging.Staging;
import org.troupe.descriptors.Cluster;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.Mapping;
import org.troupe.descriptors.SourcePosition;
import org.troupe.descriptors.SshJvms;
import org.troupe.descriptors.VirtualNode;
import org.troupe.program.Quick;

/** Nodes that are started over ssh, from login to end; the server runs on this machine. */
@Timeout(300)
class SshNodesTest {

  private static final SourcePosition PLACE = new SourcePosition("grid.xml", 3, 5);
  private static final Duration START = Duration.ofSeconds(60);
  private static final String CONFIG = "troupe.ssh.config";

  private SshServerForTests server;

  /** Reports its location. */
  public static class Guest {

    public long pid() {
      return ProcessHandle.current().pid();
    }

    public String classes() {
      return Guest.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    public String greeting() {
      return System.getenv("GREETING");
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
  void stop() throws IOException {
    System.clearProperty(CONFIG);
    server.close();
  }

  private static Descriptor descriptor(int jvms, Login... hosts) {
    var jvm =
        new Jvm(
            "default",
            Optional.empty(),
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            List.of(),
            Map.of("GREETING", "it's $HOME"),
            Map.of(),
            false,
            PLACE);
    return new Descriptor(
        List.of(),
        List.of(new VirtualNode("guests", PLACE)),
        List.of(new Mapping("guests", "far", PLACE)),
        List.of(
            new SshJvms(
                "far",
                List.of(hosts),
                jvms,
                jvm,
                new Cluster("far", List.of(), true, false, PLACE),
                Optional.empty(),
                PLACE)),
        List.of());
  }

  private static Login login(String host) {
    return login(host, OptionalInt.empty());
  }

  private static Login login(String host, OptionalInt port) {
    return new Login(
        host, host, port, Optional.empty(), Optional.empty(), HostKeys.STRICT, List.of(), PLACE);
  }

  private static Grid deploy(Descriptor descriptor) {
    return Grid.deploy(descriptor, Quick.GRID);
  }

  @Test
  void serveWithTheProgramThatWasBroughtThere() throws Exception {
    ProcessHandle process;
    try (var grid = deploy(descriptor(1, login("near-1"), login("near-2")))) {
      var nodes = grid.nodes("guests").await(Nodes.all(), START);
      var guest = ActiveObjects.on(nodes.first()).create(Guest.class);

      assertThat(guest.greeting()).isEqualTo("it's $HOME");
      assertThat(guest.classes()).startsWith(server.home + "/.cache/troupe/");
      assertThat(grid.status())
          .extracting(status -> status.plan().name(), status -> status.plan().host())
          .containsExactly(tuple("far-1", "near-1"), tuple("far-2", "near-2"));
      process = ProcessHandle.of(guest.pid()).orElseThrow();
      assertThat(grid.status())
          .filteredOn(status -> status.plan().name().equals(nodes.first().name()))
          .singleElement()
          .satisfies(status -> assertThat(status.pid()).hasValue(guest.pid()));
    }
    process.onExit().get(30, TimeUnit.SECONDS);
    server.awaitNoConnections();
  }

  @Test
  void moreCanBeHadAndLetGo() throws Exception {
    try (var grid = deploy(descriptor(1, login("near-1")))) {
      grid.nodes("guests").request(1);
      var nodes = grid.nodes("guests").await(Nodes.all(), START);
      assertThat(nodes).extracting(Node::name).containsExactlyInAnyOrder("far-1", "far-2");
      var late = nodes.list().stream().filter(node -> node.name().equals("far-2")).findFirst();
      assertThat(ActiveObjects.on(late.orElseThrow()).create(Guest.class).pid())
          .isEqualTo(Processes.pid(late.get()));

      nodes.release(late.get()).get(60, TimeUnit.SECONDS);

      assertThat(nodes.list()).extracting(Node::name).containsExactly("far-1");
      Processes.assertGone(Processes.pid(late.get()));
    }
  }

  @Test
  void comeEvenIfOthersCannot() throws Exception {
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    try (var grid = deploy(descriptor(1, login("near-1"), login("near-2", OptionalInt.of(port))))) {
      var nodes = grid.nodes("guests").await(atLeast(1), START);

      assertThat(nodes.first().name()).isEqualTo("far-1");
      assertThatThrownBy(() -> grid.nodes("guests").await(Nodes.all(), START))
          .isInstanceOf(NodesMissingException.class)
          .hasMessageContaining("far-2")
          .hasMessageContaining("it cannot be started: near-2: cannot connect to tester@127.0.0.1")
          .hasMessageContaining("grid.xml:3:5");
    }
  }

  @Test
  void areLostWithTheirConnection() throws Exception {
    try (var grid = deploy(descriptor(1, login("near-1")))) {
      var nodes = grid.nodes("guests").await(Nodes.all(), START);
      var guest = ActiveObjects.on(nodes.first()).create(Guest.class);
      var process = ProcessHandle.of(guest.pid()).orElseThrow();
      var reason = new AtomicReference<String>();
      var left = new CountDownLatch(1);
      grid.nodes()
          .onLeave(
              (node, why) -> {
                reason.set(why);
                left.countDown();
              });

      server.breakConnections();

      assertThat(left.await(30, TimeUnit.SECONDS)).as("the node left").isTrue();
      assertThat(reason.get()).contains("its ssh connection broke");
      process.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void areBroughtTheirFilesOnce() throws Exception {
    var machines = new MachineRegistry("", server.config(""));
    try (machines) {
      var jvm = descriptor(1, server.login()).infrastructure().getFirst().jvm();
      var first = machines.staging().on(machines.of(server.login()), jvm);
      var times = times(first);
      try (var again = new MachineRegistry("", server.config(""))) {
        var second = again.staging().on(again.of(server.login()), jvm);

        assertThat(second).isEqualTo(first);
        assertThat(times(second)).isEqualTo(times);
      }
    }
  }

  private static List<Object> times(Installation there) throws IOException {
    var times = new ArrayList<Object>();
    for (var file : there.classPath()) {
      times.add(Files.getLastModifiedTime(Path.of(file)));
      times.add(Files.getAttribute(Path.of(file), "unix:ino"));
    }
    return times;
  }

  @Test
  void bringsJavaWhereThereIsNone(@TempDir Path cache, @TempDir Path bin) throws Exception {
    try (var machines = new MachineRegistry("", server.config(""))) {
      var bare = WithoutJava.of(machines.of(server.login()), bin);
      var jvm = descriptor(1, server.login()).infrastructure().getFirst().jvm();

      var java = new Staging("", cache).on(bare, jvm).java();

      assertThat(java)
          .startsWith(server.home + "/.cache/troupe/java-" + Runtime.version().feature());
      var version = new ProcessBuilder(java, "-version").redirectErrorStream(true).start();
      assertThat(new String(version.getInputStream().readAllBytes()))
          .contains("\"" + System.getProperty("java.version") + "\"");
      assertThat(new Staging("", cache).on(bare, jvm).java()).isEqualTo(java);
    }
  }

  /** A machine without Java. */
  private record WithoutJava(Machine machine, Path bin) implements Machine {

    /** Creates a machine whose PATH has the usual commands, but not java. */
    static WithoutJava of(Machine machine, Path bin) throws IOException {
      for (var name :
          List.of("cat", "gzip", "mkdir", "mv", "readlink", "rm", "sed", "tar", "uname", "wc")) {
        var script = bin.resolve(name);
        Files.writeString(script, "#!/bin/sh\nexec /usr/bin/" + name + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
      }
      return new WithoutJava(machine, bin);
    }

    @Override
    public String name() {
      return machine.name();
    }

    @Override
    public StartedProcess start(
        List<String> command, Map<String, String> environment, Optional<String> folder)
        throws IOException {
      return machine.start(
          command.stream().map(word -> word.replace("/usr/lib/jvm", "/no/jvm")).toList(),
          Map.of("JAVA_HOME", "", "PATH", bin.toString()),
          folder);
    }

    @Override
    public void put(Path file, String path) throws IOException {
      machine.put(file, path);
    }

    @Override
    public void put(byte[] content, String path) throws IOException {
      machine.put(content, path);
    }

    @Override
    public void close() {}
  }

  @Test
  void saysWhatJavaAMachineHas() throws Exception {
    var old = Files.createDirectories(server.home.resolve("old java/bin")).getParent();
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    var program = Files.writeString(old.resolve("bin/java"), "");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    var jvm =
        new Jvm("old", Optional.of(old), List.of(), List.of(), Map.of(), Map.of(), true, PLACE);

    try (var machines = new MachineRegistry("", server.config(""))) {
      assertThatThrownBy(() -> machines.staging().on(machines.of(server.login()), jvm))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "127.0.0.1: javaHome '%s' (grid.xml:3:5) has no Java 25 or newer there: %s/bin/java (17); correct it, or leave it out"
                  .formatted(old, old));
    }
  }
}
