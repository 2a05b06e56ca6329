package org.troupe.em3d.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.display.OutputSpec;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.report.HtmlReport;
import org.troupe.em3d.report.PartialReport;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.run.RunListener;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.Checkpoint;
import org.troupe.em3d.state.CheckpointException;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.views.SeriesPlot;
import org.troupe.em3d.views.UndrawableException;

/** Where the results of a run go: its folder and its gallery, as far as they are asked for. */
public final class ResultFolder implements AutoCloseable {

  private static final int MOST_NAMED = 20; // steps in one line

  private final OutFolder out; // null: none
  private final FrameAssembler gallery; // null: none
  private final LivePage live; // null: none
  private final RunListener watcher;
  private Thread hook; // null: none yet

  // Guarded by this.
  private boolean written; // what there is to write
  private boolean closed;

  private ResultFolder(OutFolder out, FrameAssembler gallery, LivePage live, RunListener watcher) {
    this.out = out;
    this.gallery = gallery;
    this.live = live;
    this.watcher = watcher;
  }

  /**
   * Makes what there is none of yet.
   *
   * @param out the folder; {@code null} for none
   */
  public static ResultFolder open(Path out, OutputSpec looks, RunListener watcher)
      throws IOException {
    var folder = out == null ? null : OutFolder.make(out);
    var gallery =
        looks.isNeeded()
            ? ActiveObjects.here()
                .create(
                    FrameAssembler.class, looks, out == null ? "" : out.toAbsolutePath().toString())
            : null;
    if (looks.live() == null) {
      return new ResultFolder(folder, gallery, null, watcher);
    }
    var live = new LivePage(gallery, looks.live(), watcher);
    watcher.news("the run is shown at " + live.address());
    return new ResultFolder(folder, gallery, live, live);
  }

  /** Who is to be told how the run goes. */
  public RunListener watcher() {
    return watcher;
  }

  /**
   * Has a run shown, and what there is of it written should the program be ended from outside; to
   * be called before it begins.
   *
   * @param checkpoint where its states go; {@code null} for nowhere
   */
  public void show(Simulation simulation, Path checkpoint) {
    hook = new Thread(() -> ended(simulation, checkpoint), "em3d-end-of-program");
    Runtime.getRuntime().addShutdownHook(hook);
    if (gallery != null) {
      simulation.showTo(gallery);
    }
    if (live != null) {
      live.steers(simulation);
    }
  }

  /**
   * Prints and writes the report; says whether everything that was asked for is there, and tells
   * what is not. What cannot be written keeps nothing else back.
   *
   * @param alone where the report is to go besides; {@code null} for nowhere
   */
  public synchronized boolean finish(RunReport report, MonitorSeries readings, Path alone) {
    if (written) { // the program is ending
      return false;
    }
    written = true;
    System.out.print(report.toTable()); // first: a full disk must not keep it back
    var isThere = alone == null || isWritten(() -> AtomicFile.write(alone, report.toJson()));
    if (out != null) {
      isThere &= write(report, readings);
    }
    if (live != null) {
      live.end(report.steps() < report.stepsAsked() ? "stopped" : "complete");
    }
    var missing = gallery == null ? Set.<Integer>of() : gallery.missing();
    if (!missing.isEmpty()) {
      watcher.news(missed(missing));
    }
    return isThere && missing.isEmpty();
  }

  /** Names the steps: of losses that follow each other quickly, only the last is told at once. */
  static String missed(Set<Integer> steps) {
    var named =
        steps.stream()
            .sorted()
            .limit(MOST_NAMED)
            .map(step -> "%,d".formatted(step))
            .collect(Collectors.joining("; "));
    return "%,d %s to be seen could not be written: %s%s; the reason is above"
        .formatted(
            steps.size(),
            steps.size() == 1 ? "step that was" : "steps that were",
            named,
            steps.size() > MOST_NAMED ? "; ..." : "");
  }

  private boolean write(RunReport report, MonitorSeries readings) {
    var all = isWritten(() -> out.write("energy.csv", report.toEnergyCsv()));
    for (var each : readings.files(report.dtSeconds()).entrySet()) {
      all &= isWritten(() -> out.write(each.getKey(), each.getValue()));
    }
    all &= isWritten(() -> out.write("report.html", page(report, readings).toString()));
    return all
        && isWritten(() -> out.write("report.json", report.toJson())); // last: where it is, all is
  }

  /** Writes to files. */
  private interface Writing {
    void run() throws IOException;
  }

  private boolean isWritten(Writing writing) {
    try {
      writing.run();
      return true;
    } catch (IOException e) {
      watcher.news(e.getMessage());
      return false;
    }
  }

  /** Writes what there is of a run that has failed. */
  public synchronized void fail(Simulation simulation, Exception failure) {
    if (written) {
      return;
    }
    written = true;
    try {
      var remains = simulation.remains("failed: " + failure.getMessage());
      if (remains != null && out != null) {
        write(remains);
        watcher.news(
            "what was measured until step %,d is in %s"
                .formatted(remains.energies().getLast().step(), out.path()));
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
      watcher.news(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (live != null) {
      live.end("failed");
    }
  }

  /** Writes what there is of a run when the program ends before it, on Ctrl-C for one. */
  private synchronized void ended(Simulation simulation, Path checkpoint) {
    if (written || closed) {
      return;
    }
    written = true;
    try {
      var remains = simulation.remains("ended from outside");
      if (remains == null) {
        return;
      }
      var news = "ended at step %,d of %,d".formatted(remains.step(), remains.stepsAsked());
      if (out != null) {
        write(remains);
        news += "; what was measured until then is in " + out.path();
      }
      if (checkpoint != null && Checkpoint.isIn(checkpoint)) {
        news +=
            "; go on from step %,d with --restart %s --checkpoint %s"
                .formatted(
                    Checkpoint.readHeader(checkpoint).point().step(), checkpoint, checkpoint);
      }
      watcher.news(news);
    } catch (IOException | CheckpointException e) {
      watcher.news(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(PartialReport remains) throws IOException {
    out.write("energy.csv", RunReport.energyCsv(remains.energies(), remains.dtSeconds()));
    for (var each : remains.readings().files(remains.dtSeconds()).entrySet()) {
      out.write(each.getKey(), each.getValue());
    }
    out.write("report.json", remains.toJson());
  }

  private HtmlReport page(RunReport report, MonitorSeries readings) throws IOException {
    var page = new HtmlReport(report);
    if (gallery != null) {
      for (var picture : gallery.lastPictures()) {
        page.add(picture, Files.readAllBytes(out.path().resolve(picture)));
      }
    }
    try {
      page.add("energy in the course of the run", energies(report));
      for (var each : readings.swings(report.dtSeconds()).entrySet()) {
        var swing = each.getValue();
        var spectrum = SeriesPlot.ofFrequency(swing.name(), "V/m", swing.spectrum());
        AtomicFile.write(out.path().resolve(each.getKey() + "-spectrum.png"), spectrum);
        page.add(
            swing.name(), SeriesPlot.ofTime(swing.name(), "V/m", swing.seconds(), swing.values()));
        page.add("spectrum of " + swing.name(), spectrum);
      }
    } catch (UndrawableException e) {
      watcher.news("report.html lacks curves: " + e.getMessage());
    }
    return page;
  }

  private static byte[] energies(RunReport report) throws IOException {
    var samples = report.energies();
    return SeriesPlot.ofTime(
        "energy",
        "J",
        samples.stream().mapToDouble(each -> each.step() * report.dtSeconds()).toArray(),
        samples.stream()
            .mapToDouble(each -> each.energy() * Physics.VACUUM_PERMITTIVITY)
            .toArray());
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    forgetHook();
    if (live != null) {
      live.close();
    }
    if (gallery != null) {
      gallery.close();
      ActiveObjects.ref(gallery).terminate();
    }
    if (out != null) {
      out.close();
    }
  }

  private void forgetHook() {
    if (hook != null) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The program is ending: the hook runs, and finds nothing to do.
      }
    }
  }
}
