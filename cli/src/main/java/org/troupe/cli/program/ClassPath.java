package org.troupe.cli.program;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/**
 * The option that adds a user's classes.
 *
 * <p>The start script has read the option already and started this JVM with those classes on its
 * class path. So they are loaded as by {@code java}, here and on a grid's nodes, which get the same
 * class path. This class only checks the option.
 */
public final class ClassPath {

  @Option(
      names = "--class-path",
      paramLabel = "PATH",
      description = "The program's jars and class folders, as for 'java'.")
  private String path = "";

  /**
   * Checks that all entries exist.
   *
   * @throws IllegalArgumentException if one does not
   */
  public void check() {
    for (String entry : entries()) {
      String place = entry.endsWith("*") ? entry.substring(0, entry.length() - 1) : entry;
      if (!Files.exists(Path.of(place))) {
        throw new IllegalArgumentException(
            "--class-path names '" + entry + "', which does not exist");
      }
    }
  }

  public boolean isGiven() {
    return !path.isEmpty();
  }

  /**
   * Returns the main class that the manifest of the first entry names.
   *
   * @throws IllegalArgumentException if that entry is a file but no jar
   */
  public Optional<String> mainClass() {
    List<String> entries = entries();
    if (entries.isEmpty() || !Files.isRegularFile(Path.of(entries.getFirst()))) {
      return Optional.empty();
    }
    try (JarFile jar = new JarFile(entries.getFirst())) {
      return Optional.ofNullable(jar.getManifest())
          .map(Manifest::getMainAttributes)
          .map(attributes -> attributes.getValue(Attributes.Name.MAIN_CLASS))
          .map(String::strip);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--class-path names '" + entries.getFirst() + "', which is no jar: " + e.getMessage(), e);
    }
  }

  private List<String> entries() {
    return Stream.of(path.split(File.pathSeparator)).filter(each -> !each.isEmpty()).toList();
  }

  /**
   * Loads a class without initializing it; accepts names of nested classes as in the source.
   *
   * @throws IllegalArgumentException if there is no such class, or it cannot be loaded
   */
  public static Class<?> load(String name) {
    for (String tried = name; ; ) {
      try {
        return Class.forName(tried, false, ClassLoader.getSystemClassLoader());
      } catch (ClassNotFoundException _) {
        int dot = tried.lastIndexOf('.');
        if (dot < 0) {
          throw new IllegalArgumentException(
              "there is no class '%s' on the class path; %s".formatted(name, remedy(name)));
        }
        tried = tried.substring(0, dot) + "$" + tried.substring(dot + 1);
      } catch (LinkageError e) {
        throw new IllegalArgumentException("class '" + tried + "' cannot be loaded: " + e, e);
      }
    }
  }

  private static String remedy(String name) {
    String ofClass = name.replaceFirst("\\.(java|class)$", "").replace('/', '.');
    return ofClass.equals(name)
        ? "write its name with its package, and its jar or folder after --class-path"
        : "write the name of the class, not of its file, such as '" + ofClass + "'";
  }
}
