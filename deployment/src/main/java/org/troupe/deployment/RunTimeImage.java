package org.troupe.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A Java for machines that have none: this JVM's own, packed by {@code jlink} and {@code tar}. */
final class RunTimeImage {

  private static final Path CACHE =
      Path.of(System.getProperty("user.home")).resolve(StagedFile.CACHE);

  private RunTimeImage() {}

  /** Returns this machine's kind as {@code uname -s -m} would print it. */
  static String system() {
    var architecture = System.getProperty("os.arch");
    return switch (System.getProperty("os.name").toLowerCase(Locale.ROOT)) {
      case "linux" -> "Linux " + (architecture.equals("amd64") ? "x86_64" : architecture);
      case "mac os x" -> "Darwin " + (architecture.equals("aarch64") ? "arm64" : architecture);
      default -> System.getProperty("os.name") + " " + architecture;
    };
  }

  /** Returns an archive with one folder {@code java}; made once for each version. */
  static synchronized Path archive() throws IOException {
    var archive =
        CACHE.resolve(
            "java-%s-%s.tar.gz"
                .formatted(Runtime.version(), system().replace(' ', '-'))
                .replace('+', '_'));
    if (Files.exists(archive)) {
      return archive;
    }
    Files.createDirectories(CACHE);
    var work = Files.createTempDirectory(CACHE, "java-");
    try {
      run(
          Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
          "--add-modules",
          "ALL-MODULE-PATH",
          "--strip-debug",
          "--no-header-files",
          "--no-man-pages",
          "--output",
          work.resolve("java").toString());
      var part = work.resolve("java.tar.gz");
      run("tar", "-czf", part.toString(), "-C", work.toString(), "java");
      Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      delete(work);
    }
    return archive;
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
