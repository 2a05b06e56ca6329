package org.troupe.deployment.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.RemoteProcess;

/** Commands and files on a machine that is reached over ssh. */
@Timeout(60)
class SshMachineTest extends OverEachSshClient {

  private SshServerForTests server;
  private MachineRegistry machines;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    server = new SshServerForTests(folder);
    machines = new MachineRegistry("", server.config(""));
  }

  @AfterEach
  void stop() throws IOException {
    machines.close();
    server.close();
  }

  private SshMachine machine() throws IOException {
    return machines.of(server.login());
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }

  private Process start(String... command) throws IOException {
    return machine().start(List.of(command), Map.of(), Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "two words",
        "it's",
        "\"double\"",
        "$HOME `id` $(id) ${x}",
        "a\nb",
        "tab\there",
        "-n",
        "--",
        "~",
        "*",
        "a;b&c|d>e<f",
        "back\\slash",
        "\\",
        "!!",
        "#no comment",
        "naïve ∑ 網格",
        "a=b",
        "{x,y}",
        "''"
      })
  void givesEachArgumentAsItIs(String argument) throws IOException {
    assertThat(output(start("printf", "[%s][%s]", argument, "end")))
        .isEqualTo("[" + argument + "][end]");
  }

  @Test
  void setsTheEnvironment() throws IOException {
    var process =
        machine()
            .start(
                List.of("/bin/sh", "-c", "printf %s \"$ONE|$TWO\""),
                Map.of("ONE", "it's $HOME", "TWO", "a\nb"),
                Optional.empty());

    assertThat(output(process)).isEqualTo("it's $HOME|a\nb");
  }

  @Test
  void startsInTheHomeDirectoryOrTheFolder() throws IOException {
    Files.createDirectories(server.home.resolve("a b"));

    assertThat(output(start("pwd"))).isEqualTo(server.home + "\n");
    assertThat(output(machine().start(List.of("pwd"), Map.of(), Optional.of("a b"))))
        .isEqualTo(server.home + "/a b\n");
    assertThat(output(machine().start(List.of("pwd"), Map.of(), Optional.of("/"))))
        .isEqualTo("/\n");
  }

  @Test
  void endsWithTheExitCode() throws Exception {
    assertThat(start("/bin/sh", "-c", "exit 7").waitFor()).isEqualTo(7);
    assertThat(machine().start(List.of("pwd"), Map.of(), Optional.of("none")).waitFor())
        .isEqualTo(126);
  }

  @Test
  void endsWithTheSignalThatEndedIt() throws Exception {
    var process = (RemoteProcess) start("/bin/sh", "-c", "kill -KILL $$");

    assertThat(process.waitFor()).isEqualTo(128 + 9);
    assertThat(process.explanation()).isEmpty();
  }

  @Test
  void endsTheInputOfTheCommand() throws Exception {
    var process = start("cat");
    process.getOutputStream().write("hello".getBytes(UTF_8));
    process.getOutputStream().close();

    assertThat(output(process)).isEqualTo("hello");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void keepsErrorsApart() throws Exception {
    var process = start("/bin/sh", "-c", "echo out; echo err >&2");

    assertThat(output(process)).isEqualTo("out\n");
    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8)).isEqualTo("err\n");
  }

  @Test
  void knowsTheProcess() throws Exception {
    var process = start("/bin/sh", "-c", "echo $$; cat");
    var first = process.getInputStream().read();

    assertThat(first).isBetween((int) '0', (int) '9');
    assertThat(ProcessHandle.of(process.pid())).isPresent();
    process.getOutputStream().close();
  }

  @Test
  void killsTheCommand() throws Exception {
    var process = start("/bin/sh", "-c", "echo started; exec sleep 1000");
    assertThat(process.getInputStream().read()).isEqualTo('s');
    var remote = ProcessHandle.of(process.pid()).orElseThrow();

    process.destroyForcibly();

    assertThat(process.waitFor()).isEqualTo(137);
    remote.onExit().get(30, TimeUnit.SECONDS);
  }

  @Test
  void saysThatTheConnectionBroke() throws Exception {
    var process = (RemoteProcess) start("cat");

    server.breakConnections();

    assertThat(process.waitFor()).isEqualTo(255);
    assertThat(process.explanation()).hasValueSatisfying(why -> assertThat(why).contains("broke"));
  }

  @Test
  void logsInAnewAfterABreak() throws Exception {
    var process = start("cat");
    server.breakConnections();
    process.waitFor();

    assertThat(output(start("echo", "again"))).isEqualTo("again\n");
  }

  @Test
  void sharesOneConnection() throws Exception {
    start("cat");
    start("cat");

    assertThat(machine()).isSameAs(machine());
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void putsAFileWholeAndForItsOwnerOnly() throws Exception {
    var content = "x\0y\n".repeat(100_000).getBytes(UTF_8);

    machine().put(content, ".cache/a b/it's.jar");
    machine().put(content, ".cache/a b/it's.jar"); // again, without effect

    var file = server.home.resolve(".cache/a b/it's.jar");
    assertThat(file).hasBinaryContent(content);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(file.getParent()).isDirectoryContaining("glob:**/it's.jar");
    try (var files = Files.list(file.getParent())) {
      assertThat(files.toList()).containsExactly(file);
    }
  }

  @Test
  void saysWhyAFileCannotBePut() throws Exception {
    Files.createFile(server.home.resolve("file"));

    assertThatThrownBy(() -> machine().put(new byte[1], "file/below"))
        .hasMessageContaining("127.0.0.1: 'file/below' cannot be written: mkdir")
        .isInstanceOf(IOException.class);
  }

  @Test
  void letsTheMachineConnectBack() throws Exception {
    try (var service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = machine().forward((InetSocketAddress) service.getLocalSocketAddress());

      try (var there = new Socket(InetAddress.getLoopbackAddress(), port);
          var here = service.accept()) {
        there.getOutputStream().write('x');
        assertThat(here.getInputStream().read()).isEqualTo('x');
      }
    }
  }

  @Test
  void reachesAPortOfTheMachine() throws Exception {
    try (var service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var port = machine().reach(service.getLocalPort());

      try (var here = new Socket(InetAddress.getLoopbackAddress(), port);
          var there = service.accept()) {
        here.getOutputStream().write('x');
        assertThat(there.getInputStream().read()).isEqualTo('x');
      }
    }
  }
}
