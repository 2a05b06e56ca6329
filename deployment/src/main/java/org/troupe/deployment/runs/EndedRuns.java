package org.troupe.deployment.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.troupe.deployment.journal.RunJournal;

/**
 * Snapshots of the grids that this program has closed, for a report in case it fails. Thread-safe.
 *
 * <p>A program closes its grid before its failure is known to whom it was started by, so the last
 * few snapshots wait here. None is taken unless the property is set, since it costs a question to
 * all nodes.
 */
public final class EndedRuns {

  /** The property that asks for snapshots: {@code failure}, or {@code never}, the default. */
  public static final String PROPERTY = "troupe.report";

  /** The value of the property with which snapshots are taken. */
  public static final String FAILURE = "failure";

  private static final String SUFFIX = ".html";
  private static final int MOST = 4; // grids of a program, the last ones
  private static final EndedRuns OF_PROGRAM = new EndedRuns();

  private final Deque<RunSnapshot> snapshots = new ArrayDeque<>(); // under this

  private EndedRuns() {}

  /** Returns those of this program. */
  public static EndedRuns ofProgram() {
    return OF_PROGRAM;
  }

  /** Returns the folder in which the last reports of runs of this user are kept. */
  public static Path reports() {
    return RunJournal.home().resolveSibling("reports");
  }

  /** Returns the file in which the report of a run of this user is kept, if it has failed. */
  public static Path report(String run) {
    return reports().resolve(run + SUFFIX);
  }

  /**
   * A report that is kept.
   *
   * @param run the id of the run
   * @param written when it was written
   */
  public record KeptReport(String run, Instant written) {}

  /** Returns the reports that are kept, the last one first. */
  public static List<KeptReport> reported() throws IOException {
    if (!Files.isDirectory(reports())) {
      return List.of();
    }
    try (var all = Files.list(reports())) {
      return all.filter(file -> file.toString().endsWith(SUFFIX))
          .map(EndedRuns::kept)
          .sorted(Comparator.comparing(KeptReport::written).reversed())
          .toList();
    }
  }

  private static KeptReport kept(Path file) {
    var name = file.getFileName().toString();
    return new KeptReport(
        name.substring(0, name.length() - SUFFIX.length()),
        Instant.ofEpochMilli(file.toFile().lastModified()));
  }

  /** Returns whether snapshots are wanted. */
  public static boolean areWanted() {
    return System.getProperty(PROPERTY, "").equals(FAILURE);
  }

  /** Adds a snapshot; forgets the oldest one if there are too many. */
  public synchronized void add(RunSnapshot snapshot) {
    snapshots.addLast(snapshot);
    if (snapshots.size() > MOST) {
      snapshots.removeFirst();
    }
  }

  /** Returns all snapshots, the oldest first, and forgets them. */
  public synchronized List<RunSnapshot> take() {
    List<RunSnapshot> all = new ArrayList<>(snapshots);
    snapshots.clear();
    return all;
  }
}
