package org.troupe.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.dashboard.ReportFile;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RunSnapshot;

/** Writes reports of the runs of a program that has failed, or has lost nodes. */
final class FailedRunReport {

  private static final int MOST_KEPT = 20;

  private FailedRunReport() {}

  /**
   * Asks grids to keep what a report needs, unless the user has decided. Until the result is
   * closed, a program that exits by itself leaves reports, too, if it has lost nodes.
   */
  static Preparation prepare(PrintWriter err) {
    if (System.getProperty(EndedRuns.PROPERTY) == null) {
      System.setProperty(EndedRuns.PROPERTY, EndedRuns.FAILURE);
    }
    var atExit = new Thread(() -> write(null, err), "troupe-report");
    Runtime.getRuntime().addShutdownHook(atExit);
    return () -> {
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException e) {
        // The program exits: the thread runs.
      }
    };
  }

  /** What {@link #prepare} has done. */
  interface Preparation extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Writes the reports, and prints where they are.
   *
   * @param failure of the program; {@code null} if it has none
   */
  static void write(@Nullable Throwable failure, PrintWriter err) {
    for (var each : EndedRuns.ofProgram().take()) {
      var reason = reason(each, failure);
      if (!reason.isEmpty()) {
        write(each, reason, err);
      }
    }
  }

  private static String reason(RunSnapshot run, @Nullable Throwable failure) {
    if (failure != null) {
      return "the program failed: " + failure;
    }
    var lost = run.lostNodes();
    return lost.isEmpty() ? "" : "lost nodes: " + String.join(", ", lost);
  }

  private static void write(RunSnapshot run, String reason, PrintWriter err) {
    var file = EndedRuns.report(run.run());
    try {
      ReportFile.write(file, run.lines(reason));
      err.println(
          "a report of the run is in %s; 'troupe dashboard %s' shows it"
              .formatted(file, run.run()));
      deleteOld(file.toAbsolutePath().getParent());
    } catch (IOException | RuntimeException e) { // it must not hide the failure of the program
      err.println("a report of the run cannot be written to " + file + ": " + e);
    }
  }

  private static void deleteOld(@Nullable Path folder) throws IOException {
    if (folder == null) {
      return;
    }
    List<Path> files;
    try (var all = Files.list(folder)) {
      files =
          all.filter(each -> each.toString().endsWith(".html"))
              .sorted(Comparator.comparing((Path each) -> each.toFile().lastModified()).reversed())
              .toList();
    }
    for (var old : files.subList(Math.min(MOST_KEPT, files.size()), files.size())) {
      Files.deleteIfExists(old);
    }
  }
}
