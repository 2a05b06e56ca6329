package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The help that the script of an archive prints without a JVM. */
class HelpTextsTest {

  private static final Path LAUNCHER = Modules.checkout().resolve("cli/src/main/launcher");

  /** What stands for the JVM in the archive of these tests. */
  private static final String JVM = "a JVM has started\n";

  @TempDir private Path folder;

  private Path archive; // its name has spaces
  private Path texts;

  @BeforeEach
  void makeArchive() throws IOException {
    archive = folder.resolve("an unpacked archive");
    texts = archive.resolve("lib/help");
    assertThat(outputOf("help-texts", texts.toString())).isEmpty();
    for (String file : List.of("bin/troupe", "lib/launcher.sh")) {
      Files.createDirectories(archive.resolve(file).getParent());
      Files.copy(LAUNCHER.resolve(file), archive.resolve(file));
    }
    makeExecutable(archive.resolve("bin/troupe"));
    Files.createFile(archive.resolve("lib/some.jar"));
    Files.writeString(archive.resolve("lib/jars"), "0 some.jar\n");

    Path java = folder.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho " + JVM);
    makeExecutable(java);
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"999\"\n");
  }

  @Test
  void areWhatEachVerbPrints() throws IOException {
    List<Path> pages = pages("plain");

    assertThat(pages).hasSizeGreaterThan(20).contains(texts.resolve("plain/troupe.site.add"));
    for (Path page : pages) {
      Stream<String> verbs = Arrays.stream(page.getFileName().toString().split("\\.")).skip(1);
      String[] command = Stream.concat(verbs, Stream.of("--help")).toArray(String[]::new);
      assertThat(page).content().isEqualTo(outputOf(command));
    }
  }

  @Test
  void haveStylesForTerminals() throws IOException {
    for (Path page : pages("plain")) {
      assertThat(Files.readString(texts.resolve("styled").resolve(page.getFileName())))
          .contains("\u001b[")
          .satisfies(
              styled ->
                  assertThat(styled.replaceAll("\u001b\\[[0-9;]*m", ""))
                      .isEqualTo(Files.readString(page)));
    }
  }

  @Test
  void includeTheCompletion() {
    assertThat(texts.resolve("completion")).content().isEqualTo(outputOf("completion"));
  }

  @ParameterizedTest
  @CsvSource({
    "--help, plain/troupe",
    "-h, plain/troupe",
    "ps --help, plain/troupe.ps",
    "site add -h, plain/troupe.site.add",
    "completion, completion"
  })
  void arePrintedByTheScript(String arguments, String text) throws Exception {
    assertThat(script(Map.of(), arguments.split(" ")))
        .isEqualTo(Files.readString(texts.resolve(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--version",
        "nosuch --help",
        "site.add --help",
        "../plain/troupe --help",
        "bench --help", // the program's
        "status --help all",
        "--verbose --help",
        "completion zsh"
      })
  void leaveAllElseToAJvm(String arguments) throws Exception {
    assertThat(script(Map.of(), arguments.split(" "))).isEqualTo(JVM);
  }

  @Test
  void leaveStylesOfTheEnvironmentToAJvm() throws Exception {
    assertThat(script(Map.of("CLICOLOR_FORCE", "1"), "--help")).isEqualTo(JVM);
  }

  private List<Path> pages(String style) throws IOException {
    try (Stream<Path> files = Files.list(texts.resolve(style))) {
      return files.sorted().toList();
    }
  }

  private static String outputOf(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    assertThat(exitCode).as(err.toString()).isZero();
    return out.toString();
  }

  /** Runs the archive's script and returns what it prints, to a pipe. */
  private String script(Map<String, String> variables, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(archive.resolve("bin/troupe").toString()));
    Arrays.stream(arguments).filter(each -> !each.isEmpty()).forEach(command::add);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(each -> each.matches(".*COLOR.*|J.*_OPTIONS"));
    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
    builder.environment().put("TROUPE_BUILD", "never"); // nor prepared
    builder.environment().putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static void makeExecutable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
