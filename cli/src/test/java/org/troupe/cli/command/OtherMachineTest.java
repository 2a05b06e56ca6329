package org.troupe.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.cli.Main;
import org.troupe.cli.observe.DashboardCommand;
import org.troupe.cli.observe.RecordCommand;
import org.troupe.cli.observe.ReportCommand;
import org.troupe.deployment.files.AtomicFile;
import picocli.CommandLine;

/** The options that run a verb on another machine. */
class OtherMachineTest {

  private static final Path NO_FILE = Path.of("no such folder", "run.csv");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  @Test
  void theOtherMachineGetsAllOtherArguments() {
    assertThat(
            OtherMachine.withoutOptions(
                List.of(
                    "logs", "--at", "me@fe", "--of", "7", "--at-command=/x/troupe", "-f", "n-1")))
        .containsExactly("logs", "--of", "7", "-f", "n-1");
    assertThat(OtherMachine.withoutOptions(List.of("ps", "--at-command", "t", "--at=fe", "--all")))
        .containsExactly("ps", "--all");
  }

  @Test
  void aFileOfTheOtherMachineIsPrintedThere() {
    assertThat(
            OtherMachine.without(
                List.of("-o", "--output"),
                List.of("report", "-o", "a", "--output=b", "-oc", "--output", "d", "--of=7", "x")))
        .containsExactly("report", "--of=7", "x");
    assertThat(new ReportCommand().printing()).containsExactly("--print");
  }

  @Test
  void optionsForTheOtherMachineAreInFrontOfTheArgumentsThatAreNone() {
    assertThat(
            OtherMachine.behindVerb(
                List.of("--print"),
                OtherMachine.without(List.of("-o"), List.of("--verbose", "report", "--", "-o"))))
        .containsExactly("--verbose", "report", "--print", "--", "-o");
    assertThat(OtherMachine.behindVerb(List.of("--print"), List.of("report", "7")))
        .containsExactly("report", "--print", "7");
  }

  @Test
  void theOtherMachineDoesTheSameAsForTheStandardOutput() {
    var record = new RecordCommand();
    new CommandLine(record).parseArgs("--print");
    var report = new ReportCommand();
    new CommandLine(report).parseArgs("--print");

    assertThat(record.output()).hasToString("-");
    assertThat(report.output()).hasToString("-");
    assertThat(new CommandLine(record).getUsageMessage()).doesNotContain("--print");
  }

  @Test
  void onlyAFailureOfTheMachineHasTheExitCodeOfNodesThatWereNotStarted() {
    var ofFile = catchThrowableOfType(IOException.class, () -> AtomicFile.write(NO_FILE, "text"));

    assertThat(OtherMachine.exitCode(ofFile)).isEqualTo(1);
    assertThat(OtherMachine.exitCode(new IOException("fe: the login failed"))).isEqualTo(3);
  }

  @Test
  void theNameOfTheFileHereDecidesTheFormat() {
    assertThat(printing("--of", "7", "-o", "run.csv"))
        .containsExactly("--print", "--format", "csv");
    assertThat(printing()).containsExactly("--print", "--format", "perfetto");
    assertThat(printing("--jfr", "PT5S")).containsExactly("--print", "--format", "zip");
    assertThat(printing("--jfr", "PT5S", "-o", "run.folded"))
        .containsExactly("--print", "--format", "folded");
    assertThat(printing("--format", "chrome")).containsExactly("--print");
  }

  private static List<String> printing(String... words) {
    var command = new RecordCommand();
    new CommandLine(command).parseArgs(words);
    return command.printing();
  }

  @Test
  void aPlaceForAFileIsLookedForHere(@TempDir Path folder) {
    var nowhere = folder.resolve("none").resolve("run.html").toString();
    for (var verb : List.of("record", "report")) {
      assertThat(run(verb, "--at", "no-such.invalid", "-o", nowhere)).isEqualTo(2);
    }
    assertThat(err.toString()).contains("since there is no folder");
  }

  @Test
  void thePageOfAnotherMachineIsOpenedHere() {
    assertThat(new DashboardCommand().withoutOpening(List.of("dashboard", "--open", "4711")))
        .containsExactly("dashboard", "4711");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status --at X",
        "logs --at X",
        "stack --at X",
        "top --at X",
        "ps --at X",
        "observe --at X counts",
        "objects --at X",
        "futures --at X",
        "traffic --at X",
        "cancel --at X",
        "clean --at X",
        "act collect --at X n-1",
        "record --at X -o run.csv",
        "report --at X",
        "dashboard --at X --open"
      })
  void eachVerbOnARunningProgramHasThem(String line) {
    assertThat(run(line.replace("X", "a@b@c").split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains("'a@b@c' is no machine; write HOST, USER@HOST");
  }

  @Test
  void aMachineThatDoesNotExistIsCorrectedInTheOption() {
    assertThat(run("ps", "--at", "no-such.invalid")).isEqualTo(3);
    assertThat(err.toString())
        .contains("there is no host 'no-such.invalid'; correct its name in --at, or set HostName");
  }

  @Test
  void aCommandWithoutAMachineIsAnError() {
    assertThat(run("ps", "--at-command", "/x/troupe")).isEqualTo(2);
    assertThat(err.toString()).contains("add '--at HOST'");
  }

  @Test
  void otherOptionsAreCheckedHere() {
    assertThat(run("ps", "--at", "fe", "--alll")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no option '--alll'; did you mean '--all'?");
  }

  @Test
  void onlyAnotherVersionOfTheCallerIsWorthANote() throws IOException {
    var version = new VersionText().getVersion()[0];

    assertThat(OtherMachine.differentVersion(null)).isEmpty();
    assertThat(OtherMachine.differentVersion(version)).isEmpty();
    assertThat(OtherMachine.differentVersion("troupe 0.0.1"))
        .contains(
            "note: this is %s there, and troupe 0.0.1 here; columns and fields may differ"
                .formatted(version));
  }
}
