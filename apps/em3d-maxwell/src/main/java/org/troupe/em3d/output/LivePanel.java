package org.troupe.em3d.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.model.PanelItem.Axis;
import org.troupe.deployment.model.PanelItem.Button;
import org.troupe.deployment.model.PanelItem.Curve;
import org.troupe.deployment.model.PanelItem.Fact;
import org.troupe.deployment.model.PanelItem.Line;
import org.troupe.deployment.model.PanelItem.Picture;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.maxwell.SignalSpectrum;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.run.RunCollector;
import org.troupe.em3d.run.RunListener;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.ProbeSignal;
import org.troupe.em3d.views.FieldSlice;
import org.troupe.em3d.views.UnitPrefix;

/**
 * The panel of the dashboard that shows and controls a run.
 *
 * <p>As a listener it is called on the thread of the run, and executes the commands of the buttons
 * there.
 */
final class LivePanel implements RunListener {

  private static final int MOST_NEWS = 20;
  private static final long FAREWELL_MILLIS = 2500; // a page asks about once per second
  private static final long WATCHED_NANOS = 15_000_000_000L; // more than the longest interval
  private static final long SPECTRUM_NANOS =
      2_000_000_000; // between two spectra, which cost more than the rest of the panel
  private static final int SPECTRUM_POINTS = 400;
  private static final int MOST_ENERGIES = 1000; // more than a curve can show
  private static final double NEARLY_CONSTANT = 1e-3; // relative; the curve then shows the change
  private static final double HERTZ = 1 / (2 * Math.PI); // per unit of angular frequency

  /** A command of a button. */
  private enum Command {
    pause,
    resume,
    stop
  }

  private final RunListener inner;
  private final FrameAssembler assembler;
  private final FieldSlice slice;
  private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
  private final CountDownLatch seen =
      new CountDownLatch(2); // a page that asks again for the end has got the first answer
  private @Nullable Simulation simulation; // null before steers()

  // Guarded by this.
  private final TreeMap<Integer, Double> energies = new TreeMap<>(); // by step
  private final List<String> news = new ArrayList<>();
  private String phase = "starting";
  private int step;
  private int lastStep;
  private double seconds; // of a time step; 0 before the first report
  private boolean isOver;
  private List<PanelItem> lastPictures = List.of(); // of a run that is over
  private long lastNanos;
  private double stepsPerSecond;
  private long askedNanos = System.nanoTime() - WATCHED_NANOS; // when a page has asked last
  private List<PanelItem> spectrum = List.of(); // of the first probe
  private long spectrumNanos = System.nanoTime() - SPECTRUM_NANOS;

  /**
   * Creates the panel.
   *
   * @param slice the slice that the assembler provides for the panel
   * @param inner receives all events, too
   */
  LivePanel(FrameAssembler assembler, FieldSlice slice, RunListener inner) {
    this.assembler = assembler;
    this.slice = slice;
    this.inner = inner;
  }

  /** Sets the run that the buttons control. */
  void steers(Simulation itsSimulation) {
    simulation = itsSimulation;
    synchronized (this) {
      lastStep = itsSimulation.lastStep();
    }
  }

  // Events of the run

  @Override
  public void progress(RunCollector.Progress progress) {
    inner.progress(progress);
    var run = Objects.requireNonNull(simulation, "steers() comes before the run");
    note(progress, run.dtSeconds());
    if (isSpectrumDue()) {
      var signals = run.signals();
      if (!signals.isEmpty()) {
        note(signals.values().iterator().next());
      }
    }
    for (var command = commands.poll(); command != null; command = commands.poll()) {
      switch (command) {
        case pause -> run.pauseAt(progress.step());
        case resume -> run.resume();
        case stop -> run.stop();
      }
    }
  }

  private synchronized void note(RunCollector.Progress progress, double dtSeconds) {
    var now = System.nanoTime();
    if (progress.step() < step) { // back to a saved state after the loss of a node
      energies.tailMap(progress.step(), false).clear();
    } else if (progress.step() > step && lastNanos != 0) {
      stepsPerSecond = (progress.step() - step) / ((now - lastNanos) / 1e9);
    }
    if (progress.step() != step || lastNanos == 0) {
      lastNanos = now;
    }
    step = progress.step();
    lastStep = progress.lastStep();
    seconds = dtSeconds;
    if (!phase.equals("stopping") && (progress.resting() || !phase.equals("pausing"))) {
      phase = progress.resting() ? "paused" : "running";
    }
    var last = progress.last();
    if (last != null) {
      energies.put(last.step(), last.energy() * Physics.VACUUM_PERMITTIVITY);
      if (energies.size() > MOST_ENERGIES) {
        thinOut(energies);
      }
    }
  }

  /** Removes every second value, but neither the first nor the last one. */
  static void thinOut(TreeMap<Integer, Double> values) {
    var steps = List.copyOf(values.keySet());
    for (var i = 1; i < steps.size() - 1; i += 2) {
      values.remove(steps.get(i));
    }
  }

  private synchronized boolean isSpectrumDue() {
    var now = System.nanoTime();
    if (!isWatched() || now - spectrumNanos < SPECTRUM_NANOS) {
      return false;
    }
    spectrumNanos = now;
    return true;
  }

  private boolean isWatched() {
    return System.nanoTime() - askedNanos < WATCHED_NANOS;
  }

  private void note(ProbeSignal signal) {
    var of = signal.spectrum();
    List<PanelItem> items = new ArrayList<>();
    items.add(curve(signal.name(), of));
    if (!of.resonances().isEmpty()) {
      var named = of.resonances().stream().map(each -> text(each.omega() * HERTZ, "Hz")).toList();
      items.add(new Fact("resonances", String.join(", ", named)));
    }
    synchronized (this) {
      spectrum = items;
    }
  }

  private static String text(double value, String unit) {
    return UnitPrefix.of(value, unit).text(value);
  }

  /**
   * Returns the curve of the frequencies and amplitudes that the picture of a spectrum shows,
   * thinned out to a limited number.
   */
  static Curve curve(String name, SignalSpectrum of) {
    var shown = of.shown();
    var stride = Math.max(1, shown / SPECTRUM_POINTS);
    List<Double> frequencies = new ArrayList<>();
    List<Double> amplitudes = new ArrayList<>();
    for (var k = 0; k < shown; k += stride) {
      frequencies.add(k * of.spacing() * HERTZ);
      var some = Arrays.stream(of.amplitudes(), k, Math.min(k + stride, shown));
      amplitudes.add(some.max().orElse(0));
    }
    return new Curve(
        "spectrum of " + name,
        new Axis("f", "Hz"),
        new Axis("amplitude", "V/m"),
        frequencies,
        amplitudes);
  }

  @Override
  public void news(String line) {
    inner.news(line);
    synchronized (this) {
      news.add(line);
      if (news.size() > MOST_NEWS) {
        news.removeFirst();
      }
    }
  }

  /** Reports the end of the run; gives a page the time to show it before the program ends. */
  void end(String how) {
    var pictures = pictures(); // the assembler ends before the grid
    boolean isAwaited;
    synchronized (this) {
      phase = how;
      isOver = true;
      lastPictures = pictures;
      isAwaited = isWatched();
    }
    try {
      if (isAwaited) {
        seen.await(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // The panel

  /** Returns what the panel shows now. */
  List<PanelItem> items() {
    var pictures = isRunning() ? pictures() : List.<PanelItem>of();
    List<PanelItem> items = new ArrayList<>();
    synchronized (this) {
      askedNanos = System.nanoTime();
      items.add(new Fact("state", phase));
      items.add(new Fact("step", "%,d of %,d".formatted(step, lastStep)));
      items.add(new Fact("time", text(step * seconds, "s")));
      items.add(new Fact("pace", "%.1f steps/s".formatted(stepsPerSecond)));
      items.addAll(energyItems());
      items.addAll(spectrum);
      news.forEach(line -> items.add(new Line(line)));
      if (isOver) {
        items.addAll(lastPictures);
        seen.countDown();
        return items;
      }
    }
    items.addAll(pictures);
    for (var each : Command.values()) {
      items.add(new Button(each.name(), () -> enqueue(each)));
    }
    return items;
  }

  private synchronized boolean isRunning() {
    return !isOver;
  }

  /** Queues a command for the thread of the run, and shows at once that it was received. */
  private synchronized void enqueue(Command command) {
    commands.add(command);
    if (!isOver && !phase.equals("stopping")) {
      phase =
          switch (command) {
            case pause -> "pausing";
            case resume -> "running";
            case stop -> "stopping";
          };
    }
  }

  /** Returns the energy, and the curve of it, or of its change if that is small. */
  private List<PanelItem> energyItems() {
    var steps = energies.keySet().stream().map(Integer::doubleValue).toList();
    var values = List.copyOf(energies.values());
    if (values.isEmpty()) {
      return List.of();
    }
    var range = values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
    double first = values.getFirst();
    var isFlat = first > 0 && range.getMax() - range.getMin() < NEARLY_CONSTANT * range.getMax();
    var curve =
        new Curve(
            "energy",
            new Axis("step", ""),
            isFlat ? new Axis("change relative to the first value", "") : new Axis("energy", "J"),
            steps,
            isFlat ? values.stream().map(each -> (each - first) / first).toList() : values);
    return List.of(new Fact("energy", text(values.getLast(), "J")), curve);
  }

  /** Returns the last frame, and the nodes of its parts. */
  private List<PanelItem> pictures() {
    List<PanelItem> pictures = new ArrayList<>();
    var frame = assembler.live();
    if (frame != null) {
      pictures.add(
          Picture.of(
              "%s at %s = %s m".formatted(slice.quantity(), slice.axisName(), slice.at()),
              "step %,d".formatted(frame.moment().step()),
              slice.unit(),
              frame.raster().width(),
              frame.raster().height(),
              frame.values()));
    }
    var parts = assembler.parts();
    if (parts != null) {
      pictures.add(divided(parts));
    }
    return pictures;
  }

  private static Picture divided(FrameAssembler.Parts parts) {
    var nodes = List.copyOf(new LinkedHashSet<>(parts.nodes()));
    var ofRanks = parts.nodes().stream().mapToInt(nodes::indexOf).toArray();
    return Picture.ofParts(
        "sub-domains by node",
        "",
        parts.width(),
        parts.height(),
        Arrays.stream(parts.ranks()).map(rank -> rank < 0 ? rank : ofRanks[rank]).toArray(),
        nodes.stream().map(node -> label(node, parts)).toList());
  }

  private static String label(String node, FrameAssembler.Parts parts) {
    var count = 0;
    var waits = 0.0;
    for (var rank = 0; rank < parts.nodes().size(); rank++) {
      if (parts.nodes().get(rank).equals(node)) {
        count++;
        waits += parts.haloWaits()[rank];
      }
    }
    return "%s: %d %s, %.1f %% halo wait"
        .formatted(node, count, count == 1 ? "sub-domain" : "sub-domains", 100 * waits / count);
  }
}
