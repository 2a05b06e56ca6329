package org.troupe.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.program.Quick;

/** Nodes in JVMs of their own run classes that are not on their class path. */
@Timeout(120)
class ClassesOfTheLauncherTest {

  private static final Map<String, String> SOURCES =
      Map.of(
          "Word.java",
          "package plug; public record Word(String text) { public int size() { return text.length(); } }",
          "Plug.java",
          """
          package plug;
          public class Plug implements java.util.function.Function<Object, Object> {
            private java.util.function.Function<Object, Object> next;
            public Object apply(Object object) {
              if (object instanceof Word word) {
                return next == null ? new Word(word.text() + word.size()) : next.apply(word);
              }
              if (object instanceof java.util.function.Function<?, ?>) {
                @SuppressWarnings("unchecked")
                var other = (java.util.function.Function<Object, Object>) object;
                next = other;
              }
              return ProcessHandle.current().pid();
            }
          }
          """);

  @TempDir private Path folder;

  private ClassLoader compiled() throws IOException {
    var classes = Files.createDirectory(folder.resolve("classes"));
    var command = new ArrayList<>(List.of("-d", classes.toString(), "-proc:none"));
    for (var each : SOURCES.entrySet()) {
      command.add(Files.writeString(folder.resolve(each.getKey()), each.getValue()).toString());
    }
    assertThat(
            ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, command.toArray(String[]::new)))
        .isZero();
    return new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
  }

  @SuppressWarnings("unchecked") // a Plug is one
  private static Function<Object, Object> plug(Grid grid, int node, ClassLoader loader)
      throws ClassNotFoundException {
    return (Function<Object, Object>)
        ActiveObjects.on(grid.nodes().get(node)).create(loader.loadClass("plug.Plug"));
  }

  private static Object word(ClassLoader loader, String text) throws ReflectiveOperationException {
    return loader.loadClass("plug.Word").getConstructor(String.class).newInstance(text);
  }

  @Test
  void goToNodesAndFromNodeToNode() throws Exception {
    var loader = compiled();
    try (var grid = Grid.local(2, Quick.GRID)) {
      var first = plug(grid, 0, loader);
      var second = plug(grid, 1, loader);

      assertThat(first.apply("pid")).isEqualTo(Processes.pid(grid.nodes().get(0)));
      assertThat(first.apply(second)).isEqualTo(Processes.pid(grid.nodes().get(0)));
      assertThat(first.apply(word(loader, "word"))).isEqualTo(word(loader, "word4"));
    }
  }

  @Test
  void stayWhereTheyAreIfThatIsSwitchedOff() throws Exception {
    var loader = compiled();
    System.setProperty("troupe.classes.load", "off");
    try (var grid = Grid.local(1, Quick.GRID)) {
      assertThatThrownBy(() -> plug(grid, 0, loader))
          .hasMessageContaining("this node has no class plug.Plug")
          .hasMessageContaining("put it on the class path");
    } finally {
      System.clearProperty("troupe.classes.load");
    }
  }
}
