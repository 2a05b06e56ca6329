package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.program.Deployer;
import org.troupe.testing.Polling;

/**
 * Deployments over a site that demands one-time codes, and over one with a certificate authority.
 * Needs {@code testgrid up} and its environment.
 */
@Timeout(240)
class LoginsTestGridTest {

  private static final String CODES = System.getenv("TESTGRID_ASKPASS");

  @TempDir private Path folder;
  private String config;

  @BeforeEach
  void findTheGrid() {
    config = TestGrid.sshConfig(LoginsTestGridTest.class);
  }

  /** How a program ended, and what it printed on both streams. */
  private record End(int code, String output) {}

  private Process start(String hosts, String mode, Map<String, String> environment)
      throws IOException {
    var grid =
        Files.writeString(
            folder.resolve("grid.xml"),
            """
            <troupe xmlns="urn:troupe:descriptor:1">
              <virtualNodes><virtualNode name="workers"/></virtualNodes>
              <mapping><map virtualNode="workers" to="far"/></mapping>
              <infrastructure><ssh id="far" hosts="%s"/></infrastructure>
            </troupe>
            """
                .formatted(hosts));
    var builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.home=" + folder,
                "-Dtroupe.ssh.config=" + config,
                "-cp",
                System.getProperty("java.class.path"),
                Deployer.class.getName(),
                grid.toString(),
                mode)
            .redirectErrorStream(true);
    builder.environment().keySet().removeAll(List.of("SSH_ASKPASS", "SSH_AUTH_SOCK", "DISPLAY"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private End run(String hosts, Map<String, String> environment) throws Exception {
    var program = start(hosts, "close", environment);
    program.getOutputStream().close();
    var output = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new End(program.waitFor(), output);
  }

  private static Map<String, String> answeredBy(String program) {
    return Map.of("SSH_ASKPASS", program, "SSH_ASKPASS_REQUIRE", "force");
  }

  private static String on(String host, String... command) throws Exception {
    var line = new ArrayList<>(List.of(System.getenv("TESTGRID"), "exec", host));
    line.addAll(List.of(command));
    var process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.strip();
  }

  private static long logins() throws Exception {
    return Long.parseLong(
        on(
            "epsilon-fe",
            "sh",
            "-c",
            "grep -c 'Accepted keyboard-interactive' /var/log/sshd.log; :"));
  }

  /** Waits until the front end has noticed that all connections of the user are closed. */
  private static void awaitNoConnection() throws Exception {
    Polling.until(
        "the front end has no connection of the user",
        () -> on("epsilon-fe", "sh", "-c", "ps -u griduser -o args= | grep sshd; :").isEmpty());
  }

  @Test
  void askOnceForAllHostsBehindTheFrontEnd() throws Exception {
    var before = logins();

    var end = run("epsilon-fe epsilon-1 epsilon-2", answeredBy(CODES));

    assertThat(end.output())
        .contains("called epsilon-fe 1", "called epsilon-1 1", "called epsilon-2 1", "closed");
    assertThat(end.code()).isZero();
    assertThat(logins()).isEqualTo(before + 1);
    awaitNoConnection();
  }

  @Test
  void nameTheWaysToASecondFactorIfNothingCanAsk() throws Exception {
    var end = run("epsilon-fe", Map.of());

    assertThat(end.output())
        .contains("epsilon-fe: griduser@10.")
        .contains(" wants a code or password (it accepts keyboard-interactive), but ")
        .contains("start it on the front end");
    assertThat(end.code()).isNotZero();
  }

  @Test
  void sayThatTheCodeIsWrong() throws Exception {
    var wrong = Files.writeString(folder.resolve("wrong"), "#!/bin/sh\necho 000000\n");
    Files.setPosixFilePermissions(wrong, PosixFilePermissions.fromString("rwx------"));

    var end = run("epsilon-fe", answeredBy(wrong.toString()));

    assertThat(end.output()).contains("the code or password was wrong");
    assertThat(end.code()).isNotZero();
  }

  @Test
  void leaveNoConnectionWhenTheLauncherIsKilled() throws Exception {
    var program = start("epsilon-fe epsilon-1", "wait", answeredBy(CODES));
    assertThat(program.inputReader().lines().takeWhile(line -> !line.equals("waiting")))
        .contains("called epsilon-fe 1", "called epsilon-1 1");

    program.destroyForcibly().waitFor();

    awaitNoConnection();
    for (var host : List.of("epsilon-fe", "epsilon-1")) {
      Polling.until(
          "no node is left on " + host,
          () -> !on(host, "ps", "-u", "griduser", "-o", "args=").contains("NodeMain"));
    }
  }

  @Test
  void useCertificatesOfHostsAndUsers() throws Exception {
    var end = run("zeta-fe", Map.of());

    assertThat(end.output()).contains("called zeta-fe 1", "closed");
    assertThat(end.code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "griduser, -2d:-1d, expired at ",
    "griduser, +1d:+2d, is valid only from ",
    "somebody, -1d:+1d, 'names the user somebody, and not griduser'"
  })
  void sayWhyTheCertificateIsRejected(String principal, String validity, String fault)
      throws Exception {
    var key = folder.resolve("key");
    var trusted = System.getenv("TESTGRID_USER_CA_KEY");
    Files.copy(Path.of(trusted), key);
    Files.copy(Path.of(trusted + ".pub"), folder.resolve("key.pub"));
    var authority = System.getenv("TESTGRID_USER_CA");
    var signing =
        new ProcessBuilder(
                "ssh-keygen",
                "-q",
                "-s",
                authority,
                "-I",
                "me",
                "-n",
                principal,
                "-V",
                validity,
                key + ".pub")
            .inheritIO()
            .start();
    assertThat(signing.waitFor()).isZero();
    var file = folder.resolve("config");
    Files.writeString(file, Files.readString(Path.of(config)).replace(trusted, key.toString()));
    config = file.toString();

    var end = run("zeta-fe", Map.of());

    assertThat(end.output())
        .contains("zeta-fe: griduser@10.")
        .contains("the certificate '" + key + "-cert.pub' " + fault);
    assertThat(end.code()).isNotZero();
  }
}
