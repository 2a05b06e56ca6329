package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that pass messages, started by {@code ./troupe run --model mpj}, each rank a process.
 */
@Timeout(180)
class RankRunIT {

  private static final Path CHECKOUT = Modules.checkout();
  private static final String PROGRAMS =
      CHECKOUT.resolve("models/mpj/target/test-classes").toString();

  @TempDir private Path folder;

  private int exitCode;
  private String out = "";
  private String err = "";

  private void run(String jvmOptions, String input, String... command)
      throws IOException, InterruptedException {
    Path in = Files.writeString(folder.resolve("in"), input);
    Path outFile = folder.resolve("out");
    Path errFile = folder.resolve("err");
    List<String> line = new ArrayList<>(List.of(CHECKOUT.resolve("troupe").toString()));
    line.addAll(List.of(command));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectInput(in.toFile())
            .redirectOutput(outFile.toFile())
            .redirectError(errFile.toFile());
    builder.environment().put("TROUPE_BUILD", "never");
    var home = "-Duser.home=" + System.getProperty("user.home"); // for the report of a failed run
    builder.environment().put("JDK_JAVA_OPTIONS", (home + " " + jvmOptions).strip());
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("the command ends").isTrue();
    exitCode = process.exitValue();
    out = Files.readString(outFile, StandardCharsets.UTF_8);
    err = Files.readString(errFile, StandardCharsets.UTF_8);
  }

  private void runRanks(String jvmOptions, int ranks, String input, String... program)
      throws IOException, InterruptedException {
    run(
        jvmOptions,
        input,
        Stream.concat(
                Stream.of(
                    "run",
                    "--model",
                    "mpj",
                    "--ranks",
                    Integer.toString(ranks),
                    "--class-path",
                    PROGRAMS,
                    "--main"),
                Stream.of(program))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibis", "rmi"})
  void givesInputToRankZeroOverEachTransport(String transport) throws Exception {
    runRanks("-Dtroupe.transport=" + transport, 3, "100000\n", "programs.Pi");

    assertThat(err).doesNotContain("Exception");
    assertThat(out).contains("pi is 3.141593");
    assertThat(exitCode).isZero();
  }

  @Test
  void endsWithTheCodeOfARankThatExits() throws Exception {
    runRanks("", 2, "", "programs.Fails", "exit");
    assertThat(exitCode).isEqualTo(7);
  }

  @Test
  void endsWithTheTraceOfARankThatThrows() throws Exception {
    runRanks("", 2, "", "programs.Fails", "throw");
    assertThat(out + err).contains("IllegalStateException: thrown at rank 1");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void isOneRankWithoutTheModel() throws Exception {
    run("", "1000\n", "run", "--class-path", PROGRAMS, "--main", "programs.Pi");
    assertThat(out).isEqualTo("pi is 3.141593" + System.lineSeparator());
    assertThat(err).contains("so there is one rank").contains("--model mpj --ranks N");
    assertThat(exitCode).isZero();
  }

  @Test
  void saysWhatIsWrongWithItsOptions() throws Exception {
    run("", "", "run", "--model", "mpj", "--class-path", PROGRAMS, "--main", "programs.Pi");
    assertThat(err).contains("--model mpj needs a number of ranks; write --ranks N");
    assertThat(exitCode).isEqualTo(2);
  }
}
