package org.troupe.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.benchmarks.harness.Benchmark;
import picocli.CommandLine.ExitCode;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
  }

  @Test
  void rejectsAnUnknownNameWithTheExistingNames() {
    assertThat(run("locl")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("troupe bench: there is no benchmark 'locl'; there are local, idle,")
        .hasLineCount(1);
  }

  @Test
  void rejectsAFolderThatCannotBeCreatedBeforeMeasuring(@TempDir Path folder) throws IOException {
    var file = Files.createFile(folder.resolve("file"));
    assertThat(run("local", "--png", file.resolve("charts").toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("troupe bench: --png " + file.resolve("charts") + " cannot be created");
  }

  @Test
  void benchmarksHaveUniqueNamesAndDescriptions() {
    assertThat(Main.all())
        .extracting(Benchmark::name)
        .doesNotHaveDuplicates()
        .contains("lifecycle", "moving", "restarts");
    assertThat(Main.all()).extracting(Benchmark::about).doesNotContain("");
  }

  @Test
  void rejectsAFileThatCannotBeWrittenBeforeMeasuring(@TempDir Path folder) {
    var csv = folder.resolve("not-there").resolve("rows.csv");
    assertThat(run("local", "--csv", csv.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("troupe bench: --csv " + csv + " cannot be written");
  }

  @Test
  void drawsAFileOfResults(@TempDir Path folder) throws IOException {
    var results =
        Files.writeString(
            folder.resolve("rows.csv"),
            """
            row,what,value,unit,low,high,note
            benchmark-local,measured,62,s,,,
            call,ours,2.5,us,2,3,
            call,reference,2,us,1,4,
            call,goal,,,,,ratio<=1.5: met
            """);
    var charts = folder.resolve("charts");

    assertThat(run("--goals", results.toString(), "--png", charts.toString())).isZero();

    assertThat(out).hasToString("local: 1 of 1 goals met\n");
    assertThat(charts).isDirectoryContaining("glob:**/local-us.png");
  }
}
