package org.troupe.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.troupe.deployment.runs.EndedRuns;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.pages.PageException;

/**
 * The runs that the page shows: those of this user on this machine, and recordings. Thread-safe.
 */
final class RunCatalog {

  /*
   * Design: programs that do not answer
   *
   * The socket of a program that is stopped, as by Ctrl-Z or a debugger, accepts connections and never answers. So all programs are asked
   * at the same time, each by a thread of its own, and for a limited time; the answer of the wanted one ends the search. A run
   * that is not found is missing only if all programs have answered.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(2);
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
    shown(find(_ -> false)).forEach(each -> all.add(each.entry()));
    for (var each : kept()) {
      if (all.stream().noneMatch(other -> other.id().equals(each.id()))) {
        all.add(each);
      }
    }
    return all;
  }

  /**
   * Returns the running programs, and the recordings of other runs: a page asks by the id, and a
   * running program can answer more than its report.
   */
  private List<ShownRun> shown(Found found) {
    List<ShownRun> all = new ArrayList<>(found.runs());
    var running = found.runs().stream().map(each -> each.entry().id()).toList();
    recordings.stream().filter(each -> !running.contains(each.entry().id())).forEach(all::add);
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

  /** The programs that have answered, in the order of their ids, and how many have not. */
  private record Found(List<LiveRun> runs, int silent) {}

  /** An answer of a program; without a run if it has ended or is of another version. */
  private record Answer(String id, Optional<LiveRun> run) {}

  /** Asks all programs which run they are, until all have answered or one is the wanted one. */
  private Found find(Predicate<? super LiveRun> isWanted) {
    var grids = RunningGrid.all();
    var answers = new LinkedBlockingQueue<Answer>();
    var threads =
        grids.stream()
            .map(grid -> Thread.startVirtualThread(() -> answers.add(answer(grid))))
            .toList();
    List<Answer> all = new ArrayList<>();
    try {
      var deadline = System.nanoTime() + PATIENCE.toNanos();
      while (all.size() < grids.size()
          && !all.stream().anyMatch(it -> it.run().filter(isWanted).isPresent())) {
        var next = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (next == null) {
          break;
        }
        all.add(next);
      }
    } catch (InterruptedException e) { // the browser has gone, or the server is being closed
      Thread.currentThread().interrupt();
    }
    threads.forEach(Thread::interrupt);
    all.sort(Comparator.comparing(Answer::id));
    return new Found(
        all.stream().flatMap(each -> each.run().stream()).toList(), grids.size() - all.size());
  }

  private Answer answer(RunningGrid grid) {
    try {
      return new Answer(grid.id(), Optional.of(new LiveRun(grid, grid.identity(), cost)));
    } catch (IOException | RuntimeException e) { // it has ended, or is of another version
      LOG.log(Level.DEBUG, "a deployment does not answer", e);
      return new Answer(grid.id(), Optional.empty());
    }
  }

  /**
   * Returns a run.
   *
   * @param id its id; empty for the only one
   * @throws PageException if there is none, or a program that may be it does not answer
   */
  ShownRun run(String id) {
    var found = find(each -> each.entry().id().equals(id));
    var all = shown(found);
    if (id.isEmpty() && all.size() == 1) {
      return all.getFirst();
    }
    return all.stream()
        .filter(each -> each.entry().id().equals(id))
        .findFirst()
        .or(() -> recording(id))
        .orElseThrow(() -> missing(id, all.size(), found.silent()));
  }

  private static PageException missing(String id, int known, int silent) {
    if (silent > 0) {
      return new PageException(
          PageException.UNREACHABLE,
          "no program that answers has %s, and %d %s not answer for %d s"
              .formatted(
                  id.isEmpty() ? "a run that could be meant" : "run '" + id + "'",
                  silent,
                  silent == 1 ? "program does" : "programs do",
                  PATIENCE.toSeconds()),
          "the program may be stopped (Ctrl-Z, a debugger), or be short of memory; the page asks again");
    }
    return new PageException(
        PageException.MISSING,
        id.isEmpty()
            ? "no run is named, and %d are there".formatted(known)
            : "there is no run '%s' now; it may have ended".formatted(id),
        "choose one of those in api/runs");
  }
}
