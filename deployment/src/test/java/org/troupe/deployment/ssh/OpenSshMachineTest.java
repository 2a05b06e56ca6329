package org.troupe.deployment.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.SourcePosition;
import org.troupe.testing.Polling;

/** What the ssh program of the system adds: questions, shared connections, proxy commands. */
@Timeout(60)
class OpenSshMachineTest {

  private static final String CODE = "123456";
  private static final String RUN = "test-" + ProcessHandle.current().pid();

  @TempDir private Path folder;
  private SshServerForTests server;
  private OpenSshMachines machines;
  private final Map<String, String> environment = new HashMap<>(System.getenv());

  @BeforeEach
  void start() throws Exception {
    OverEachSshClient.assumeProgram();
    server = new SshServerForTests(folder.resolve("server"));
    environment.remove("SSH_AUTH_SOCK");
    configure("");
  }

  @AfterEach
  void stop() throws IOException {
    if (machines != null) {
      machines.close();
      server.close();
    }
  }

  private void configure(String more) throws IOException {
    var section = "Host far*\n  HostName 127.0.0.1\n  Port " + server.port() + "\n";
    var config = server.writeConfig(more + "\n" + section);
    var found = OpenSsh.find(Optional.of(config)).orElseThrow();
    machines =
        new OpenSshMachines(
            new OpenSsh(found.program(), found.config(), environment, found.session()), RUN);
  }

  /** Lets a program answer the questions of ssh; each answer adds a line to the returned file. */
  private Path answer(String script) throws IOException {
    var asked = folder.resolve("asked");
    var program =
        Files.writeString(
            folder.resolve("askpass"),
            "#!/bin/sh\necho \"$1\" >>'%s'\n%s\n".formatted(asked, script));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    environment.put("SSH_ASKPASS", program.toString());
    environment.put("SSH_ASKPASS_REQUIRE", "force");
    return asked;
  }

  private static Login login(String host, Login... via) {
    return new Login(
        host,
        host,
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        HostKeys.STRICT,
        List.of(via),
        new SourcePosition("grid.xml", 1, 1));
  }

  private OpenSshMachine far() {
    return machines.of(login("far"));
  }

  private static String said(OpenSshMachine machine, String... command) throws IOException {
    var process = machine.start(List.of(command), Map.of(), Optional.empty());
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static RemoteProcess waiting(OpenSshMachine machine) throws IOException {
    return machine.start(List.of("cat"), Map.of(), Optional.empty());
  }

  // Questions

  @Test
  void asksOnceForAllCommandsOfAMachine() throws Exception {
    var received = server.demandCode(CODE);
    var asked = answer("echo " + CODE);
    var said =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return said(far(), "echo", "hello" + i);
                          } catch (IOException e) {
                            throw new UncheckedIOException(e);
                          }
                        }))
            .toList();

    assertThat(said.stream().map(CompletableFuture::join))
        .containsExactly("hello0", "hello1", "hello2", "hello3");
    assertThat(received).hasValue(1);
    assertThat(Files.readString(asked)).contains("Verification code").hasLineCount(1);
  }

  @Test
  void asksNoSecondTimeAfterAWrongCode() throws Exception {
    configure("NumberOfPasswordPrompts 1");
    server.demandCode(CODE);
    var asked = answer("echo 000000");

    for (var i = 0; i < 2; i++) {
      assertThatThrownBy(() -> said(far(), "echo"))
          .hasMessageContaining("far: tester@127.0.0.1:" + server.port() + " rejected the login")
          .hasMessageContaining("the code or password was wrong");
    }
    assertThat(asked).content().hasLineCount(1);
  }

  @Test
  void asksNoSecondTimeWhenTheConnectionBreaks() throws Exception {
    server.demandCode(CODE);
    var asked = answer("echo " + CODE);
    var process = waiting(far());
    server.breakConnections();
    process.waitFor();

    assertThat(process.explanation()).hasValueSatisfying(why -> assertThat(why).contains("broke"));
    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("it has been entered once, and is not asked for again");
    assertThat(asked).content().hasLineCount(1);
  }

  @Test
  void namesTheWaysToASecondFactorIfItCannotAsk() throws Exception {
    configure("BatchMode yes");
    server.demandCode(CODE);

    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("wants a code or password (it accepts keyboard-interactive)")
        .hasMessageContaining("the ssh configuration says BatchMode yes")
        .hasMessageContaining("start this in a terminal")
        .hasMessageContaining("'ssh -fNM far'")
        .hasMessageContaining("certificate")
        .hasMessageContaining("front end");
  }

  @Test
  void givesUpAQuestionWhenItIsClosed() throws Exception {
    server.demandCode(CODE);
    var asked = answer("exec sleep 1000");
    var login = CompletableFuture.supplyAsync(() -> failure(far()));
    Polling.until("the user is asked", () -> Files.exists(asked) || login.isDone());

    machines.close();

    assertThat(login.get(30, TimeUnit.SECONDS)).contains("far: ");
    assertThat(sockets()).isEmpty();
  }

  private static String failure(OpenSshMachine machine) {
    try {
      return "it said " + said(machine, "echo");
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  // Connections

  @Test
  void sharesAConnectionThatTheUserKeepsOpenAndLeavesItOpen() throws Exception {
    var path = folder.resolve("control");
    configure("ControlPath " + path);
    var asked = answer("echo " + CODE);
    server.demandCode(CODE);
    ssh("-fNM", "-o", "ControlPath=" + path, "far");
    try (var service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(said(far(), "echo", "hello")).isEqualTo("hello");
      var port = far().forward((InetSocketAddress) service.getLocalSocketAddress());
      new Socket(InetAddress.getLoopbackAddress(), port).close();

      machines.close();

      assertThat(asked).content().hasLineCount(1);
      ssh("-O", "check", "-o", "ControlPath=" + path, "far");
      Polling.until("the server closes the forwarded port", () -> !accepts(port));
    } finally {
      ssh("-O", "exit", "-o", "ControlPath=" + path, "far");
    }
  }

  private static boolean accepts(int port) {
    try {
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void ssh(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("ssh", "-F", folder.resolve("server/config").toString()));
    command.addAll(List.of(arguments));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("ssh").toFile());
    builder.environment().putAll(environment);
    assertThat(builder.start().waitFor()).as(() -> command + ": " + text("ssh")).isZero();
  }

  private String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void leavesNoConnection() throws Exception {
    said(far(), "echo");
    assertThat(sockets()).isNotEmpty();

    machines.close();

    assertThat(sockets()).isEmpty();
    server.awaitNoConnections();
  }

  /** Returns the sockets of this test in the folder of connections. */
  private static List<Path> sockets() throws IOException {
    var folder = ConnectionFolder.newSocket(RUN).getParent();
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith(RUN)).toList();
    }
  }

  @Test
  void findsAConnectionWhoseLauncherWasKilled() throws Exception {
    var ended = new ProcessBuilder("true").start();
    ended.waitFor();
    var socket = ConnectionFolder.newSocket(RUN).resolveSibling(RUN + "-" + ended.pid() + "-1");
    ssh("-fNM", "-o", "ControlPath=" + socket, "far");

    assertThat(ConnectionFolder.leftBehind(RUN)).containsExactly(socket);
    ConnectionFolder.end(socket);

    assertThat(ConnectionFolder.leftBehind(RUN)).isEmpty();
    server.awaitNoConnections();
  }

  @Test
  void endsAConnectionWhoseGuardWasKilled() throws Exception {
    said(far(), "echo");
    var guards =
        ProcessHandle.current()
            .children()
            .filter(
                child ->
                    child.info().arguments().map(List::of).orElse(List.of()).contains("troupe-ssh"))
            .toList();
    assertThat(guards).hasSize(1);
    guards.getFirst().destroyForcibly();
    guards.getFirst().onExit().get(30, TimeUnit.SECONDS);

    machines.close();

    assertThat(sockets()).isEmpty();
  }

  @Test
  void logsInAgainIfTheServerAdmitsNoMoreCommands() throws Exception {
    server.admitCommands(2);

    var processes = new ArrayList<RemoteProcess>();
    for (var i = 0; i < 5; i++) {
      processes.add(waiting(far()));
    }

    assertThat(processes).allMatch(Process::isAlive);
    assertThat(server.connections()).isEqualTo(3);
  }

  @Test
  void reachesHostsBehindAGatewayOverOneLogin() throws Exception {
    var received = server.demandCode(CODE);
    try (var inner = new SshServerForTests(folder.resolve("inner"))) {
      Files.writeString(server.knownHosts, server.knownHost() + inner.knownHost());
      answer("echo " + CODE);
      configure(
          "Host inner*\n  HostName 127.0.0.1\n  Port %d\n  IdentityFile %s\n"
              .formatted(inner.port(), inner.identity));

      assertThat(said(machines.of(login("inner1", login("far"))), "echo", "1")).isEqualTo("1");
      assertThat(said(machines.of(login("inner2", login("far"))), "echo", "2")).isEqualTo("2");

      assertThat(received).hasValue(1);
      assertThat(server.connections()).isEqualTo(1);
      assertThat(inner.connections()).isEqualTo(2);
    }
  }

  // Configuration

  @Test
  void takesWhatOnlySshReadsInItsConfiguration() throws Exception {
    configure("Match originalhost special\n  HostName 127.0.0.1\n  Port " + server.port());

    assertThat(said(machines.of(login("special")), "echo", "hello")).isEqualTo("hello");
    var config = SshConfig.read(folder.resolve("server/config"));
    assertThat(config.of(login("special")))
        .containsEntry("port", List.of(Integer.toString(server.port())))
        .containsEntry("user", List.of("tester"));
  }

  @Test
  void runsAProxyCommand() throws Exception {
    configure(
        "Host proxied\n  HostName 127.0.0.1\n  Port %d\n  ProxyCommand ssh -F '%s' -W %%h:%%p far\n"
            .formatted(server.port(), folder.resolve("server/config")));

    assertThat(said(machines.of(login("proxied")), "echo", "hello")).isEqualTo("hello");
  }

  @Test
  void saysWhyAProxyCommandFails() throws Exception {
    configure("Host proxied\n  ProxyCommand echo 'no ticket' >&2; exit 1\n");

    assertThatThrownBy(() -> said(machines.of(login("proxied")), "echo"))
        .hasMessageContaining("proxied: the ProxyCommand of the ssh configuration")
        .hasMessageContaining("(no ticket)");
  }

  @Test
  void saysWhatIsWrongWithTheConfiguration() throws Exception {
    configure("Port many");

    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("far: ssh rejects its configuration:")
        .hasMessageContaining("server/config");
  }

  @Test
  void saysThatSshNeedsAUserOfTheSystem() throws Exception {
    var program =
        Files.writeString(
            folder.resolve("ssh"), "#!/bin/sh\necho 'No user exists for uid 1234' >&2\nexit 255\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    var ssh = new OpenSsh(program, Optional.empty(), environment, List.of());

    assertThatThrownBy(() -> ssh.settings(login("far")))
        .hasMessageContaining("far: ssh logs in only for users whom this system knows")
        .hasMessageContaining("uid 1234); add the user to /etc/passwd");
  }

  // Certificates and agents

  @Test
  void saysThatTheCertificateHasExpired() throws Exception {
    var certificate = configureCertificate("tester", "-2d:-1d");

    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("the certificate '" + certificate + "' expired at ")
        .hasMessageContaining("get a new certificate");
  }

  @Test
  void saysThatTheCertificateIsNotValidYet() throws Exception {
    var certificate = configureCertificate("tester", "+1d:+2d");

    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("the certificate '" + certificate + "' is valid only from ")
        .hasMessageContaining("correct this machine's clock");
  }

  @Test
  void namesTheUserOfACertificateForAnother() throws Exception {
    var certificate = configureCertificate("somebody", "-1d:+1d");

    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("rejected every key")
        .hasMessageContaining(
            "the certificate '" + certificate + "' names the user somebody, and not tester");
  }

  @Test
  void namesTheAuthorityOfACertificateThatIsRejected() throws Exception {
    var certificate = configureCertificate("tester", "always:forever");

    assertThatThrownBy(() -> said(far(), "echo"))
        .hasMessageContaining("rejected every key")
        .hasMessageContaining("whether it trusts ED25519 SHA256:")
        .hasMessageContaining("which signed the certificate '" + certificate + "'");
  }

  /** Gives the user a key with a certificate only, which the server does not accept. */
  private Path configureCertificate(String principal, String validity) throws Exception {
    var key = folder.resolve("mine");
    var authority = server.identity.toString();
    keygen("-t", "ed25519", "-N", "", "-f", key.toString());
    keygen("-s", authority, "-I", "me", "-n", principal, "-V", validity, key + ".pub");
    configure("IdentityFile " + key);
    Files.delete(server.identity);
    return Path.of(key + "-cert.pub");
  }

  private void keygen(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("ssh-keygen", "-q"));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keygen").toFile())
            .start();
    assertThat(process.waitFor()).as(() -> command + ": " + text("keygen")).isZero();
  }

  // Commands

  @Test
  void showsNoOptionOfACommandTwiceInTheListOfProcesses() throws Exception {
    var mark = "-Dtroupe.run=" + RUN;
    var process =
        far()
            .start(
                List.of("/bin/sh", "-c", "echo started; read line", "sh", mark),
                Map.of(),
                Optional.empty());
    assertThat(process.getInputStream().read()).isEqualTo('s');

    assertThat(said(far(), "ps", "-ww", "-o", "args=", "-A"))
        .satisfies(
            all ->
                assertThat(all.lines().filter(line -> (line + " ").contains(" " + mark + " ")))
                    .hasSize(1));
  }

  @Test
  void passesTheExitCode255On() throws Exception {
    var process = far().start(List.of("/bin/sh", "-c", "exit 255"), Map.of(), Optional.empty());

    assertThat(process.waitFor()).isEqualTo(255);
    assertThat(process.explanation()).isEmpty();
  }

  @Test
  void failsAtOnceIfItIsClosed() {
    var machine = far();
    machines.close();

    assertThatThrownBy(() -> said(machine, "echo")).hasMessageContaining("has been closed");
  }

  @Test
  void rejectsAProgramThatIsNotThere() {
    System.setProperty(OpenSsh.PROGRAM, "/no/such/ssh");
    try {
      assertThatThrownBy(() -> OpenSsh.find(Optional.empty()))
          .hasMessageContaining("'/no/such/ssh', named by troupe.ssh.program, is not there");
    } finally {
      System.clearProperty(OpenSsh.PROGRAM);
    }
  }

  @Test
  void readsTheSettingsThatSshPrints() {
    var settings = OpenSshSettings.read("user me\nport 22\nhostname h\ncontrolpath none\n");

    assertThat(settings.target()).isEqualTo("me@h");
    assertThat(settings.value("controlpath")).isEmpty();
  }
}
