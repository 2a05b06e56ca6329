package org.troupe.em3d;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as it is run from a command line, here with its nodes in JVMs of their own. */
class MainTest {

  private static final String SPHERE = "src/test/resources/org/troupe/em3d/mesh/sphere.msh";

  @TempDir private Path folder;

  @Test
  void solvesACubeOnTwoJvmsAndWritesTheReport() throws Exception {
    var report = folder.resolve("report.json");

    var run = run("--mesh", "cube:9", "--steps", "100", "--report", report.toString());

    assertThat(run.errors()).doesNotContain("WARNING");
    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(run.output())
        .contains("cube:9", "2  (2x1x1)", "2  (ibis, ", "energy drift", "0.3134");
    assertThat(Files.readString(report))
        .contains("\"cells\": 3072,", "\"jvms\": 2,", "\"transport\": \"ibis\",")
        .contains("\"steps\": 100,", "\"errorRelativeL2\": 0.31337");
  }

  @Test
  void writesAFolderOfResultsThatIsWholeOrNotThere() throws Exception {
    var out = folder.resolve("out");

    var run = run("--mesh", SPHERE, "--subdomains", "3", "--steps", "40", "--out", out.toString());

    assertThat(run.exitCode()).as(run.errors()).isZero();
    assertThat(Files.readString(out.resolve("report.json")))
        .contains("\"errorRelativeL2\": null", "\"subdomains\": 3");
    assertThat(Files.readAllLines(out.resolve("energy.csv")))
        .hasSize(1 + 5); // steps 0, 10, 20, 30, 39
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(out);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--mesh nofile.msh | mesh 'nofile.msh' does not exist",
        "--mesh cube:many | mesh 'cube:many' has no number of points; write cube:33",
        "--mesh cube:9 --division 2x2 | division '2x2' is not of the form AxBxC",
        "--mesh cube:3 --division 9x1x1 | division '9x1x1' leaves sub-domains empty",
        "--division 2x1x1 --subdomains 2 | --division and --subdomains both say how to cut",
        "--mesh cube:9 --jvms 0 | --jvms 0: at least one JVM is needed",
        "--mesh cube:9 --steps none | --steps",
        "--cfl 1.5 | --cfl 1.5: must be above 0, and at most 1",
        "--grid nothing.xml | nothing.xml: does not exist",
        "--jvms 2 --grid grid.xml | --jvms and --grid both say where the nodes come from",
        "--report /nowhere/r.json | '/nowhere' is no folder that can be written to",
        "--mehs cube:9 | Unknown option"
      })
  void refusesWrongOptionsInOneLineBeforeAnythingStarts(String options, String message) {
    var run = run(options.strip().split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors()).contains(message.strip()).doesNotContain("\tat ");
    assertThat(run.errors().strip().lines()).hasSize(1);
    assertThat(run.output()).isEmpty();
  }

  @Test
  void nodesThatCannotStartEndItWithTheirOwnLastWords() throws Exception {
    var grid = folder.resolve("grid.xml");
    Files.writeString(
        grid,
        """
        <troupe xmlns="urn:troupe:descriptor:1">
          <virtualNodes><virtualNode name="solvers"/></virtualNodes>
          <mapping><map virtualNode="solvers" to="here"/></mapping>
          <infrastructure>
            <jvm id="odd"><option>-XX:+NoSuchThing</option></jvm>
            <local id="here" jvms="2" jvm="odd"/>
          </infrastructure>
        </troupe>
        """);

    var run = run("--mesh", "cube:9", "--grid", grid.toString(), "--out", folder + "/out");

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.errors()).contains("Unrecognized VM option 'NoSuchThing'", "grid.xml:");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  private record Run(int exitCode, String output, String errors) {}

  private static Run run(String... options) {
    var output = new ByteArrayOutputStream();
    var errors = new ByteArrayOutputStream();
    var formerOutput = System.out;
    var formerErrors = System.err;
    System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
    try {
      var exitCode = Main.run(options);
      return new Run(
          exitCode,
          output.toString(StandardCharsets.UTF_8),
          errors.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(formerOutput);
      System.setErr(formerErrors);
    }
  }
}
