package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.ssh.OverEachSshClient;
import org.troupe.deployment.ssh.SshConfig;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.Login.HostKeys;
import org.troupe.descriptors.SourcePosition;

/** Logins by keys and agents, host keys, gateways, and the messages of failures. */
@Timeout(60)
class SshLoginTest extends OverEachSshClient {

  private static final SourcePosition PLACE = new SourcePosition("grid.xml", 1, 1);

  @TempDir private Path folder;
  private SshServerForTests server;
  private MachineRegistry machines;

  @BeforeEach
  void start() throws Exception {
    server = new SshServerForTests(folder.resolve("server"));
  }

  @AfterEach
  void stop() throws IOException {
    if (machines != null) {
      machines.close();
    }
    server.close();
  }

  private String greeting(Login login) throws IOException {
    return greeting("", login);
  }

  private String greeting(String config, Login login) throws IOException {
    machines = new MachineRegistry("", server.config(config));
    var process = machines.of(login).start(List.of("echo", "hello"), Map.of(), Optional.empty());
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  private Login login(String host, int port, Optional<Path> identity, HostKeys hostKeys) {
    return new Login(
        host, host, OptionalInt.of(port), Optional.empty(), identity, hostKeys, List.of(), PLACE);
  }

  // Keys of hosts

  @Test
  void refusesAnUnknownHostAndSaysHowToKnowIt() throws IOException {
    Files.writeString(server.knownHosts, "");

    assertThatThrownBy(() -> greeting(server.login()))
        .hasMessageContaining(
            "127.0.0.1: the key of tester@127.0.0.1:%d is not known".formatted(server.port()))
        .hasMessageContaining(
            isProgram()
                ? "run 'ssh -p %d 127.0.0.1' once".formatted(server.port())
                : "run 'ssh-keyscan -p %d 127.0.0.1 >> %s'"
                    .formatted(server.port(), server.knownHosts))
        .hasMessageContaining("or set hostKeys=\"acceptNew\"");
  }

  @Test
  void notesTheKeyOfANewHostIfTold() throws IOException {
    Files.delete(server.knownHosts);
    var accepting = login("127.0.0.1", server.port(), Optional.empty(), HostKeys.ACCEPT_NEW);

    assertThat(greeting(accepting)).isEqualTo("hello");
    machines.close();

    assertThat(Files.readString(server.knownHosts)).startsWith("[127.0.0.1]:" + server.port());
    assertThat(greeting(server.login())).isEqualTo("hello");
  }

  @Test
  void refusesAChangedKeyLoudly() throws Exception {
    var line = server.knownHost().split(" ");
    var other = SshServerForTests.publicKey(SshServerForTests.key("ssh-ed25519"));
    Files.writeString(server.knownHosts, "# first\n" + line[0] + " " + other + "\n");
    var accepting = login("127.0.0.1", server.port(), Optional.empty(), HostKeys.ACCEPT_NEW);

    assertThatThrownBy(() -> greeting(accepting))
        .hasMessageContaining("THE KEY OF tester@127.0.0.1:" + server.port() + " HAS CHANGED")
        .hasMessageContaining(server.knownHosts + ":2 has another");
  }

  @Test
  void refusesARevokedKey() throws Exception {
    Files.writeString(server.knownHosts, server.knownHost() + "@revoked " + server.knownHost());

    assertThatThrownBy(() -> greeting(server.login())).hasMessageContaining("IS REVOKED");
  }

  // Keys of users

  @Test
  void saysWhichKeysWereRefused() throws Exception {
    var other = folder.resolve("other");
    SshServerForTests.write(SshServerForTests.key("ssh-ed25519"), other);
    Files.delete(server.identity); // the ssh program tries it, too

    assertThatThrownBy(
            () -> greeting(login("127.0.0.1", server.port(), Optional.of(other), HostKeys.STRICT)))
        .hasMessageContaining(
            "127.0.0.1: tester@127.0.0.1:%d rejected every key (tried: %s)"
                .formatted(server.port(), other));
  }

  @Test
  void saysThatAKeyIsMissing() throws IOException {
    var other = folder.resolve("none");
    Files.delete(server.identity);

    assertThatThrownBy(
            () -> greeting(login("127.0.0.1", server.port(), Optional.of(other), HostKeys.STRICT)))
        .hasMessageContaining("there is no file '" + other + "'");
  }

  @Test
  void letsTheUsersAgentSign() throws Exception {
    var socket = folder.resolve("agent");
    var agent = agent(socket);
    try {
      var adding = new ProcessBuilder("ssh-add", "-q", server.identity.toString());
      adding.environment().put("SSH_AUTH_SOCK", socket.toString());
      assertThat(adding.start().waitFor()).as("ssh-add").isZero();
      Files.delete(server.identity);
      var config =
          Files.writeString(
              folder.resolve("config"),
              """
              Host *
                User tester
                IdentityFile none
                IdentityAgent %s
                UserKnownHostsFile %s
                GlobalKnownHostsFile none
              """
                  .formatted(socket, server.knownHosts));
      machines = new MachineRegistry("", SshConfig.read(config));

      var process =
          machines.of(server.login()).start(List.of("echo", "hello"), Map.of(), Optional.empty());

      assertThat(process.getInputStream().readAllBytes()).asString().isEqualTo("hello\n");
    } finally {
      agent.destroyForcibly().waitFor();
    }
  }

  /** Starts a real agent, and waits until it listens. */
  private static Process agent(Path socket) throws IOException {
    Process agent;
    try {
      agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString()).start();
    } catch (IOException e) {
      var reason = "NOT RUN: the test of the user's agent needs ssh-agent, of OpenSSH's client";
      System.err.println(reason);
      return abort(reason);
    }
    assertThat(agent.getInputStream().read()).as("it says where it listens").isPositive();
    return agent;
  }

  // Networks

  @Test
  void saysThatThereIsNoSuchHost() {
    assertThatThrownBy(
            () -> greeting(login("no-such.invalid", 22, Optional.empty(), HostKeys.STRICT)))
        .hasMessageContaining("no-such.invalid: there is no host 'no-such.invalid'");
  }

  @Test
  void saysThatAConnectionIsRefused() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }

    assertThatThrownBy(() -> greeting(login("127.0.0.1", port, Optional.empty(), HostKeys.STRICT)))
        .hasMessageContaining("cannot connect to tester@127.0.0.1:" + port)
        .hasMessageContaining("refuses connections");
  }

  @Test
  void givesUpOnAServerThatSaysNothing() throws IOException {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  greeting(
                      "ConnectTimeout 1",
                      login("127.0.0.1", silent.getLocalPort(), Optional.empty(), HostKeys.STRICT)))
          .hasMessageContaining("accepted the connection, but no ssh server answered within 1 s");
    }
  }

  // Gateways

  @Test
  void goesThroughGateways() throws Exception {
    try (var inner = new SshServerForTests(folder.resolve("inner"))) {
      Files.writeString(server.knownHosts, server.knownHost() + inner.knownHost());
      var gateway = server.login();
      var target =
          new Login(
              "inner",
              "127.0.0.1",
              OptionalInt.of(inner.port()),
              Optional.empty(),
              Optional.of(inner.identity),
              HostKeys.STRICT,
              List.of(gateway),
              PLACE);

      assertThat(greeting(target)).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(1);
    }
  }

  @Test
  void followsProxyJumpOfTheConfiguration() throws Exception {
    try (var inner = new SshServerForTests(folder.resolve("inner"))) {
      Files.writeString(server.knownHosts, server.knownHost() + inner.knownHost());
      var config =
          """
          Host inner
            HostName 127.0.0.1
            ProxyJump 127.0.0.1:%d
            Port %d
            IdentityFile %s
          """
              .formatted(server.port(), inner.port(), inner.identity);
      var target =
          new Login(
              "inner",
              "inner",
              OptionalInt.empty(),
              Optional.empty(),
              Optional.empty(),
              HostKeys.STRICT,
              List.of(),
              PLACE);

      assertThat(greeting(config, target)).isEqualTo("hello");
      assertThat(server.connections()).isEqualTo(1);
      assertThat(machines.describe(target))
          .containsExactly(
              "ssh",
              "-J",
              "tester@127.0.0.1:" + server.port(),
              "-p",
              Integer.toString(inner.port()),
              "tester@127.0.0.1");
    }
  }

  @Test
  void saysThatAGatewayCannotGoOn() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    var target =
        new Login(
            "inner",
            "127.0.0.1",
            OptionalInt.of(port),
            Optional.empty(),
            Optional.empty(),
            HostKeys.STRICT,
            List.of(server.login()),
            PLACE);

    assertThatThrownBy(() -> greeting(target))
        .hasMessageContaining(
            "the gateway tester@127.0.0.1:%d cannot connect to".formatted(server.port()));
  }

  @Test
  void saysWhichGatewayFails() throws IOException {
    Files.writeString(server.knownHosts, "");
    var target =
        new Login(
            "inner",
            "inner",
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            HostKeys.STRICT,
            List.of(server.login()),
            PLACE);

    assertThatThrownBy(() -> greeting(target))
        .hasMessageContaining("inner: its gateway fails: 127.0.0.1: the key of tester@127.0.0.1:");
  }

  // Configuration

  @Test
  void takesTheFirstValueOfEachKeyword() throws IOException {
    var file =
        Files.writeString(
            folder.resolve("config"),
            """
            # comment
            Host a? !ab
              Port = 2201
              User "first user"
            Match user nobody
              Port 1
            Host *
              Port 2202
              User second
              IdentityFile one
              IdentityFile two
            """);
    var config = SshConfig.read(file);

    assertThat(config.of("aa"))
        .containsEntry("port", List.of("2201"))
        .containsEntry("user", List.of("first user"))
        .containsEntry("identityfile", List.of("one", "two"));
    assertThat(config.of("ab")).containsEntry("port", List.of("2202"));
  }
}
