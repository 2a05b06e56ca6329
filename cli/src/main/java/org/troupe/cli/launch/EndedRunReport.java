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

/**
 * Writes reports of the runs of a program that has failed, or has lost nodes, or whose user wants
 * one.
 */
final class EndedRunReport implements AutoCloseable {

  private static final int MOST_KEPT = 20;

  private static final String AFTER_SUCCESS = "the program has succeeded, although %s lost; ";
  private static final String AFTER_EXIT = "%s lost while the program ran; ";

  private final boolean isWanted;
  private final PrintWriter err;
  private final Thread exit = new Thread(this::onExit, "troupe-report");
  private volatile boolean isWritten; // or was tried

  private EndedRunReport(boolean isWanted, PrintWriter err) {
    this.isWanted = isWanted;
    this.err = err;
  }

  /**
   * Asks grids to keep what a report needs, unless the user has decided. Until the result is
   * closed, a program that exits by itself leaves reports, too.
   *
   * @param isWanted whether the user wants a report in any case
   */
  static EndedRunReport prepare(boolean isWanted, PrintWriter err) {
    if (isWanted || System.getProperty(EndedRuns.PROPERTY) == null) {
      System.setProperty(EndedRuns.PROPERTY, EndedRuns.FAILURE);
    }
    var made = new EndedRunReport(isWanted, err);
    Runtime.getRuntime().addShutdownHook(made.exit);
    return made;
  }

  /** Ends the watch for the program's exit, unless there is to be a report in any case. */
  @Override
  public void close() {
    if (isWanted) {
      return; // main may end before the program closes its grid
    }
    try {
      Runtime.getRuntime().removeShutdownHook(exit);
    } catch (IllegalStateException e) {
      // The program exits: the thread runs.
    }
  }

  /** Writes the reports of a program that has failed, and prints where they are. */
  void ofFailure(Throwable failure) {
    write(AFTER_EXIT, failure);
  }

  /** Writes the reports of a program that has ended with its own exit code. */
  void atExit() {
    write(AFTER_EXIT, null);
  }

  /** Writes the reports of grids that were closed behind the end of main, or none. */
  private void onExit() {
    atExit();
    if (isWanted && !isWritten) {
      err.println("there is no report: the program has closed no grid");
      err.flush();
    }
  }

  /** Writes the reports of a program that has succeeded. */
  void ofSuccess() {
    write(AFTER_SUCCESS, null);
  }

  /**
   * Writes the reports, and prints where they are.
   *
   * @param lostNodes the sentence on a run that has lost nodes
   * @param failure of the program; {@code null} if it has none
   */
  private void write(String lostNodes, @Nullable Throwable failure) {
    for (var each : EndedRuns.ofProgram().take()) {
      var lost = each.lostNodes();
      if (failure != null) {
        write(each, "the program failed: " + failure, "");
      } else if (!lost.isEmpty()) {
        write(each, "lost nodes: " + String.join(", ", lost), lostNodes.formatted(were(lost)));
      } else if (isWanted) {
        write(each, "the run has ended", "");
      }
    }
  }

  private static String were(Set<String> lost) {
    return (lost.size() == 1 ? "node '%s' was" : "nodes '%s' were")
        .formatted(String.join("', '", lost));
  }

  private void write(RunSnapshot run, String reason, String why) {
    isWritten = true;
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
