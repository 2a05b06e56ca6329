package org.troupe.benchmarks.rows;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.DistributionCommand;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.PythonProgram;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.harness.ServerProcess;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.benchmarks.rows.ShownPage.Frames;
import org.troupe.browser.Browser;

/** The page of a run of many nodes in a browser, and the pages of Dask and Ray of an equal load. */
final class PageBenchmark implements Benchmark {

  /** Precedes the address of a peer's page. */
  private static final String ADDRESS = "ready ";

  private static final int NODES = 100;
  private static final int CALLS = 20; // in a round
  private static final double PAUSE_SECONDS = 0.1; // between two rounds
  private static final int PAINTS = 5;
  private static final int SECONDS = 20; // of frames
  private static final int SECONDS_OF_VIEW = 5;

  /** The views that change from round to round; the page begins with the first. */
  private static final List<String> VIEWS =
      List.of("now", "map", "nodes", "traffic", "objects", "calls", "waits", "groups");

  private static final String HAS_DATA =
      "document.getElementById('link').dataset.state === 'live' && document.querySelector('.view-now .card .main')?.textContent === '%d'"
          .formatted(NODES);

  private static final Map<String, PythonProgram> PEERS =
      new TreeMap<>(
          Map.of(
              "dask",
              new PythonProgram(
                  PageBenchmark.class,
                  "dask_page.py",
                  "distributed bokeh",
                  List.of("distributed", "bokeh")),
              "ray",
              new PythonProgram(
                  PageBenchmark.class,
                  "ray_page.py",
                  "\"ray[default]\"",
                  List.of("ray", "aiohttp_cors"))));

  private static final RowGoal PAINT = RowGoal.ours(AT_MOST, 1_000);
  private static final RowGoal FRAMES = RowGoal.ours(AT_LEAST, 30);

  /** The page keeps a past of half an hour, which grows by 240 KiB per minute until it is full. */
  private static final RowGoal GROWTH = RowGoal.ours(AT_MOST, 300);

  /** Milliseconds from the request for a page to its first paint, and until it has data. */
  private record Opening(double paintMillis, double dataMillis) {}

  /** A page that was opened several times, and drew frames. */
  private record Shown(List<Opening> openings, Frames frames) {

    private FigureSpread paints() {
      return FigureSpread.of(openings.stream().map(Opening::paintMillis).toList());
    }

    private FigureSpread data() {
      return FigureSpread.of(openings.stream().map(Opening::dataMillis).toList());
    }
  }

  /** Our page, the view that draws fewest frames, and the memory. */
  private record Ours(Shown shown, String slowestView, Frames slowest, ShownPage.Memory memory) {}

  @Override
  public String name() {
    return "page";
  }

  @Override
  public String about() {
    return "the page of 100 posing hosts in a browser, beside Dask's and Ray's; a part of observe";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var browser = Browser.installed();
    var troupe = DistributionCommand.path();
    if (browser.isEmpty() || troupe.isEmpty()) {
      var reason =
          browser.isEmpty()
              ? "there is no browser; Debian's is the package chromium"
              : "this JVM was not started by ./troupe";
      return List.of(
          BenchmarkRow.unmeasured("page-first-paint", "ms", PAINT, reason),
          BenchmarkRow.unmeasured("page-frames", "1/s", FRAMES, reason),
          BenchmarkRow.unmeasured("page-frames-slowest-view", "1/s", FRAMES, reason),
          BenchmarkRow.unmeasured("page-heap-growth", "KiB/min", GROWTH, reason));
    }
    var ours =
        SimulatedHosts.beside(
            folder -> ours(browser.get(), troupe.get(), folder, effort.watchedSeconds()));
    var rows = new ArrayList<>(rows(ours, effort.watchedSeconds()));
    for (var peer : PEERS.entrySet()) {
      rows.addAll(rows(peer.getKey(), peer.getValue(), browser.get(), ours.shown()));
    }
    return rows;
  }

  private static List<BenchmarkRow> rows(Ours ours, int watchedSeconds) {
    var shown = ours.shown();
    var memory = ours.memory();
    var watched = "while the start page is open for %d s".formatted(watchedSeconds);
    return List.of(
        new BenchmarkRow("page-first-paint", "ms", shown.paints(), null, PAINT),
        new BenchmarkRow("page-first-data", "ms", shown.data(), null, null),
        row("page-frames", "1/s", shown.frames().perSecond(), FRAMES, longest(shown.frames())),
        row(
            "page-frames-slowest-view",
            "1/s",
            ours.slowest().perSecond(),
            FRAMES,
            "'%s'; %s".formatted(ours.slowestView(), longest(ours.slowest()))),
        row("page-heap", "MiB", memory.heapMebi(), null, "after a collection"),
        row("page-heap-growth", "KiB/min", memory.heapGrowth(), GROWTH, watched),
        row("page-resident", "MiB", memory.residentMebi(), null, "all processes of the browser"),
        row("page-resident-growth", "KiB/min", memory.residentGrowth(), null, watched));
  }

  private static String longest(Frames frames) {
    return "longest task %.0f ms".formatted(frames.longestMillis());
  }

  private static BenchmarkRow row(
      String name, String unit, double figure, @Nullable RowGoal goal, String note) {
    return new BenchmarkRow(name, unit, FigureSpread.of(List.of(figure)), null, goal, note);
  }

  /** Returns the rows of our page against that of a peer. */
  private static List<BenchmarkRow> rows(
      String name, PythonProgram program, Path browser, Shown ours)
      throws IOException, InterruptedException {
    var paint = "page-first-paint-by-" + name;
    var frames = "page-frames-by-" + name;
    var busy = "page-long-tasks-by-" + name;
    Shown theirs;
    try {
      theirs = peer(program, browser);
    } catch (IOException e) { // our rows still count
      var reason = String.valueOf(e.getMessage());
      return List.of(
          BenchmarkRow.unmeasured(paint, "ms", null, reason),
          BenchmarkRow.unmeasured(frames, "1/s", null, reason),
          BenchmarkRow.unmeasured(busy, "ms/s", null, reason));
    }
    return List.of(
        new BenchmarkRow(paint, "ms", ours.paints(), theirs.paints(), null),
        row(frames, "1/s", ours.frames().perSecond(), theirs.frames().perSecond(), ""),
        row(
            busy,
            "ms/s",
            ours.frames().longMillis(),
            theirs.frames().longMillis(),
            longest(theirs.frames()) + " of the peer"));
  }

  private static BenchmarkRow row(
      String name, String unit, double ours, double theirs, String note) {
    return new BenchmarkRow(
        name, unit, FigureSpread.of(List.of(ours)), FigureSpread.of(List.of(theirs)), null, note);
  }

  private static Ours ours(Path browser, Path troupe, Path folder, int watchedSeconds)
      throws IOException, InterruptedException {
    try (var grid = ServerProcess.start(BusyGrid.class, folder, NODES, CALLS, PAUSE_SECONDS)) {
      var run = grid.receive(BusyGrid.READY);
      var dashboard =
          TerminationCleanup.start(
              new ProcessBuilder(troupe.toString(), "dashboard", run)
                  .redirectError(ProcessBuilder.Redirect.INHERIT));
      try {
        var address = dashboard.inputReader().readLine();
        if (address == null) {
          throw new IOException("'troupe dashboard' ended early; its output is above");
        }
        return ours(browser, address, watchedSeconds);
      } finally {
        dashboard.destroy();
        dashboard.waitFor();
        TerminationCleanup.hasEnded(dashboard);
      }
    }
  }

  private static Ours ours(Path browser, String address, int watchedSeconds)
      throws IOException, InterruptedException {
    var openings = openings(browser, address, HAS_DATA);
    try (var page = new ShownPage(browser, address)) {
      page.settle();
      var first = page.frames(SECONDS);
      var slowestView = VIEWS.getFirst();
      var slowest = first;
      for (var view : VIEWS) {
        page.open(view);
        var frames = page.frames(SECONDS_OF_VIEW);
        if (frames.perSecond() < slowest.perSecond()) {
          slowestView = view;
          slowest = frames;
        }
      }
      page.open(VIEWS.getFirst());
      return new Ours(
          new Shown(openings, first), slowestView, slowest, page.memory(watchedSeconds));
    }
  }

  private static Shown peer(PythonProgram program, Path browser)
      throws IOException, InterruptedException {
    var missing = program.whyUnavailable();
    if (missing.isPresent()) {
      throw new IOException(missing.get());
    }
    var command = new ArrayList<>(program.command());
    Stream.of(NODES, CALLS, PAUSE_SECONDS).map(String::valueOf).forEach(command::add);
    try (var peer = ServerProcess.of(command)) {
      var address = peer.receive(ADDRESS);
      var openings = openings(browser, address, "true");
      try (var page = new ShownPage(browser, address)) {
        page.settle();
        return new Shown(openings, page.frames(SECONDS));
      }
    }
  }

  /** Opens a page several times, each in a new browser. */
  private static List<Opening> openings(Path browser, String address, String condition)
      throws IOException, InterruptedException {
    List<Opening> openings = new ArrayList<>();
    for (var i = 0; i < PAINTS; i++) {
      try (var page = new ShownPage(browser, address)) {
        openings.add(new Opening(page.firstPaintMillis(), page.millisUntil(condition)));
      }
    }
    return openings;
  }
}
