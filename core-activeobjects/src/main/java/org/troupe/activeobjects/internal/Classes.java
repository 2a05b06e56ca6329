package org.troupe.activeobjects.internal;

import java.io.File;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.troupe.serialization.Format;
import org.troupe.serialization.TypeFilter;

/**
 * Which classes may be named by what arrives, and where they are found.
 *
 * <p>Allowed are the platform's types for values, and the program's own: every folder on the class
 * path, the archives named in {@code troupe.application}, those of the classes that this JVM itself
 * makes active objects of, and the names in {@code troupe.serialization.allow}.
 */
final class Classes {

  private final Set<URL> trusted = ConcurrentHashMap.newKeySet();
  private final TypeFilter filter;

  Classes() {
    var always =
        TypeFilter.any(
            TypeFilter.platform(),
            TypeFilter.codeSources(ownPlaces()),
            TypeFilter.patterns(
                Stream.concat(
                        Stream.of("org.troupe.activeobjects.**"),
                        listed("troupe.serialization.allow", ","))
                    .toArray(String[]::new)));
    filter =
        new TypeFilter() {
          @Override
          public boolean allows(Class<?> type) {
            var place = place(type);
            return place != null && trusted.contains(place) || always.allows(type);
          }

          @Override
          public String describe() {
            return "the program's own classes and the platform's types for values; a library's class"
                + " is allowed by -Dtroupe.serialization.allow=name.of.package.**";
          }
        };
  }

  /** The format chosen by {@code troupe.serialization}: {@code generated} or {@code java}. */
  static Format format() {
    var name = System.getProperty("troupe.serialization", "generated");
    return switch (name) {
      case "generated" -> Format.GENERATED;
      case "java" -> Format.JAVA_IO;
      default ->
          throw new IllegalArgumentException(
              "troupe.serialization is '" + name + "'; it can be 'generated' or 'java'");
    };
  }

  TypeFilter filter() {
    return filter;
  }

  /** Notes that the program makes active objects of a class: its neighbours are the program's. */
  void trust(Class<?> type) {
    var place = place(type);
    if (place != null) {
      trusted.add(place);
    }
  }

  /**
   * Finds a class by the name that arrived.
   *
   * @throws IllegalArgumentException if it is not allowed or not there
   */
  Class<?> find(String name) {
    Class<?> type;
    try {
      type = Class.forName(name, false, loader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException(
          "this node has no class "
              + name
              + "; put it on the class path of the descriptor's jvm element",
          e);
    }
    if (!type.isInterface() && !filter.allows(type)) {
      throw new IllegalArgumentException(
          "class " + name + " is not allowed here; allowed are " + filter.describe());
    }
    return type;
  }

  private static ClassLoader loader() {
    var context = Thread.currentThread().getContextClassLoader();
    return context == null ? ClassLoader.getSystemClassLoader() : context;
  }

  private static URL place(Class<?> type) {
    var source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }

  private static Set<Path> ownPlaces() {
    var places = ConcurrentHashMap.<Path>newKeySet();
    Stream.of("java.class.path", "jdk.module.path")
        .flatMap(property -> listed(property, File.pathSeparator))
        .map(Path::of)
        .filter(Files::isDirectory)
        .forEach(places::add);
    listed("troupe.application", File.pathSeparator).map(Path::of).forEach(places::add);
    return places;
  }

  private static Stream<String> listed(String property, String separator) {
    return Stream.of(System.getProperty(property, "").split(separator))
        .map(String::strip)
        .filter(each -> !each.isEmpty());
  }
}
