package org.troupe.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Runs the jcstress tests of this module, none of which may observe a forbidden outcome.
 *
 * <p>Each test runs for a fraction of a second in one JVM configuration; {@code -Dtroupe.long=true}
 * runs it for some minutes in all configurations that jcstress knows. {@code -Dtroupe.stress=REGEX}
 * selects tests. {@code target/jcstress} has the report.
 */
class StressTest {

  private static final boolean LONG = Boolean.getBoolean("troupe.long");
  private static final String TESTS = System.getProperty("troupe.stress", ".*");
  private static final Path FOLDER = Path.of("target", "jcstress");

  /** Shared-memory rings wait in system calls. */
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

  /** A run that takes longer even on a busy machine contains a thread that waits for ever. */
  private static final long MOST_MINUTES = LONG ? 600 : 10;

  @Test
  void observesNoForbiddenOutcome() throws Exception {
    Files.createDirectories(FOLDER);
    Path output = FOLDER.resolve("output.txt");
    Process process =
        new ProcessBuilder(command())
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean hasEnded;
    try {
      hasEnded = process.waitFor(MOST_MINUTES, TimeUnit.MINUTES);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }

    assertThat(hasEnded)
        .as("whether all tests have ended; see %s", output.toAbsolutePath())
        .isTrue();
    assertThat(process.exitValue()).as(() -> end(output)).isZero();
    assertThat(output).content().contains("RUN RESULTS").doesNotContain("No tests");
  }

  private static List<String> command() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    var command = new ArrayList<String>();
    Collections.addAll(
        command,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp",
        absolute(classPath),
        "org.openjdk.jcstress.Main",
        "-t",
        TESTS,
        "-r",
        "report");
    Collections.addAll(command, LONG ? thorough() : brief());
    return command;
  }

  /** One JVM configuration and a fraction of a second for each test. */
  private static String[] brief() {
    return new String[] {
      "-f",
      "1",
      "-iters",
      "1",
      "-time",
      "150",
      "-af",
      "NONE",
      "-sc",
      "false",
      "-jvmArgs",
      "--enable-native-access=ALL-UNNAMED"
    };
  }

  private static String[] thorough() {
    return new String[] {"-m", "default", "-jvmArgsPrepend", NATIVE_ACCESS};
  }

  private static String absolute(String classPath) {
    return String.join(
        File.pathSeparator,
        Arrays.stream(classPath.split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .toList());
  }

  /** Returns the last lines of the output, which list the failures. */
  private static String end(Path output) {
    try {
      List<String> lines = Files.readAllLines(output);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 100), lines.size()));
    } catch (IOException e) {
      return "see " + output.toAbsolutePath();
    }
  }
}
