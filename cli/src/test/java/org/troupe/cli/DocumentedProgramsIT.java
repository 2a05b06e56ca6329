package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The programs of the README and the guide, and those of {@code examples/lasting}, of which the
 * guide has excerpts, compiled and run as a reader would.
 */
class DocumentedProgramsIT {

  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern MAIN_CLASS = Pattern.compile("(?m)^public class (\\w+)");

  /** An excerpt of a program begins with its file. */
  private static final Pattern EXCERPT =
      Pattern.compile("(?s)```java\n// examples/lasting: (\\w+)\\.java\n(.*?)```");

  private static final Path LASTING =
      Modules.checkout().resolve("examples/lasting/src/main/java/com/example/lasting");

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
      assertThat(run(program.name(), List.of(folder.resolve("store"))))
          .contains("this is run " + run);
    }
  }

  /** What each program prints, beside records of the log; names of nodes differ in each run. */
  static Stream<Arguments> lastingPrograms() {
    return Stream.of(
        arguments(
            "Moving",
            "call 1 was served on (\\S+)\\R.*call 2 was served on (?!\\1\\R)\\S+\\R.*call 3 was served on \\1\\R"),
        arguments(
            "Supervision",
            "the index: Moby-Dick on (\\S+)\\R.*the writer: LOST, exit code 3\\R.*the reader: FAILED\\R"
                + ".*the index: Moby-Dick on (?!\\1\\R)\\S+\\R"),
        arguments(
            "Bank",
            "200 transfers, and the sum is 400\\R.*after a mistake the sum is 1000400\\R.*resumed, the sum is 400\\R"),
        arguments(
            "Restored",
            "a part of the work failed\\R.*the group goes on from step 10\\R"
                + ".*30 steps, sum 180 on (\\S+)\\R(.*30 steps, sum 180 on \\1\\R){3}"));
  }

  @ParameterizedTest
  @MethodSource("lastingPrograms")
  void outliveFaultsAndMoves(String name, String printed) throws Exception {
    Path source = LASTING.resolve(name + ".java");
    compile(source);
    // Those with a store take its folder as their argument, the others a descriptor.
    boolean hasStore = Files.readString(source).contains("Store.directory(folder)");

    assertThat(
            run(
                "com.example.lasting." + name,
                hasStore ? List.of(folder.resolve("store")) : List.of()))
        .containsPattern("(?s)" + printed);
  }

  /** Lines of an excerpt follow each other as in its program, but for {@code ...} between parts. */
  @Test
  void haveTheLinesOfTheirExcerpts() throws IOException {
    Set<String> excerpted = new TreeSet<>();
    String guide = Files.readString(Modules.checkout().resolve("docs/guide.md"));
    for (Matcher excerpt = EXCERPT.matcher(guide); excerpt.find(); ) {
      String program = Files.readString(LASTING.resolve(excerpt.group(1) + ".java"));
      for (String part : excerpt.group(2).split("(?m)^ *\\.\\.\\.$")) {
        assertThat(withoutIndents(program)).contains(withoutIndents(part));
      }
      excerpted.add(excerpt.group(1));
    }
    assertThat(excerpted).containsExactly("Bank", "Moving", "Restored", "Supervision");
  }

  private static String withoutIndents(String lines) {
    return lines.strip().replaceAll("\\R\\s*", "\n");
  }

  @Test
  void addPricesOfReplicas() throws Exception {
    assertThat(run(compiled("Shop").name(), List.of())).contains("it costs 7");
  }

  @Test
  void passValuesAroundARing() throws Exception {
    assertThat(run(compiled("Ring").name(), List.of()))
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

    assertThat(run(program.name(), List.of())).contains("pi is about 3.14159");
  }

  private void compile(String name, String source) throws IOException {
    compile(Files.writeString(folder.resolve(name + ".java"), source));
  }

  /** Compiles a program within this JVM, since a compiler takes seconds for its own start. */
  private void compile(Path file) throws IOException {
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
  private String run(String main, List<Path> arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                folder + File.pathSeparator + JARS,
                main));
    arguments.forEach(each -> command.add(each.toString()));
    Path printed = folder.resolve(main + ".txt"); // a pipe would have to be read meanwhile
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    try {
      boolean hasEnded = process.waitFor(1, TimeUnit.MINUTES);
      String output = Files.readString(printed);
      assertThat(hasEnded).as("'%s' ends; it has printed: %s", main, output).isTrue();
      assertThat(process.exitValue()).as(output).isZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
