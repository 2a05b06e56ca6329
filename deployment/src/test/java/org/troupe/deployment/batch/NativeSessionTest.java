package org.troupe.deployment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of a small DRMAA library in C, which the test compiles. */
class NativeSessionTest {

  @TempDir private static Path folder;
  private static BatchSystem system;

  @BeforeAll
  static void compileLibrary() throws Exception {
    var source = folder.resolve("drmaa.c");
    try (var in = NativeSessionTest.class.getResourceAsStream("drmaa.c")) {
      Files.copy(in, source);
    }
    var library = folder.resolve("libdrmaa.so");
    var command = List.of("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
    try {
      var compiler = new ProcessBuilder(command).inheritIO().start();
      assertThat(compiler.waitFor()).isZero();
    } catch (IOException e) {
      assumeTrue(false, "NOT RUN: no C compiler 'cc' on this machine, which makes the library");
    }
    system = NativeSession.open(Optional.of(library), Optional.empty());
  }

  private static BatchSystem open(Path library) throws BatchException {
    return NativeSession.open(Optional.of(library), Optional.empty());
  }

  private static String run(String options, String... command) throws BatchException {
    return run(system, options, command);
  }

  private static String run(BatchSystem system, String options, String... command)
      throws BatchException {
    var words = new ArrayList<>(List.of("/bin/sh"));
    words.addAll(List.of(command));
    return system.submit(
        new JobTemplate(
            "job",
            folder.toString(),
            options.isEmpty() ? List.of() : List.of(options.split(" ")),
            words,
            Optional.empty()));
  }

  @Test
  void runsAJobAndTellsItsExitCode() throws Exception {
    var id = run("", "-c", "exit $1", "sh", "3");

    assertThat(system.report(List.of(id, "999")))
        .isEqualTo(Map.of(id, new JobReport(JobState.FAILED, "failed")));
    var end = system.end(id);
    assertThat(end.exitCode()).hasValue(3);
    assertThat(end.text()).isEqualTo("finished, exit status 3");
  }

  @Test
  void tellsTheSignal() throws Exception {
    var id = run("", "-c", "kill -9 $$");

    var end = system.end(id);

    assertThat(end.exitCode()).isEmpty();
    assertThat(end.signal()).contains("SIG9");
  }

  @Test
  void passesOnTheLibrarysWords() {
    assertThatThrownBy(() -> run("-q nope"))
        .isExactlyInstanceOf(BatchException.class)
        .hasMessage("no such queue: nope");
    assertThatThrownBy(() -> system.terminate("999"))
        .isInstanceOf(BatchException.UnknownJob.class)
        .hasMessage("no such job");
  }

  @Test
  void commandsAddTheSchedulersOwnWords() throws Exception {
    var words =
        CommandSession.slurm(
            command ->
                Answers.said(
                    command.getFirst().equals("squeue")
                        ? command.stream()
                                .filter(each -> each.startsWith("--jobs="))
                                .findFirst()
                                .orElseThrow()
                                .substring("--jobs=".length())
                            + "|PENDING|Resources|"
                        : "JobState=TIMEOUT Reason=TimeLimit ExitCode=0:15"));
    var library = Optional.of(folder.resolve("libdrmaa.so"));
    var explained = NativeSession.open(library, Optional.of(words));
    var id = run("", "-c", "exit 3");

    assertThat(explained.report(List.of(id)).get(id).text()).isEqualTo("PENDING (Resources)");
    assertThat(explained.end(id).text()).isEqualTo("TIMEOUT: it reached its time limit");
    assertThat(explained.end(id).exitCode()).hasValue(3);
  }

  @Test
  void anOpenSessionIsJoined() throws Exception {
    var again = open(folder.resolve("libdrmaa.so"));
    var id = run(again, "", "-c", "exit 3");

    assertThat(system.end(id).exitCode()).hasValue(3);
  }

  @Test
  void aLibraryThatIsNotThereOrNoneIsNamed() {
    assertThatThrownBy(() -> open(Path.of("/no/libdrmaa.so")))
        .isInstanceOf(BatchException.class)
        .hasMessageContaining("'/no/libdrmaa.so' cannot be loaded");
    assertThatThrownBy(() -> open(Path.of("libm.so.6")))
        .isInstanceOf(BatchException.class)
        .hasMessage("'libm.so.6' is no DRMAA 1 library");
  }
}
