package org.troupe.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The temporary files and the programs of a benchmark, which end with it, also if it is terminated.
 */
public final class TerminationCleanup {

  /*
   * Programs end before files are deleted, because a program that ends may still write its report.
   * The JVM runs the hook beside the benchmark, which therefore must not start or create anything
   * any more.
   */
  private static final String PREFIX = "troupe-bench";

  private static final Set<Path> files = new LinkedHashSet<>(); // and folders
  private static final Set<Process> programs = new LinkedHashSet<>();
  private static boolean isTerminating;

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(TerminationCleanup::terminate, "cleanup of a benchmark"));
  }

  private TerminationCleanup() {}

  /** Creates a temporary file. */
  public static Path file(String suffix) throws IOException {
    synchronized (files) {
      checkRunning();
      var file = Files.createTempFile(PREFIX, suffix);
      files.add(file);
      return file;
    }
  }

  /** Creates a temporary folder. */
  public static Path folder() throws IOException {
    synchronized (files) {
      checkRunning();
      var folder = Files.createTempDirectory(PREFIX);
      files.add(folder);
      return folder;
    }
  }

  /** Deletes a file or a folder of this class, with its content. */
  public static void delete(Path file) throws IOException {
    synchronized (files) {
      files.remove(file);
    }
    deleteAll(file);
  }

  /** Starts a program; {@link #hasEnded} takes it off the list. */
  public static Process start(ProcessBuilder program) throws IOException {
    synchronized (files) {
      checkRunning();
      var process = program.start();
      programs.add(process);
      return process;
    }
  }

  /** Declares that a program has ended. */
  public static void hasEnded(Process program) {
    synchronized (files) {
      programs.remove(program);
    }
  }

  private static void checkRunning() throws IOException {
    if (isTerminating) {
      throw new IOException("the benchmark is being terminated");
    }
  }

  private static void terminate() {
    List<Process> running;
    List<Path> remaining;
    synchronized (files) {
      isTerminating = true;
      running = List.copyOf(programs);
      remaining = List.copyOf(files);
    }
    running.forEach(Process::destroy);
    running.forEach(JvmCommand::awaitEnd);
    for (var file : remaining) {
      try {
        deleteAll(file);
      } catch (IOException e) {
        System.err.println("temporary file not deleted: " + e.getMessage());
      }
    }
  }

  private static void deleteAll(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (var below = Files.walk(file)) {
      for (var each : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
