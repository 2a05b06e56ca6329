package org.troupe.deployment.staging;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.troupe.deployment.files.AtomicFile;

/**
 * A Java runtime for machines that have none: an image of this JVM's, made by {@code jlink} and
 * {@code tar}; or a copy of this JVM's, if that is such an image itself.
 */
final class RuntimeImage {

  /** Names modules besides {@code java.*} that programs and services use; no tools. */
  private static final String MORE = "image-modules.txt";

  private RuntimeImage() {}

  /** Returns this machine's system as {@code uname -s -m} prints it. */
  static String system() {
    var architecture = System.getProperty("os.arch");
    return switch (System.getProperty("os.name").toLowerCase(Locale.ROOT)) {
      case "linux" -> "Linux " + (architecture.equals("amd64") ? "x86_64" : architecture);
      case "mac os x" -> "Darwin " + (architecture.equals("aarch64") ? "arm64" : architecture);
      default -> System.getProperty("os.name") + " " + architecture;
    };
  }

  /**
   * Returns an archive with one folder {@code java}, made once for each version and set of modules.
   *
   * @param cache the folder for the archive
   */
  static synchronized Path archive(Path cache) throws IOException {
    var archive =
        cache.resolve(
            "java-%s-%s-%08x.tar.gz"
                .formatted(Runtime.version(), system().replace(' ', '-'), modules().hashCode())
                .replace('+', '_'));
    if (Files.exists(archive)) {
      return archive;
    }
    Files.createDirectories(cache);
    var work = Files.createTempDirectory(cache, "java-");
    try {
      var own = Path.of(System.getProperty("java.home"));
      var jlink = own.resolve("bin/jlink");
      var image = work.resolve("java");
      if (Files.exists(jlink)) {
        run(
            jlink.toString(),
            "-J-XX:TieredStopAtLevel=1", // faster for a short run
            "-J-XX:+UseSerialGC",
            "--add-modules",
            modules(),
            "--strip-debug",
            "--no-header-files",
            "--no-man-pages",
            "--output",
            image.toString());
      } else {
        Files.createSymbolicLink(image, own); // an image itself, as archives of Troupe have it
      }
      var part = work.resolve("java.tar.gz");
      run("tar", "-chzf", part.toString(), "-C", work.toString(), "java");
      AtomicFile.write(archive, file -> copy(part, file));
    } finally {
      delete(work);
    }
    return archive;
  }

  private static void copy(Path part, FileChannel archive) throws IOException {
    try (var in = FileChannel.open(part)) {
      for (var at = 0L; at < in.size(); ) {
        at += in.transferTo(at, in.size() - at, archive);
      }
    }
  }

  private static String modules() {
    var more = more();
    return ModuleFinder.ofSystem().findAll().stream()
        .map(module -> module.descriptor().name())
        .filter(name -> name.startsWith("java.") || more.contains(name))
        .sorted()
        .collect(joining(","));
  }

  private static Set<String> more() {
    try (var in =
        Objects.requireNonNull(RuntimeImage.class.getResourceAsStream(MORE), "in this jar")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(String... command) throws IOException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var said = new String(process.getInputStream().readAllBytes());
    try {
      if (process.waitFor() != 0) {
        throw new IOException("'" + List.of(command) + "' failed: " + said.strip());
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a run-time image was made", e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
