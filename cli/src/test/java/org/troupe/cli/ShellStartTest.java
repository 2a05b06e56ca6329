package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import jdk.jshell.JShell;
import jdk.jshell.Snippet.Status;
import jdk.jshell.SnippetEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The start-up file for the JDK's shell, which has a JVM of its own. */
class ShellStartTest {

  private final JShell shell = shell();

  @BeforeEach
  void evaluateStartFile() throws IOException {
    Files.readString(Modules.checkout().resolve("examples/troupe.jsh"))
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("//"))
        .forEach(this::valueOf);
  }

  @AfterEach
  void endShell() {
    shell.close();
  }

  @Test
  void letsTypedClassesBeActiveObjects() {
    valueOf("record Part(int from, int to) {}");
    valueOf(
        """
        class Sum {
          private int sum;
          void add(Part part) { for (int i = part.from(); i < part.to(); i++) sum += i; }
          int sum() { return sum; }
        }""");
    valueOf("LocalNodes nodes = LocalNodes.start(2);");
    valueOf("Sum there = ActiveObjects.on(nodes.get(1)).create(Sum.class);");
    valueOf("there.add(new Part(0, 5));");

    assertThat(valueOf("there.sum()")).isEqualTo("10");

    valueOf("nodes.close();");
  }

  /** Returns the value of one snippet, as text. */
  private String valueOf(String snippet) {
    SnippetEvent event = shell.eval(snippet).getLast();
    assertThat(event.status())
        .as(() -> snippet + ": " + shell.diagnostics(event.snippet()).toList())
        .isEqualTo(Status.VALID);
    assertThat(event.exception()).as(snippet).isNull();
    return event.value();
  }

  private static JShell shell() {
    String classPath = System.getProperty("java.class.path");
    return JShell.builder()
        .remoteVMOptions("--class-path", classPath, "--enable-native-access=ALL-UNNAMED")
        .compilerOptions("--class-path", classPath)
        .build();
  }
}
