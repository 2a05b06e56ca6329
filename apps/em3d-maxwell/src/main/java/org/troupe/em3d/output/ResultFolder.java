package org.troupe.em3d.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.deployment.Grid;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.display.OutputSpec;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.report.HtmlReport;
import org.troupe.em3d.report.PartialReport;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.run.RunListener;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.CheckpointException;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.state.RunCheckpoint;
import org.troupe.em3d.views.SeriesPlot;
import org.troupe.em3d.views.UndrawableException;

/** The results of a run: its folder, pictures and panel, as far as they are asked for. */
public final class ResultFolder implements AutoCloseable {

  private static final int MOST_NAMED = 20; // steps in one line
  private static final String PANEL = "em3d";

  private final @Nullable OutFolder out; // null: not asked for
  private final @Nullable FrameAssembler assembler; // null: not asked for
  private final @Nullable LivePanel live; // null: not asked for
  private final RunListener watcher;
  private @Nullable Thread hook; // null before show

  // Guarded by this.
  private boolean written; // whether a report was written or is being written
  private boolean closed;

  private ResultFolder(
      @Nullable OutFolder out,
      @Nullable FrameAssembler assembler,
      @Nullable LivePanel live,
      RunListener watcher) {
    this.out = out;
    this.assembler = assembler;
    this.live = live;
    this.watcher = watcher;
  }

  /**
   * Creates the folder, the assembler and the panel.
   *
   * @param out the folder; {@code null} for none
   */
  public static ResultFolder open(@Nullable Path out, OutputSpec spec, RunListener watcher)
      throws IOException {
    var folder = out == null ? null : OutFolder.make(out);
    if (!spec.isNeeded()) {
      return new ResultFolder(folder, null, null, watcher);
    }
    var assembler =
        ActiveObjects.here()
            .create(FrameAssembler.class, spec, out == null ? "" : out.toAbsolutePath().toString());
    if (spec.live() == null) {
      return new ResultFolder(folder, assembler, null, watcher);
    }
    var live = new LivePanel(assembler, spec.live(), watcher);
    return new ResultFolder(folder, assembler, live, live);
  }

  /** Returns the listener for the run. */
  public RunListener watcher() {
    return watcher;
  }

  /** Shows the run on the page of its grid, if that is asked for. */
  public void showOn(Grid grid) {
    if (live != null) {
      grid.panel(PANEL, live::items);
      watcher.news("the dashboard shows the run on its panel '" + PANEL + "'");
    }
  }

  /**
   * Connects a run to the outputs, and writes a partial report if the program is terminated, for
   * example by Ctrl-C. To be called before the run starts.
   *
   * @param checkpoint the folder of its states; {@code null} for none
   */
  public void show(Simulation simulation, @Nullable Path checkpoint) {
    hook = new Thread(() -> ended(simulation, checkpoint), "em3d-end-of-program");
    Runtime.getRuntime().addShutdownHook(hook);
    if (assembler != null) {
      simulation.showTo(assembler);
    }
    if (live != null) {
      live.steers(simulation);
    }
  }

  /**
   * Prints and writes the report and reports all failures to the listener. A file that cannot be
   * written does not prevent the others. Returns whether all results are complete.
   *
   * @param alone another file for the report; {@code null} for none
   */
  public synchronized boolean finish(
      RunReport report, MonitorSeries readings, @Nullable Path alone) {
    if (written) { // the program is ending
      return false;
    }
    written = true;
    System.out.print(report.toTable()); // first: a full disk must not keep it back
    var isThere = alone == null || isWritten(() -> AtomicFile.write(alone, report.toJson()));
    if (out != null) {
      isThere &= write(out, report, readings);
    }
    if (live != null) {
      live.end(report.steps() < report.stepsAsked() ? "stopped" : "complete");
    }
    var missing = assembler == null ? Set.<Integer>of() : assembler.missing();
    if (!missing.isEmpty()) {
      watcher.news(missed(missing));
    }
    return isThere && missing.isEmpty();
  }

  /**
   * Names all steps that could not be written; of failures in quick succession, only the last was
   * reported at once.
   */
  static String missed(Set<Integer> steps) {
    var named =
        steps.stream()
            .sorted()
            .limit(MOST_NAMED)
            .map(step -> "%,d".formatted(step))
            .collect(Collectors.joining("; "));
    return "%,d %s could not be written: %s%s; the reason is above"
        .formatted(
            steps.size(),
            steps.size() == 1 ? "step" : "steps",
            named,
            steps.size() > MOST_NAMED ? "; ..." : "");
  }

  private boolean write(OutFolder folder, RunReport report, MonitorSeries readings) {
    var all = isWritten(() -> folder.write("energy.csv", report.toEnergyCsv()));
    for (var each : readings.files(report.dtSeconds()).entrySet()) {
      all &= isWritten(() -> folder.write(each.getKey(), each.getValue()));
    }
    all &= isWritten(() -> folder.write("report.html", page(folder, report, readings).toString()));
    return all
        && isWritten(
            () ->
                folder.write(
                    "report.json",
                    report.toJson())); // last: its presence shows that the results are complete
  }

  /** An action that writes a file. */
  private interface Writing {
    void run() throws IOException;
  }

  private static String message(Exception failure) {
    var message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }

  private boolean isWritten(Writing writing) {
    try {
      writing.run();
      return true;
    } catch (IOException e) {
      watcher.news(message(e));
      return false;
    }
  }

  /** Writes a partial report of a run that has failed. */
  public synchronized void fail(Simulation simulation, Exception failure) {
    if (written) {
      return;
    }
    written = true;
    try {
      var partialReport = simulation.partialReport("failed: " + failure.getMessage());
      if (partialReport != null && out != null) {
        write(out, partialReport);
        watcher.news(
            "the measurements up to step %,d are in %s"
                .formatted(partialReport.energies().getLast().step(), out.path()));
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
      watcher.news(message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (live != null) {
      live.end("failed");
    }
  }

  /** Writes a partial report of a run when the program is terminated, for example by Ctrl-C. */
  private synchronized void ended(Simulation simulation, @Nullable Path checkpoint) {
    if (written || closed) {
      return;
    }
    written = true;
    try {
      var partialReport = simulation.partialReport("ended from outside");
      if (partialReport == null) {
        if (out != null) {
          out.close();
        }
        watcher.news("ended before anything was measured");
        return;
      }
      var news =
          "ended at step %,d of %,d".formatted(partialReport.step(), partialReport.stepsAsked());
      if (out != null) {
        write(out, partialReport);
        news += "; the measurements up to then are in " + out.path();
      }
      if (checkpoint != null) {
        news +=
            RunCheckpoint.isIn(checkpoint)
                ? "; continue from step %,d with --restart %s --checkpoint %s"
                    .formatted(
                        RunCheckpoint.readHeader(checkpoint).position().step(),
                        checkpoint,
                        checkpoint)
                : "; no state had been saved yet";
      }
      watcher.news(news);
    } catch (IOException | CheckpointException e) {
      watcher.news(message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void write(OutFolder folder, PartialReport partialReport) throws IOException {
    folder.write(
        "energy.csv", RunReport.energyCsv(partialReport.energies(), partialReport.dtSeconds()));
    for (var each : partialReport.readings().files(partialReport.dtSeconds()).entrySet()) {
      folder.write(each.getKey(), each.getValue());
    }
    folder.write("report.json", partialReport.toJson());
  }

  private HtmlReport page(OutFolder folder, RunReport report, MonitorSeries readings)
      throws IOException {
    var page = new HtmlReport(report);
    if (assembler != null) {
      for (var picture : assembler.lastPictures()) {
        page.add(picture, Files.readAllBytes(folder.path().resolve(picture)));
      }
    }
    try {
      page.add("energy in the course of the run", energies(report));
      for (var each : readings.signals(report.dtSeconds()).entrySet()) {
        var signal = each.getValue();
        var spectrum = SeriesPlot.ofFrequency(signal.name(), "V/m", signal.spectrum());
        AtomicFile.write(folder.path().resolve(each.getKey() + "-spectrum.png"), spectrum);
        page.add(
            signal.name(),
            SeriesPlot.ofTime(signal.name(), "V/m", signal.seconds(), signal.values()));
        page.add("spectrum of " + signal.name(), spectrum);
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
    if (assembler != null) {
      assembler.close();
      ActiveObjects.ref(assembler).terminate();
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
        // The program is terminating: the hook runs and does nothing.
      }
    }
  }
}
