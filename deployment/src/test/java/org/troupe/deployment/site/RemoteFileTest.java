package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.launch.MachineRegistry;
import org.troupe.deployment.process.StartedProcess;
import org.troupe.deployment.ssh.OverEachSshClient;
import org.troupe.deployment.ssh.SshServerForTests;
import org.troupe.links.OwnerOnly;
import org.troupe.testing.Polling;

/** The file that a command of another machine prints. */
@Timeout(60)
class RemoteFileTest extends OverEachSshClient {

  private static final String CONFIG = "troupe.ssh.config";

  @TempDir private Path folder;
  private SshServerForTests server;
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start(@TempDir Path home) throws Exception {
    server = new SshServerForTests(home);
    System.setProperty(CONFIG, server.writeConfig("").toString());
  }

  @AfterEach
  void stop() throws IOException {
    System.clearProperty(CONFIG);
    server.close();
  }

  private int run(String script, Path file) throws IOException {
    var command = server.home.resolve("bin/troupe");
    Files.createDirectories(command.getParent());
    Files.writeString(command, "#!/bin/sh\n" + script);
    assertThat(command.toFile().setExecutable(true)).isTrue();
    return new RemoteTroupe(server.login(), Optional.empty(), "troupe 1.0", Optional.empty())
        .runFile(List.of("record", "-o", "-"), file, err, OwnerOnly.file());
  }

  @Test
  void comesAsItIs() throws Exception {
    var file = folder.resolve("run.zip");

    assertThat(run("printf 'PK\\000\\377\\r\\n'; echo \"$@\" >&2\n", file)).isZero();

    assertThat(file).hasBinaryContent(new byte[] {'P', 'K', 0, -1, '\r', '\n'});
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(err.toString()).isEqualTo("record -o -\n");
    server.awaitNoConnections(); // nothing stays
  }

  @Test
  void isWrittenIfItLacksAPart() throws Exception {
    var file = folder.resolve("run.zip");

    assertThat(run("printf some; exit 4\n", file)).isEqualTo(RemoteTroupe.PARTIAL_FILE);

    assertThat(file).hasContent("some");
  }

  @Test
  void isLeftAsItWasIfTheCommandFails() throws Exception {
    var file = Files.writeString(folder.resolve("run.zip"), "before");

    assertThat(run("printf beg; echo 'there is no run' >&2; exit 1\n", file)).isEqualTo(1);
    assertThat(run("exit 2\n", file)).isEqualTo(2);

    assertThat(file).hasContent("before");
    assertThat(folder)
        .isDirectoryContaining("glob:**/run.zip")
        .isDirectoryNotContaining("glob:**unfinished");
    assertThat(err.toString()).isEqualTo("there is no run\n");
  }

  @Test
  void hasWhatThereIsIfThisProgramEnds() throws Exception {
    var file = folder.resolve("run.csv");
    var command = "printf begun; while read -r nothing; do :; done; printf ', and ended'; exit 143";
    var output = new RemoteFile(file);
    var process = new ProcessBuilder("/bin/sh", "-c", command).start();
    var taken = CompletableFuture.runAsync(() -> take(output, StartedProcess.local(process)));
    Polling.until("a part has come", this::hasPart);

    output.stop();

    assertThat(file).hasContent("begun, and ended");
    taken.get(30, TimeUnit.SECONDS);
  }

  private boolean hasPart() throws IOException {
    try (var files = Files.list(folder)) {
      return files.anyMatch(each -> each.toFile().length() == "begun".length());
    }
  }

  private void take(RemoteFile output, StartedProcess command) {
    try (var machines = new MachineRegistry("")) {
      output.take(machines.of(server.login()), command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
