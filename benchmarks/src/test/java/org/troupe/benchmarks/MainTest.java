package org.troupe.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.ExitCode;

class MainTest {

  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(err, true), arguments);
  }

  @Test
  void anUnknownNameIsRefusedWithTheNamesThereAre() {
    assertThat(run("locl")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("there is no benchmark 'locl'; there are local, idle, rmi, em3d");
  }

  @Test
  void aFileThatCannotBeWrittenIsToldBeforeAnythingIsMeasured(@TempDir Path folder) {
    var csv = folder.resolve("not-there").resolve("rows.csv");
    assertThat(run("local", "--csv", csv.toString())).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).startsWith("--csv " + csv + " cannot be written");
  }
}
