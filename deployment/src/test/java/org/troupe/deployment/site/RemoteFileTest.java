package org.troupe.deployment.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.deployment.files.FileWriteException;
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
  private final List<Integer> codes = new CopyOnWriteArrayList<>(); // reported
  private String begun = "begun"; // what comes before Ctrl-C

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
        .runFile(List.of("record", "-o", "-"), file, err, codes::add, OwnerOnly.file());
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
    assertThat(codes).containsExactly(RemoteTroupe.PARTIAL_FILE);

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

    stopped("printf begun; while read -r nothing; do :; done; printf ', and ended'", file);

    assertThat(file).hasContent("begun, and ended");
    assertThat(codes).containsExactly(0);
    assertThat(err.toString()).isEqualTo("waiting for the rest of the output, at most 15 s\n");
  }

  @Test
  void isLeftAsItWasIfThisProgramEndsAndASignalHasEndedTheCommand() throws Exception {
    var file = Files.writeString(folder.resolve("run.html"), "before");

    stopped("printf begun; while read -r nothing; do :; done; exit 143", file);

    assertThat(file).hasContent("before");
    assertThat(folder).isDirectoryNotContaining("glob:**unfinished");
  }

  @Test
  void isLeftAsItWasIfThisProgramEndsBeforeAnythingHasCome() throws Exception {
    var file = Files.writeString(folder.resolve("run.html"), "before");
    begun = "";

    stopped("while read -r nothing; do :; done; exit 143", file);

    assertThat(file).hasContent("before");
  }

  @Test
  void isLeftAsItWasIfTheRestDoesNotCome() throws Exception {
    var file = Files.writeString(folder.resolve("run.html"), "before");
    var process = new ProcessBuilder("/bin/sh", "-c", "printf begun; exec sleep 1000").start();
    var output = new RemoteFile(file, err, codes::add);
    var taken = CompletableFuture.runAsync(() -> take(output, StartedProcess.local(process)));
    Polling.until("a part has come", this::hasPart);

    output.awaitEnd(); // after the time for the rest

    taken.get(30, TimeUnit.SECONDS);
    assertThat(file).hasContent("before");
    assertThat(folder).isDirectoryNotContaining("glob:**unfinished");
  }

  /** Takes the output of a command, and ends when something has come, as after Ctrl-C. */
  private void stopped(String command, Path file) throws Exception {
    var output = new RemoteFile(file, err, codes::add);
    var process = new ProcessBuilder("/bin/sh", "-c", command).start();
    var taken = CompletableFuture.runAsync(() -> take(output, StartedProcess.local(process)));
    Polling.until("a part has come", this::hasPart);

    output.stop();

    assertThat(codes).as("reported").hasSize(1);
    taken.get(30, TimeUnit.SECONDS);
  }

  @Test
  void aFailureToWriteItIsNoneOfTheConnection() {
    assertThatThrownBy(() -> run("printf some\n", Path.of("/dev/full")))
        .isInstanceOf(FileWriteException.class)
        .hasMessageContaining("'/dev/full' could not be written");
  }

  private boolean hasPart() throws IOException {
    try (var files = Files.list(folder)) {
      return files.anyMatch(each -> isUnfinished(each) && each.toFile().length() == begun.length());
    }
  }

  private static boolean isUnfinished(Path file) {
    return file.toString().endsWith("unfinished");
  }

  private void take(RemoteFile output, StartedProcess command) {
    try (output;
        var machines = new MachineRegistry("")) {
      output.take(machines.of(server.login()), command);
      output.ended(command.process().waitFor());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
