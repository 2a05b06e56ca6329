package org.troupe.deployment.staging;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The program that deploys, as its nodes need it. */
public final class ProgramFiles {

  /** The property that says where the program's own classes are. */
  public static final String APPLICATION = "troupe.application";

  private static final List<String> OURS = List.of("troupe.", "ibis.");

  private ProgramFiles() {}

  /**
   * Returns the class path for nodes: this JVM's class path and module path, absolute, since nodes
   * may start in another folder.
   */
  public static List<Path> classPath() {
    var found = new LinkedHashSet<Path>();
    listed("java.class.path").forEach(each -> add(each, found));
    listed("jdk.module.path").flatMap(ProgramFiles::modules).forEach(each -> add(each, found));
    return List.copyOf(found);
  }

  /**
   * Adds an entry and those that it refers to. The JVM would follow them by itself; but build tools
   * put whole class paths into the manifest of a jar, and the program's folders, whose classes
   * nodes let in, have to be seen.
   */
  private static void add(Path entry, Set<Path> found) {
    if (!Files.exists(entry) || !found.add(entry) || Files.isDirectory(entry)) {
      return;
    }
    try (var jar = new JarFile(entry.toFile())) {
      var manifest = jar.getManifest();
      var more =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (more != null) {
        for (var each : more.strip().split("\\s+")) {
          path(entry.toUri().resolve(each)).ifPresent(referred -> add(referred, found));
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // No jar, or an odd manifest: the nodes' JVMs will make of it what this one did.
    }
  }

  /** A module path has modules, and folders of modules. */
  private static Stream<Path> modules(Path entry) {
    if (!Files.isDirectory(entry) || Files.exists(entry.resolve("module-info.class"))) {
      return Stream.of(entry);
    }
    try (var inside = Files.list(entry)) {
      return inside
          .filter(
              each ->
                  each.toString().endsWith(".jar")
                      || Files.exists(each.resolve("module-info.class")))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      return Stream.of(); // this JVM could not read it either
    }
  }

  /**
   * Returns the system properties for nodes: all of ours, and where the program's own classes are.
   *
   * @param caller a class of the program
   */
  public static Map<String, String> properties(Class<?> caller) {
    var properties = new TreeMap<String, String>();
    for (var name : System.getProperties().stringPropertyNames()) {
      if (OURS.stream().anyMatch(name::startsWith)) {
        properties.put(name, System.getProperty(name));
      }
    }
    properties.put(APPLICATION, application(caller));
    return properties;
  }

  /** Returns where the program's own classes are, as in a class path. */
  public static String application(Class<?> caller) {
    return Stream.of(listed(APPLICATION), place(caller).stream(), mainPlace().stream())
        .flatMap(each -> each)
        .distinct()
        .map(Path::toString)
        .collect(joining(File.pathSeparator));
  }

  /** The main class, or its jar, is the first word of what the JVM was started with. */
  private static Optional<Path> mainPlace() {
    var main = System.getProperty("sun.java.command", "").strip().split(" ", 2)[0];
    if (main.endsWith(".jar")) {
      return Optional.of(Path.of(main).toAbsolutePath());
    }
    try {
      return place(
          Class.forName(
              main.substring(main.indexOf('/') + 1), // after the module's name
              false,
              ClassLoader.getSystemClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty(); // a JVM that was started in another way
    }
  }

  private static Optional<Path> place(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    try {
      return source == null || source.getLocation() == null
          ? Optional.empty()
          : path(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      return Optional.empty(); // a class loader's own notation
    }
  }

  private static Optional<Path> path(URI place) {
    try {
      return "file".equals(place.getScheme()) ? Optional.of(Path.of(place)) : Optional.empty();
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      return Optional.empty(); // no file of this machine
    }
  }

  private static Stream<Path> listed(String property) {
    return Stream.of(System.getProperty(property, "").split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .map(each -> Path.of(each).toAbsolutePath().normalize());
  }
}
