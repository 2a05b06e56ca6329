package org.troupe.deployment.staging;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ProgramClassPath;

/** The program that deploys, as its nodes need it. */
public final class ProgramFiles {

  /** The property that says where the program's own classes are. */
  public static final String APPLICATION = "troupe.application";

  private static final List<String> OURS = List.of("troupe.", "ibis.");

  private ProgramFiles() {}

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
    return Stream.of(
            ProgramClassPath.listed(APPLICATION),
            ProgramClassPath.location(caller).stream(),
            mainLocation().stream())
        .flatMap(each -> each)
        .distinct()
        .map(Path::toString)
        .collect(joining(File.pathSeparator));
  }

  /** The main class, or its jar, is the first word of what the JVM was started with. */
  private static Optional<Path> mainLocation() {
    var main = System.getProperty("sun.java.command", "").strip().split(" ", 2)[0];
    if (main.endsWith(".jar")) {
      return Optional.of(Path.of(main).toAbsolutePath());
    }
    try {
      return ProgramClassPath.location(
          Class.forName(
              main.substring(main.indexOf('/') + 1), // after the module's name
              false,
              ClassLoader.getSystemClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty(); // a JVM that was started in another way
    }
  }
}
