package org.troupe.deployment.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.journal.RunJournal;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.descriptors.Jvm;
import org.troupe.descriptors.SourcePosition;

/** Forwarders to this program; the ssh server runs on this machine. */
@Timeout(120)
class ForwardersTest {

  private static final List<String> LOOPBACK = List.of("127.0.0.1/32");
  private SshServerForTests server;
  private RunJournal run;
  private MachineRegistry machines;
  private Jvm jvm;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    server = new SshServerForTests(folder);
    System.setProperty("troupe.ssh.config", server.writeConfig("").toString());
    run = RunJournal.create(folder.resolve("records"));
    machines = new MachineRegistry("", run);
    jvm =
        new Jvm(
            "default",
            Optional.of(talkativeJava()),
            List.of(),
            List.of(),
            Map.of(),
            Map.of(),
            true,
            new SourcePosition("grid.xml", 1, 1));
  }

  /** A JVM that prints a warning on standard output. */
  private Path talkativeJava() throws IOException {
    var home = Files.createDirectories(server.home.resolve("jdk/bin")).getParent();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    var java =
        Files.writeString(
            home.resolve("bin/java"),
            """
            #!/bin/sh
            echo "OpenJDK 64-Bit Server VM warning: of something"
            exec "%s/bin/java" "$@"
            """
                .formatted(System.getProperty("java.home")));
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return home;
  }

  @AfterEach
  void stop() throws IOException {
    System.clearProperty("troupe.ssh.config");
    machines.close();
    server.close();
  }

  private InetSocketAddress through(int port) throws IOException {
    var frontEnd = machines.of(server.login());
    var there = machines.staging().on(frontEnd, jvm);
    return machines.forwarders().through(frontEnd, there, LOOPBACK, port).getFirst();
  }

  private List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(
            each -> each.info().arguments().map(List::of).orElse(List.of()).contains(run.option()))
        .toList();
  }

  @Test
  void leadHereAndEndWithTheConnection() throws Exception {
    try (var here = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var there = through(here.getLocalPort());
      assertThat(through(here.getLocalPort())).as("one serves all jobs").isEqualTo(there);
      assertThat(processes()).hasSize(1);

      try (var node = new Socket(there.getHostString(), there.getPort());
          var arrived = here.accept()) {
        node.getOutputStream().write("call".getBytes());
        assertThat(arrived.getInputStream().readNBytes(4)).asString().isEqualTo("call");
        arrived.getOutputStream().write("back".getBytes());
        assertThat(node.getInputStream().readNBytes(4)).asString().isEqualTo("back");

        var process = processes().getFirst();
        server.breakConnections();

        process.onExit().get(60, TimeUnit.SECONDS);
        assertThat(node.getInputStream().read()).isNegative();
      }
      assertThat(through(here.getLocalPort())).as("a new one").isNotEqualTo(there);
      var process = processes().getFirst();

      machines.close();

      assertThat(process.isAlive()).isFalse();
    }
  }
}
