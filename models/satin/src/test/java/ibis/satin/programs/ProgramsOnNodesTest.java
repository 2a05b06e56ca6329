package ibis.satin.programs;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.satin.impl.OnNodes;
import ibis.satin.weave.ClassPathWeaver;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of these tests over nodes, each a JVM of its own. */
@Timeout(120)
class ProgramsOnNodesTest {

  @TempDir private Path folder;

  @Test
  void runOnAllNodesWithTheirPropertiesSharedObjectsAndGuards() throws Exception {
    String output = run(List.of("-Dplaces.given=yes", "-Dsatin.so.waitTime=300"), "2", "Places");

    assertThat(output.lines().filter(line -> line.endsWith("(checked)"))).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void takeResultsAndExceptionsFromOtherNodesAndAbortJobsThere(String nodes) throws Exception {
    String output = run(List.of(), nodes, "Spawns," + nodes, "Inlets," + nodes, "!Uncaught");

    assertThat(output.lines().filter(line -> line.endsWith("(checked)"))).hasSize(9);
    assertThat(output)
        .contains("Uncaught has thrown java.lang.IllegalArgumentException: lost (checked)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void shareObjectsWithNodesThatJoinAndAreLost(String nodes) throws Exception {
    String output = run(List.of(), nodes, "Shared," + nodes);

    assertThat(output.lines().filter(line -> line.endsWith("(checked)")))
        .hasSize(nodes.equals("1") ? 10 : 11);
  }

  @Test
  void spawnInTheMasterOnlyIfTheyChooseThat() throws Exception {
    String output = run(List.of("-Dsatin.alg=MW"), "2", "MasterOnly,2");

    assertThat(output.lines().filter(line -> line.endsWith("(checked)"))).hasSize(2);
  }

  @Test
  void runInAClosedWorldByRandomStealingOnTwoThreads() throws Exception {
    String output =
        run(
            List.of(
                "-Dsatin.closed",
                "-Dibis.pool.size=2",
                "-Dsatin.alg=RS",
                "-Dsatin.threads=2",
                "-Dsatin.ft.naive",
                "-Dsatin.detailedStats"),
            "2",
            "Power,14",
            "Power,12");

    assertThat(output.lines().filter(line -> line.endsWith("(checked)"))).hasSize(2);
    assertThat(output.lines().filter(line -> line.startsWith("SATIN: ")))
        .as("a line for each JVM and program")
        .hasSize(6)
        .allMatch(line -> line.contains("workers=2"));
  }

  /** Runs programs in a process, whose nodes are others, and returns what it prints. */
  private String run(List<String> options, String... arguments) throws Exception {
    Path woven = woven();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OnNodes.QUICK);
    command.addAll(options);
    command.addAll(
        List.of(
            "-cp",
            woven + File.pathSeparator + System.getProperty("java.class.path"),
            OnNodes.class.getName()));
    command.addAll(List.of(arguments));
    Path output = folder.resolve("output.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(100, TimeUnit.SECONDS))
          .as("end of the program, which has printed: %s", Files.readString(output))
          .isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  private Path woven() throws Exception {
    Path classes = folder.resolve("classes");
    Path origin = Path.of(Places.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> all = Files.walk(origin.resolve("ibis/satin/programs"))) {
      for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        Path copy = classes.resolve(origin.relativize(each).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(each, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path woven = folder.resolve("woven");
    ClassPathWeaver.weave(Map.of(classes, woven), ClassPathWeaver.class.getClassLoader(), Set.of());
    return woven;
  }
}
