package org.troupe.classics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The common options and messages of all programs. */
@Timeout(120)
class ClassicProgramTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** A program whose options make its result wrong. */
  @Command(name = "guess")
  public static final class Guess extends KernelProgram<Double> {

    @Option(names = "--number")
    private Double number;

    @Option(names = "--array")
    private int array;

    private int nodes;

    @Override
    protected void prepareProblem(int itsNodes, List<String> wrong) {
      nodes = itsNodes;
      number = orPreset(number, 1.0, 2.0, 3.0);
      if (number < 0) {
        wrong.add("--number " + number + ": give one above 0");
      }
    }

    @Override
    protected String problem() {
      return number + " on " + nodes;
    }

    @Override
    protected ProgramVersion<Double> sequential() {
      return array == 0 ? constant(1.0) : constant((double) new long[array].length);
    }

    @Override
    protected ProgramVersion<Double> parallel(ProgramNodes nodes) {
      return constant(number);
    }

    private static ProgramVersion<Double> constant(double number) {
      return new ProgramVersion<>() {
        @Override
        public void prepare() {}

        @Override
        public void run() {}

        @Override
        public Double result() {
          return number;
        }
      };
    }

    @Override
    protected List<ResultCheck> check(Double expected, Double found) {
      return List.of(ResultCheck.near("the number", expected, found, 1e-3));
    }

    @Override
    protected String checksum(Double found) {
      return new NumberChecksum().add(found).toString();
    }
  }

  private int run(String... arguments) {
    return ClassicProgram.commandLine(new Guess())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void reportsARightAnswer() throws IOException {
    var report = folder.resolve("report.json");

    var code =
        run(
            ("--jvms 1 --size tiny --rounds 2 --without reuse,untracked --report " + report)
                .split(" "));

    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("guess, 1.0 on 1, on 1 node by ibis")
        .contains("verified")
        .hasLineCount(1);
    assertThat(Files.readString(report))
        .contains("\"program\" : \"guess\"", "\"number\" : 1.0", "\"nodes\" : 1")
        .contains("\"verified\" : true", "\"messages\" : ", "\"rounds\" : 2")
        .contains("\"without\" : [ \"REUSE\", \"UNTRACKED\" ]", "\"cycleLookups\" : ")
        .contains("\"objectsReused\" : 0")
        .endsWith("}\n");
  }

  @Test
  void reportsAWrongAnswerWithTheExpectedOneAndEndsWithOne() throws IOException {
    var report = folder.resolve("report.json");

    var code = run("--jvms", "1", "--number", "1.01", "--report", report.toString());

    assertThat(code).isEqualTo(1);
    assertThat(out.toString()).contains("WRONG");
    assertThat(err.toString())
        .contains("guess: the number is wrong: expected 1.0000", "found 1.0100", "tolerance 1e-03");
    assertThat(Files.readString(report)).contains("\"verified\" : false", "\"isMet\" : false");
  }

  @Test
  void reportsInsufficientMemoryWithARemedy() {
    assertThat(run("--jvms", "1", "--array", String.valueOf(Integer.MAX_VALUE))).isEqualTo(1);
    assertThat(err.toString())
        .contains("guess, 2.0 on 1: a JVM has too little memory", "JDK_JAVA_OPTIONS=-Xmx")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--size huge | --size must be 'tiny', 'paper' or 'large', not 'huge'",
        "--jvms x | --jvms must be a whole number, such as 4, not 'x'",
        "--wait soon | --wait must be a whole number, such as 120, not 'soon'",
        "--number one | --number must be a number, such as 0.5, not 'one'",
        "--grid some.xml -D a | -D must be NAME=VALUE, such as -D jvms=4, not 'a'",
        "--jvms 0 | --jvms 0: at least one JVM is needed",
        "--jvms 2 --grid some.xml | leave one out",
        "--grid none.xml | none.xml",
        "-D a=b | add --grid",
        "--wait -1 | --wait -1: give seconds, or 0",
        "--transport foo | there is no transport 'foo'; --transport is one of ibis, rmi",
        "--without haste | --without must be 'UNTAGGED', 'UNTRACKED', 'CALL_SITE' or 'REUSE', not 'haste'",
        "--rounds 0 | --rounds 0: at least one is needed",
        "--number -1 | --number -1.0: give one above 0",
        "--report . | is a folder",
        "--report none/report.json | cannot write to the folder",
        "--report /proc/report.json | cannot write to the folder",
        "--colour | Unknown option: '--colour'"
      })
  void rejectsWrongOptionsBeforeAnythingStarts(String arguments, String message) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).contains(message).doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
  }
}
