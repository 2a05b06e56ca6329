package org.troupe.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.cli.Main;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RefusedRequestException;

/** Deployments whose programs are stopped, as by Ctrl-Z: they accept a question, and are silent. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class RunSelectionTest {

  private static final String TEMPORARY = "java.io.tmpdir";
  private static final int MORE_THAN_A_QUEUE = 200;

  @TempDir private Path folder;
  private final String temporary = System.getProperty(TEMPORARY);
  private final List<Channel> open = new ArrayList<>();
  private Path sockets;

  @BeforeEach
  void openSockets() throws IOException {
    System.setProperty(TEMPORARY, folder.toString());
    sockets =
        Files.createDirectory(
            folder.resolve("troupe-control-" + System.getProperty("user.name")),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (var id : List.of("1-7", "1-8")) {
      var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      open.add(server);
      server.bind(UnixDomainSocketAddress.of(sockets.resolve(id + ".sock")));
    }
  }

  @AfterEach
  void closeSockets() throws IOException {
    System.setProperty(TEMPORARY, temporary);
    for (var each : open) {
      each.close();
    }
  }

  @Test
  void theIdOfAProcessAsksNoProgram() {
    assertThat(RunSelection.one("1-8", "with '--of'").id()).isEqualTo("1-8");
  }

  @Test
  void theIdOfARunMayBeThatOfASilentProgram() {
    assertThatThrownBy(() -> RunSelection.one("0a1b2c3d-4e5f", "with '--of'"))
        .isInstanceOf(RefusedRequestException.class)
        .hasMessage(
            "there is no deployment '0a1b2c3d-4e5f'; there are 1-7, 1-8, but it may be one whose program does not answer: 1-7, 1-8");
  }

  @Test
  void aRunThatHasEndedIsNotThatOfASilentProgram() throws IOException {
    var report = EndedRuns.report("0a1b2c3d-4e60");
    Files.createDirectories(report.getParent());
    Files.writeString(report, "");
    try {
      for (var verb : List.of("status", "top", "record", "cancel", "stack")) {
        assertThat(failed(2, verb, "--of", "0a1b2c3d-4e60"))
            .startsWith(
                "troupe %s: the run '0a1b2c3d-4e60' has ended; 'troupe dashboard 0a1b2c3d-4e60' or 'troupe report 0a1b2c3d-4e60' shows its report; "
                    .formatted(verb));
      }
    } finally {
      Files.delete(report);
    }
  }

  /** Connects until the queue is full: a program is then given up in half the time. */
  private void fillQueue(String id) throws IOException {
    for (var i = 0; i < MORE_THAN_A_QUEUE; i++) {
      var client = SocketChannel.open(StandardProtocolFamily.UNIX);
      open.add(client);
      client.configureBlocking(false);
      try {
        client.connect(UnixDomainSocketAddress.of(sockets.resolve(id + ".sock")));
      } catch (IOException e) {
        return;
      }
    }
    throw new AssertionError("the system accepts more connections than that");
  }

  private String failed(int exitCode, String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    assertThat(Main.execute(new PrintWriter(out), new PrintWriter(err), arguments))
        .isEqualTo(exitCode);
    assertThat(out.toString()).isEmpty();
    return err.toString();
  }

  @Test
  void verbsNameTheProgramThatDoesNotAnswer() throws IOException {
    fillQueue("1-8");

    assertThat(failed(1, "status", "--of", "1-8"))
        .startsWith("the program of deployment 1-8 does not answer: ")
        .contains("'kill -CONT 1' continues");
    assertThat(failed(1, "stack", "--of", "1-8"))
        .startsWith("the program of deployment 1-8 does not answer: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"status", "status -o json", "objects", "top", "logs", "stack", "observe times"})
  void eachVerbFailsIfThereIsNoProgramToAsk(String line) throws IOException {
    System.setProperty(TEMPORARY, Files.createDirectory(folder.resolve("empty")).toString());

    assertThat(failed(2, line.split(" ")))
        .contains("no program of yours has a deployment on this machine now; start one first");
  }
}
