package org.troupe.cli.project;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.lang.model.SourceVersion;
import org.troupe.cli.command.VersionText;
import org.troupe.descriptors.DescriptorSchema;

/**
 * The files of a new project, from templates.
 *
 * @param name of the project, which Maven accepts
 * @param replacements of the words in capitals
 */
record ProjectFiles(String name, Map<String, String> replacements) {

  /** A file of a project, and the resource that it is made from. */
  private record Template(String resource, String file) {}

  /** Returns the files of a project that is named after its folder. */
  static ProjectFiles of(String folder, Optional<TroupeInstallation> installation)
      throws IOException {
    String name = projectName(folder);
    Optional<Path> modules = installation.flatMap(TroupeInstallation::modules);
    return new ProjectFiles(
        name,
        Map.of(
            "PROJECT_NAME", name,
            "PACKAGE_NAME", packageName(name),
            "CLASS_NAME", "Pi",
            "TROUPE_VERSION", VersionText.of("troupe"),
            "JUNIT_VERSION", VersionText.of("junit"),
            "TROUPE_JARS", place(installation.map(TroupeInstallation::jars), "TROUPE/lib"),
            "TROUPE_COMMAND",
                place(installation.map(TroupeInstallation::command), "TROUPE/bin/troupe"),
            "TROUPE_REPOSITORY", modules.isPresent() ? repository(modules.get()) : ""));
  }

  private static String place(Optional<Path> file, String otherwise) {
    return file.map(Path::toString).orElse(otherwise);
  }

  /** Returns the element of a pom that lets Maven find Troupe's modules in a folder. */
  private static String repository(Path folder) throws IOException {
    return resource("repository.xml")
        .replace("MODULES_URL", folder.toUri().toString().replace("&", "&amp;"));
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

  /** Writes a program of one file. */
  void writeSingle(Path folder) throws IOException {
    write(folder, new Template("Single.java", "Pi.java"));
  }

  /** Writes a project for Maven. */
  void write(Path folder) throws IOException {
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
      write(folder, each);
    }
    if (!folder.resolve("mvnw").toFile().setExecutable(true, false)) {
      throw new IOException("'mvnw' cannot be made executable there");
    }
    Files.writeString(folder.resolve("troupe.xsd"), DescriptorSchema.xsd());
  }

  private void write(Path folder, Template template) throws IOException {
    Path file = folder.resolve(template.file());
    Files.createDirectories(Objects.requireNonNull(file.getParent(), "a folder of the project"));
    String text = resource(template.resource());
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      text = text.replace(each.getKey(), each.getValue());
    }
    Files.writeString(file, text);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ProjectFiles.class.getResourceAsStream("templates/" + name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
