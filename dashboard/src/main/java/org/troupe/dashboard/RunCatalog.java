package org.troupe.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.pages.PageException;

/**
 * The runs that the page shows: those of this user on this machine, and recordings. Thread-safe.
 */
final class RunCatalog {

  private static final int MOST = 50; // reports of failed runs
  private static final String HTML = ".html";

  private static final System.Logger LOG = System.getLogger("org.troupe.dashboard");

  private final List<RunRecording> recordings;
  private final WatchCost cost;
  private final Map<Path, RunEntry> kept = new ConcurrentHashMap<>(); // reports of failed runs

  /**
   * Creates the catalog.
   *
   * @param files reports to show, too
   * @throws IllegalArgumentException if one of them is none
   */
  RunCatalog(List<Path> files, WatchCost cost) throws IOException {
    this.cost = cost;
    List<RunRecording> read = new ArrayList<>();
    for (var file : files) {
      read.add(RunRecording.read(file));
    }
    recordings = List.copyOf(read);
  }

  /** Returns all runs, the recordings last. */
  List<RunEntry> entries() {
    List<RunEntry> all = new ArrayList<>();
    live().forEach(each -> all.add(each.entry()));
    recordings.forEach(each -> all.add(each.entry()));
    for (var each : kept()) {
      if (all.stream().noneMatch(other -> other.id().equals(each.id()))) {
        all.add(each);
      }
    }
    return all;
  }

  /** Returns the reports of failed runs that {@code troupe run} has written. */
  private List<RunEntry> kept() {
    var folder = EndedRuns.report("").getParent();
    List<Path> files = List.of();
    if (folder != null && Files.isDirectory(folder)) {
      try (var all = Files.list(folder)) {
        files = all.filter(each -> each.toString().endsWith(HTML)).sorted().limit(MOST).toList();
      } catch (IOException | UncheckedIOException e) {
        LOG.log(Level.DEBUG, "the reports of failed runs cannot be listed", e);
      }
    }
    kept.keySet().retainAll(files);
    return files.stream().flatMap(each -> kept(each).stream()).toList();
  }

  private Optional<RunEntry> kept(Path file) {
    var known = kept.get(file);
    if (known == null) {
      try {
        known = RunRecording.read(file).entry();
        kept.put(file, known);
      } catch (IOException | IllegalArgumentException e) {
        LOG.log(Level.DEBUG, "a report cannot be read", e);
      }
    }
    return Optional.ofNullable(known);
  }

  private Optional<RunRecording> recording(String id) {
    for (var each : kept()) {
      if (each.id().equals(id)) {
        try {
          return Optional.of(RunRecording.read(Path.of(each.file())));
        } catch (IOException | IllegalArgumentException e) {
          LOG.log(Level.DEBUG, "a report cannot be read", e);
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the first recording. */
  Optional<RunRecording> recorded() {
    return recordings.stream().findFirst();
  }

  private List<LiveRun> live() {
    return RunningGrid.all().stream().flatMap(each -> live(each).stream()).toList();
  }

  private Optional<LiveRun> live(RunningGrid grid) {
    try {
      return Optional.of(new LiveRun(grid, grid.identity(), cost));
    } catch (IOException | IllegalArgumentException e) { // it has ended, or is of another version
      LOG.log(Level.DEBUG, "a deployment does not answer", e);
      return Optional.empty();
    }
  }

  /**
   * Returns a run.
   *
   * @param id its id; empty for the only one
   * @throws PageException if there is none; the message lists the existing ones
   */
  ShownRun run(String id) {
    List<ShownRun> all = new ArrayList<>(recordings);
    all.addAll(live());
    if (id.isEmpty() && all.size() == 1) {
      return all.getFirst();
    }
    return all.stream()
        .filter(each -> each.entry().id().equals(id))
        .findFirst()
        .or(() -> recording(id))
        .orElseThrow(
            () ->
                new PageException(
                    PageException.MISSING,
                    id.isEmpty()
                        ? "no run is named, and %d are there".formatted(all.size())
                        : "there is no run '%s' now; it may have ended".formatted(id),
                    "choose one of those in api/runs"));
  }
}
