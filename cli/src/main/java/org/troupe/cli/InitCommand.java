package org.troupe.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.UUID;
import javax.lang.model.SourceVersion;
import org.jspecify.annotations.Nullable;
import org.troupe.descriptors.DescriptorSchema;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code init}: makes a project of the user's own. */
@Command(
    name = "init",
    description = {
      "Makes a project: a program for a grid, and its build.",
      "%nIt has a test, a descriptor, and a build by Maven. With --single it is one "
          + "file, which 'java' runs without a build."
    })
final class InitCommand extends CliCommand {

  @Option(
      names = "--single",
      description = "Makes a single file DIR/Pi.java, on nodes within one JVM.")
  private boolean isSingle;

  @Parameters(
      paramLabel = "DIR",
      description =
          "The folder of the project, which is new or empty; its last name is the project's.")
  private Path folder;

  /** A file of a project, from a resource whose words in capitals are replaced. */
  private record Template(String resource, String file) {}

  @Override
  public Integer call() {
    Path target = folder.toAbsolutePath().normalize();
    Path parent = target.getParent();
    if (parent == null || target.getFileName() == null) {
      throw wrong("'" + folder + "' has no name that a project could have; name a new folder");
    }
    String name = projectName(target.getFileName().toString());
    Path made = null;
    try {
      refuseIfUsed(target);
      Files.createDirectories(parent);
      made = Files.createDirectory(parent.resolve(".troupe-init-" + UUID.randomUUID()));
      write(made, name);
      Files.deleteIfExists(target); // it is empty
      Files.move(made, target);
    } catch (IOException e) {
      delete(made);
      throw wrong("cannot make a project in '" + folder + "': " + e, e);
    }
    out().println("made '" + folder + "'; " + next());
    return ExitCode.OK;
  }

  private void refuseIfUsed(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    boolean isEmpty = false;
    if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
      try (var files = Files.list(target)) {
        isEmpty = files.findAny().isEmpty();
      }
    }
    if (!isEmpty) {
      throw wrong("'" + folder + "' exists and is no empty folder; name a new one");
    }
  }

  private String next() {
    return isSingle
        ? "its first lines say how it is run"
        : "next: once 'mvn -DskipTests install' in Troupe's checkout, for its modules; then cd '"
            + folder
            + "' && ./mvnw package";
  }

  /** Returns a name that Maven accepts, from that of a folder. */
  static String projectName(String folder) {
    String name =
        folder.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    return name.isEmpty() ? "project" : name;
  }

  /** Returns the name of a package for a project. */
  static String packageName(String project) {
    String name = project.replace("-", "");
    return "com.example."
        + (SourceVersion.isIdentifier(name) && !SourceVersion.isKeyword(name) ? name : "p" + name);
  }

  private void write(Path made, String name) throws IOException {
    if (isSingle) {
      write(made, name, new Template("Single.java", "Pi.java"));
      return;
    }
    String code = packageName(name).replace('.', '/');
    for (Template each :
        List.of(
            new Template("pom.xml", "pom.xml"),
            new Template("README.md", "README.md"),
            new Template("gitignore", ".gitignore"),
            new Template("grid.xml", "grid.xml"),
            new Template("Pi.java", "src/main/java/" + code + "/Pi.java"),
            new Template("Sum.java", "src/main/java/" + code + "/Sum.java"),
            new Template("PiTest.java", "src/test/java/" + code + "/PiTest.java"),
            new Template("mvnw", "mvnw"),
            new Template(
                ".mvn/wrapper/maven-wrapper.properties",
                ".mvn/wrapper/maven-wrapper.properties"))) {
      write(made, name, each);
    }
    if (!made.resolve("mvnw").toFile().setExecutable(true, false)) {
      throw new IOException("'mvnw' cannot be made executable there");
    }
    Files.writeString(made.resolve("troupe.xsd"), DescriptorSchema.xsd());
  }

  private static void write(Path made, String name, Template template) throws IOException {
    Path file = made.resolve(template.file());
    Files.createDirectories(Objects.requireNonNull(file.getParent(), "a folder of the project"));
    Files.writeString(
        file,
        resource("templates/" + template.resource())
            .replace("PROJECT_NAME", name)
            .replace("PACKAGE_NAME", packageName(name))
            .replace("CLASS_NAME", "Pi")
            .replace("TROUPE_VERSION", property("version"))
            .replace("JUNIT_VERSION", property("junit")));
  }

  private static String property(String name) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = InitCommand.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    }
    return properties.getProperty(name);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = InitCommand.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void delete(@Nullable Path made) {
    if (made == null) {
      return;
    }
    try {
      Files.walkFileTree(
          made,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
              Files.delete(folder);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      // What remains has a name that begins with a dot and says what it is.
    }
  }
}
