package org.troupe.program;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.partitioningBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;

/**
 * The JDK's AOT cache for the nodes of these tests, which start with it in about half the processor
 * time. Only {@code -Dquick.cache=FILE} makes it, for runs of many tests: it pays off after ten
 * nodes, and serves as long as no archive of the class path changes.
 */
final class NodeCache {

  private static final String PROPERTY = "quick.cache";
  private static final String CLASS_PATH = "java.class.path";

  private NodeCache() {}

  /** Returns the options of a JVM that uses the cache; none if none is asked for, or made. */
  static List<String> options() {
    var file = System.getProperty(PROPERTY);
    if (file == null) {
      return List.of();
    }
    var cache = Path.of(file).toAbsolutePath();
    try {
      prepare(cache);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (Files.notExists(cache)) { // a JVM of a test, which may be to fail, is not to make it
      return List.of();
    }
    return List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-D" + PROPERTY + "=" + cache);
  }

  /**
   * Makes the cache if no current one is there, and orders the class path for it: the JDK caches
   * classes of archives only, and only if no folder precedes them. The classes of this module are
   * those of its archive, which the build has made from them.
   */
  private static void prepare(Path cache) throws IOException {
    var entries =
        Stream.of(System.getProperty(CLASS_PATH).split(File.pathSeparator))
            .map(Path::of)
            .map(NodeCache::packed)
            .collect(partitioningBy(Files::isDirectory));
    var archives = entries.get(false);
    try (var channel =
            FileChannel.open(
                Path.of(cache + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = channel.lock()) { // other JVMs of the tests begin at the same time
      var made = cache.toFile().lastModified(); // 0 if it is not there
      if (archives.stream().anyMatch(archive -> archive.toFile().lastModified() > made)) {
        setClassPath(archives.stream());
        make(cache);
      }
    }
    setClassPath(Stream.concat(archives.stream(), entries.get(true).stream()));
  }

  /** Returns the archive of this module for the folder that it was made from, else the entry. */
  private static Path packed(Path entry) {
    if (!entry.endsWith("target/classes")) {
      return entry;
    }
    try (var files = Files.list(entry.getParent())) {
      return files
          .filter(file -> file.getFileName().toString().matches("troupe-.*\\.jar"))
          .min(comparingInt(archive -> archive.toString().length())) // not that of its sources
          .orElse(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void setClassPath(Stream<Path> entries) {
    System.setProperty(
        CLASS_PATH, entries.map(Path::toString).collect(joining(File.pathSeparator)));
  }

  /** Lets a node record the classes of its start, of a call and of its end. */
  private static void make(Path cache) throws IOException {
    var recorded = Path.of(cache + ".recorded");
    var options =
        List.of(
            "-XX:AOTCacheOutput=" + recorded,
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining", // as 'rehearse' in launcher.sh
            "-Xlog:aot=off");
    try (var grid = Grid.local(1, GridOptions.standard().withJvmOptions(options))) {
      ActiveObjects.on(grid.nodes().first()).create(Random.class).nextInt();
    }
    if (Files.exists(recorded)) { // else the machine was so slow that the node was killed
      Files.move(recorded, cache, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
