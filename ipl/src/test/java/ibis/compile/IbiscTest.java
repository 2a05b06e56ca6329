package ibis.compile;

import static org.assertj.core.api.Assertions.assertThat;

import ibis.ipl.ForkedJvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program that runs compilers, on classes in folders and jars. */
@Timeout(60)
class IbiscTest {

  @TempDir private Path folder;
  private Path classes;
  private Path compilers;

  @BeforeEach
  void prepare() throws IOException {
    classes = Files.createDirectories(folder.resolve("classes"));
    Path source =
        Files.writeString(
            folder.resolve("Plain.java"),
            """
            package app;
            class Plain {
              static int larger(int a, int b) {
                return a > b ? a : b;
              }
            }
            """);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), "--release", "17", source.toString());
    assertThat(compiled).isZero();
    compilers =
        jar("compilers.jar", Map.of("Ibisc-Component", MarkingCompiler.class.getName()), Map.of());
  }

  private Path jar(String name, Map<String, String> attributes, Map<String, byte[]> contents)
      throws IOException {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach(manifest.getMainAttributes()::putValue);
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file);
        var jar = new JarOutputStream(out, manifest)) {
      for (var each : contents.entrySet()) {
        jar.putNextEntry(new JarEntry(each.getKey()));
        jar.write(each.getValue());
        jar.closeEntry();
      }
    }
    return file;
  }

  /** Runs the program with the compiler on its class path; what it says can be waited for. */
  private ForkedJvm ibisc(String... arguments) throws IOException {
    return ForkedJvm.start(
        folder,
        compilers + File.pathSeparator + System.getProperty("java.class.path"),
        Ibisc.class,
        List.of(),
        arguments);
  }

  private void run(int code, String... arguments) throws Exception {
    try (ForkedJvm jvm = ibisc(arguments)) {
      assertThat(jvm.endInput()).isEqualTo(code);
    }
  }

  private static Object next(Path place) throws Exception {
    try (var loader = new URLClassLoader(new URL[] {place.toUri().toURL()}, null)) {
      Class<?> added = Class.forName("app.Marks_Plain", true, loader);
      added.getMethod("next").invoke(null);
      return added.getMethod("next").invoke(null);
    }
  }

  private static List<String> names(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void changesAndAddsClassesInFolders() throws Exception {
    run(0, "-mark", "-verify", "classes");

    assertThat(names(classes)).containsExactly("Marks_Plain.class", "Plain.class");
    assertThat(next(classes)).isEqualTo(2);
  }

  @Test
  void changesAndAddsClassesInJarsAndKeepsTheRest() throws Exception {
    byte[] plain = Files.readAllBytes(classes.resolve("app/Plain.class"));
    Path jar =
        jar(
            "app.jar",
            Map.of("Main-Class", "app.Plain"),
            Map.of("app/Plain.class", plain, "notes.txt", new byte[] {1, 2, 3}));

    run(0, "-keep", "-mark", "app.jar");

    assertThat(next(jar)).isEqualTo(2);
    try (var changed = new JarFile(jar.toFile())) {
      assertThat(changed.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("app.Plain");
      assertThat(changed.getInputStream(changed.getEntry("notes.txt")).readAllBytes())
          .containsExactly(1, 2, 3);
    }
    assertThat(folder.resolve("Marks_Plain.java")).exists();
  }

  @Test
  void hasNothingToDoForSerializationAlone() throws Exception {
    try (ForkedJvm jvm = ibisc("-iogen-force", "classes")) {
      assertThat(jvm.await("ibisc: nothing to do")).contains("serialization needs none");
      assertThat(jvm.endInput()).isZero();
    }
    assertThat(names(classes)).containsExactly("Plain.class");
  }

  @Test
  void namesWrongArgumentsAndListsTheOptions() throws Exception {
    try (ForkedJvm jvm = ibisc("-mark", "-fast", "classes")) {
      assertThat(jvm.await("ibisc:")).isEqualTo("there is no option '-fast'");
      assertThat(jvm.await("Usage:")).contains("[-mark]");
      assertThat(jvm.endInput()).isEqualTo(2);
    }
    try (ForkedJvm jvm = ibisc("-mark", "nowhere")) {
      assertThat(jvm.await("ibisc:")).isEqualTo("there is no file 'nowhere'");
    }
  }
}
