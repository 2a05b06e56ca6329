package org.troupe.testing;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets the nodes that tests start in JVMs of their own use the AOT cache of {@code ./troupe}, with
 * which the start of a node takes about half the processor time. {@code
 * -Dquick.distribution=FOLDER} names the folder of what {@code ./troupe} runs; without it, or
 * without a cache there, nodes start as usual.
 *
 * <p>The JVM accepts the cache if its class path begins with the archives that the cache was made
 * from, in their order. So those archives precede the class path of the test's JVM, which its nodes
 * inherit. The build has made them from the classes under test. Tests whose nodes need other
 * classes of the same names, such as woven ones, cannot have the property.
 */
public final class QuickNodesExtension implements BeforeAllCallback {

  private static final String CLASS_PATH = "java.class.path";
  private static final String PROGRAM = "troupe.application";
  private static final String CACHE = "troupe.aotCache"; // of which nodes are told

  static {
    var distribution = System.getProperty("quick.distribution");
    if (distribution != null) {
      prepare(Path.of(distribution));
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    // The class is prepared before any class of tests.
  }

  /**
   * Returns the options by which a program that a test starts with the class path of its own JVM
   * uses the cache, and its nodes, too; none if there is no cache. It must have the options for
   * modules that {@code ./troupe} gives a program.
   */
  public static List<String> programOptions() {
    var cache = System.getProperty(CACHE);
    return cache == null
        ? List.of()
        : List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-D" + CACHE + "=" + cache);
  }

  private static void prepare(Path distribution) {
    try {
      var cache = cache(distribution);
      if (cache.isPresent()) {
        var archives = archives(distribution);
        System.setProperty(CLASS_PATH, joined(archives, System.getProperty(CLASS_PATH)));
        System.setProperty(PROGRAM, joined(ownArchives(archives, Path.of("target"))));
        System.setProperty(CACHE, cache.get().toString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the AOT cache of a distribution; empty if there is none, or only a failed attempt. */
  static Optional<Path> cache(Path distribution) throws IOException {
    try (var found = Files.newDirectoryStream(distribution, "start-*.aot")) {
      for (var file : found) {
        if (Files.size(file) > 0) {
          return Optional.of(file);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the archives of a distribution in the order in which the JVM takes {@code lib/*}. */
  static List<Path> archives(Path distribution) throws IOException {
    try (var found = Files.newDirectoryStream(distribution.resolve("lib"), "*.jar")) {
      List<Path> archives = new ArrayList<>();
      found.forEach(archives::add);
      return archives;
    }
  }

  /**
   * Returns the archives that have the classes of the module under test. Nodes would take these for
   * those of a library; in the folder of classes that they have been packed from, they are the
   * program's own.
   */
  static List<Path> ownArchives(List<Path> archives, Path built) {
    return archives.stream()
        .filter(archive -> Files.exists(built.resolve(archive.getFileName())))
        .toList();
  }

  private static String joined(List<Path> paths, String... rest) {
    return Stream.concat(paths.stream().map(Path::toString), Stream.of(rest))
        .collect(joining(File.pathSeparator));
  }
}
