package org.troupe.deployment;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.testing.QuickJvm;

/** Programs that {@code java} runs from a jar of their own or from a source file. */
@Timeout(120)
class ProgramsOfJavaTest {

  private static final String SOURCE =
      """
      import org.troupe.activeobjects.*;
      import org.troupe.deployment.*;

      public class Doubling {
        public static class Word implements java.io.Serializable { // a caller need not wait for it
          private final String text;
          public Word(String text) { this.text = text; }
          public String text() { return text; }
        }

        public static class Doubler {
          public Word twice(Word word) {
            if (word.text().isEmpty()) {
              throw new IllegalStateException("the word is empty");
            }
            return new Word(word.text() + word.text());
          }
        }

        static void use(Nodes nodes) {
          for (var node : nodes) {
            System.out.println(ActiveObjects.on(node).create(Doubler.class).twice(new Word("ab")).text());
          }
          ActiveObjects.on(nodes.get(1)).create(Doubler.class).twice(new Word("")).text();
        }

        public static void main(String[] arguments) {
          if (arguments[0].equals("local nodes")) {
            try (var nodes = LocalNodes.start(2)) {
              use(nodes.nodes());
            }
          } else {
            var quick = GridOptions.standard().withJvmOptions(java.util.List.of(QUICK));
            try (var grid = Grid.local(2, quick)) {
              use(grid.nodes());
            }
          }
        }
      }
      """
          .replace("QUICK", QuickJvm.OPTIONS.stream().collect(joining("\", \"", "\"", "\"")));

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @TempDir private Path folder;

  private Path source;

  @BeforeEach
  void writeSource() throws Exception {
    source = Files.writeString(folder.resolve("Doubling.java"), SOURCE);
  }

  @Test
  void ofAJarRunOnNodesWithinTheJvm() throws Exception {
    assertRuns(java("-cp", withJar(), "Doubling", "local nodes"));
  }

  @Test
  void ofAJarRunOnNodesInOtherJvms() throws Exception {
    assertRuns(java("-cp", withJar(), "Doubling", "grid"));
  }

  @Test
  void ofASourceFileRunOnNodesWithinTheJvm() throws Exception {
    assertRuns(java("-cp", CLASS_PATH, source.toString(), "local nodes"));
  }

  @Test
  void ofASourceFileHaveToBeCompiledForOtherJvms() throws Exception {
    assertThat(java("-cp", CLASS_PATH, source.toString(), "grid"))
        .contains(
            "class 'Doubling$Doubler' is not known here, and could not be fetched from node 'main'",
            "'java' has compiled it in memory, from 'Doubling.java'",
            "compile the program by 'javac -d FOLDER'");
  }

  /** Asserts what both nodes answer, and that the failure at the end arrives with its lines. */
  private static void assertRuns(String output) {
    assertThat(output)
        .containsOnlyOnce("abab\nabab\n")
        .contains("\"main\" java.lang.IllegalStateException: the word is empty\n")
        .containsPattern(
            "\tat Doubling.*\\(Doubling.java:14\\)\n\tat .*called.*\n\tat Doubling.use\\(Doubling.java:24\\)\n")
        .doesNotContain("com.sun.tools.javac");
  }

  private String withJar() throws Exception {
    var classes = folder.resolve("classes");
    run("javac", "-d", classes.toString(), "-cp", CLASS_PATH, "-proc:none", source.toString());
    var jar = folder.resolve("doubling.jar").toString();
    run("jar", "--create", "--file", jar, "-C", classes.toString(), ".");
    return CLASS_PATH + File.pathSeparator + jar;
  }

  private static void run(String tool, String... arguments) {
    assertThat(ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, arguments))
        .as(tool)
        .isZero();
  }

  private String java(String... arguments) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(QuickJvm.OPTIONS);
    command.addAll(List.of(arguments));
    var output = folder.resolve("output");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the program has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }
}
