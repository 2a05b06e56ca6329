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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.troupe.testing.FolderProgram;
import org.troupe.testing.QuickJvm;

/**
 * The JDK's AOT cache for the programs and nodes of these tests, which start with it in about half
 * the processor time. Only {@code -Dquick.cache=FILE} makes it, for runs of many tests: it pays off
 * after fifteen JVMs, and serves as long as no archive of the class path changes. If it cannot be
 * made, the file is empty, and the tests run without it.
 */
final class NodeCache {

  private static final String PROPERTY = "quick.cache";
  private static final String CLASS_PATH = "java.class.path";
  private static final long PATIENCE_SECONDS = 60; // less than the tests have that wait for it

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
      if (Files.size(cache) == 0) {
        return List.of();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
        make(cache, archives, entries.get(true).getFirst());
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
    System.setProperty(CLASS_PATH, joined(entries));
  }

  private static String joined(Stream<Path> entries) {
    return entries.map(Path::toString).collect(joining(File.pathSeparator));
  }

  /**
   * Lets a program with a grid record the classes of its start, of calls and of its end, most of
   * which are those of a node, too. A node cannot record them: its program kills it if it takes
   * seconds to end, and the JVM writes the cache at its end.
   */
  private static void make(Path cache, List<Path> archives, Path tests) throws IOException {
    var recorded = Path.of(cache + ".recorded");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QuickJvm.OPTIONS);
    command.addAll(Quick.MODULES);
    command.addAll(
        List.of(
            "-XX:AOTCacheOutput=" + recorded,
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining", // as 'rehearse' in launcher.sh
            "-Xlog:aot=off"));
    command.addAll(List.of("-cp", joined(archives.stream()), FolderProgram.class.getName()));
    command.addAll(List.of(tests.toString(), Driver.class.getName(), "close"));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Path.of(cache + ".log").toFile())
            .start();
    var isMade = false;
    var isInterrupted = false;
    try {
      isMade = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      isInterrupted = true;
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    if (isMade && Files.exists(recorded)) {
      Files.move(recorded, cache, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.write(cache, new byte[0]); // so that no other JVM tries it
    }
    if (isInterrupted) { // only now, as an interrupt would close the file
      Thread.currentThread().interrupt();
    }
  }
}
