package org.troupe.deployment.staging;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.troupe.activeobjects.hosting.ProgramClassPath;

/** The parts of the deploying program that its nodes need. */
public final class ProgramFiles {

  /** The property that lists the locations of the program's own classes. */
  public static final String APPLICATION = "troupe.application";

  /** The beginnings of properties for nodes; those of OpenTelemetry configure it there, too. */
  private static final List<String> OURS = List.of("troupe.", "ibis.", "otel.");

  private static final Set<String> OF_LAUNCHER = Set.of("troupe.dashboard", "troupe.report");

  private ProgramFiles() {}

  /**
   * Returns the system properties for nodes: those of Troupe, Ibis and OpenTelemetry, and the
   * locations of the program's own classes.
   *
   * @param caller a class of the program
   */
  public static Map<String, String> properties(Class<?> caller) {
    var properties = new TreeMap<String, String>();
    for (var name : System.getProperties().stringPropertyNames()) {
      if (OURS.stream().anyMatch(name::startsWith) && !OF_LAUNCHER.contains(name)) {
        properties.put(name, System.getProperty(name));
      }
    }
    properties.put(APPLICATION, application(caller));
    return properties;
  }

  /** Returns the locations of the program's own classes, as a class path. */
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

  /**
   * Returns the location of the main class, which is the first word of the JVM's command, or of its
   * jar.
   */
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
