package org.troupe.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.dashboard.ReportFile;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RunSnapshot;

/** Writes reports of the runs of a program that has failed, or has lost nodes. */
final class FailedRunReport {

  private static final int MOST_KEPT = 20;

  private static final String AFTER_SUCCESS = "the program has succeeded, although %s lost; ";
  private static final String AFTER_EXIT = "%s lost while the program ran; ";

  private FailedRunReport() {}

  /**
   * Asks grids to keep what a report needs, unless the user has decided. Until the result is
   * closed, a program that exits by itself leaves reports, too, if it has lost nodes.
   */
  static Preparation prepare(PrintWriter err) {
    if (System.getProperty(EndedRuns.PROPERTY) == null) {
      System.setProperty(EndedRuns.PROPERTY, EndedRuns.FAILURE);
    }
    var atExit = new Thread(() -> atExit(err), "troupe-report");
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

  /** Writes the reports of a program that has failed, and prints where they are. */
  static void ofFailure(Throwable failure, PrintWriter err) {
    write(AFTER_EXIT, failure, err);
  }

  /** Writes the reports of a program that has lost nodes, and has ended with its own exit code. */
  static void atExit(PrintWriter err) {
    write(AFTER_EXIT, null, err);
  }

  /** Writes the reports of a program that has succeeded, but has lost nodes. */
  static void ofSuccess(PrintWriter err) {
    write(AFTER_SUCCESS, null, err);
  }

  /**
   * Writes the reports, and prints where they are.
   *
   * @param lostNodes the sentence on a run that has lost nodes
   * @param failure of the program; {@code null} if it has none
   */
  private static void write(String lostNodes, @Nullable Throwable failure, PrintWriter err) {
    for (var each : EndedRuns.ofProgram().take()) {
      var lost = each.lostNodes();
      if (failure != null) {
        write(each, "the program failed: " + failure, "", err);
      } else if (!lost.isEmpty()) {
        write(each, "lost nodes: " + String.join(", ", lost), lostNodes.formatted(were(lost)), err);
      }
    }
  }

  private static String were(Set<String> lost) {
    return (lost.size() == 1 ? "node '%s' was" : "nodes '%s' were")
        .formatted(String.join("', '", lost));
  }

  private static void write(RunSnapshot run, String reason, String why, PrintWriter err) {
    var file = EndedRuns.report(run.run());
    try {
      ReportFile.write(file, run.lines(reason));
      err.println(
          "%sa report of the run is in %s; 'troupe dashboard %s' shows it"
              .formatted(why, file, run.run()));
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
