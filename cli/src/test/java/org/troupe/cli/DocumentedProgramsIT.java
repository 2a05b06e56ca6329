package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The programs of the README and the guide, compiled and run as a reader would. */
class DocumentedProgramsIT {

  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern MAIN_CLASS = Pattern.compile("(?m)^public class (\\w+)");

  private static final Path LIBRARIES = Modules.checkout().resolve("cli/target/troupe/lib");
  private static final String JARS = LIBRARIES + "/*";

  @TempDir private Path folder;

  private record Program(String name, String source) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Program> programs() throws IOException {
    List<Program> found = new ArrayList<>();
    for (String document : List.of("README.md", "docs/guide.md")) {
      Matcher block = BLOCK.matcher(Files.readString(Modules.checkout().resolve(document)));
      while (block.find()) {
        Matcher name = MAIN_CLASS.matcher(block.group(1));
        if (name.find()) {
          found.add(new Program(name.group(1), block.group(1)));
        }
      }
    }
    return found.stream();
  }

  @Test
  void areFound() throws IOException {
    assertThat(programs().map(Program::name))
        .containsExactly(
            "First", "Slices", "Many", "Ring", "FirstSite", "Shop", "Lasting", "Divided");
  }

  static Stream<Program> programsForPi() throws IOException {
    return programs().filter(each -> !List.of("Lasting", "Ring", "Shop").contains(each.name()));
  }

  @Test
  void countTheirRuns() throws Exception {
    Program program = compiled("Lasting");
    for (int run = 1; run <= 2; run++) {
      assertThat(
              java(
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  folder + File.pathSeparator + JARS,
                  program.name(),
                  folder.resolve("store")))
          .contains("this is run " + run);
    }
  }

  @Test
  void addPricesOfReplicas() throws Exception {
    assertThat(
            java(
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + File.pathSeparator + JARS,
                compiled("Shop").name()))
        .contains("it costs 7");
  }

  @Test
  void passValuesAroundARing() throws Exception {
    assertThat(
            java(
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + File.pathSeparator + JARS,
                compiled("Ring").name()))
        .contains("after three steps: [1, 2, 3, 0]", "a barrier took ");
  }

  private Program compiled(String name) throws Exception {
    Program program = programs().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    compile(name, program.source());
    return program;
  }

  @ParameterizedTest
  @MethodSource("programsForPi")
  void computePi(Program program) throws Exception {
    // A hundredth of the work; the compared digits of the sum are equal.
    String source = program.source().replace("1_000_000_000", "10_000_000");
    compile(program.name(), source);

    assertThat(
            java(
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + File.pathSeparator + JARS,
                program.name()))
        .contains("pi is about 3.14159");
  }

  /** Compiles a program within this JVM, since a compiler takes seconds for its own start. */
  private void compile(String name, String source) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    StringWriter said = new StringWriter();
    PrintWriter printer = new PrintWriter(said);

    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                printer,
                printer,
                "-Xlint:all,-this-escape",
                "-cp",
                String.join(File.pathSeparator, jars()),
                "-d",
                folder.toString(),
                file.toString());

    assertThat(said.toString()).isEmpty();
    assertThat(exitCode).isZero();
  }

  /** Returns what JARS names: only the JDK's launchers know such a name. */
  private static List<String> jars() throws IOException {
    try (Stream<Path> files = Files.list(LIBRARIES)) {
      return files.map(Path::toString).filter(file -> file.endsWith(".jar")).toList();
    }
  }

  /** Runs a program by the JDK's launcher and returns what it prints. */
  private static String java(Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
