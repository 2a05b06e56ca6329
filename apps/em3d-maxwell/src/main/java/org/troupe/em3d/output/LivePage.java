package org.troupe.em3d.output;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.display.FrameAssembler;
import org.troupe.em3d.maxwell.SignalSpectrum;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.report.JsonText;
import org.troupe.em3d.run.RunCollector;
import org.troupe.em3d.run.RunListener;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.ProbeSignal;
import org.troupe.em3d.views.FieldSlice;
import org.troupe.pages.PageAnswer;
import org.troupe.pages.PageException;
import org.troupe.pages.PageFile;
import org.troupe.pages.PageOptions;
import org.troupe.pages.PageRequest;
import org.troupe.pages.PageServer;
import org.troupe.pages.PageSite;

/**
 * A web page that shows and controls a run, for a browser of this machine that knows the tokens in
 * the page's address.
 *
 * <p>As a listener it is called on the thread of the run, and executes the commands of the page
 * there.
 */
final class LivePage implements RunListener, AutoCloseable {

  private static final int MOST_NEWS = 20;
  private static final long FAREWELL_MILLIS = 2500; // browsers poll hidden pages once per second
  private static final long SPECTRUM_NANOS =
      2_000_000_000; // between two spectra, which cost more than the rest of the page
  private static final int SPECTRUM_POINTS = 400;
  private static final int MOST_ENERGIES = 4000; // more than a curve can show
  private static final double HERTZ = 1 / (2 * Math.PI); // per unit of angular frequency

  private static final Set<String> FILES = Set.of("index.html", "live.css", "live.js");
  private static final String BYTES = "application/octet-stream";
  private static final int OK = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A command of a button of the page. */
  enum Command {
    pause,
    resume,
    stop
  }

  private final PageServer server;
  private final RunListener inner;
  private final FrameAssembler assembler;
  private final FieldSlice slice;
  private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
  private final CountDownLatch seen =
      new CountDownLatch(1); // counted down when a browser has seen the end
  private @Nullable Simulation simulation; // null before steers()

  // Guarded by this.
  private final TreeMap<Integer, Double> energies = new TreeMap<>(); // by step
  private final List<String> news = new ArrayList<>();
  private String phase = "starting";
  private int step;
  private int lastStep;
  private double seconds; // of a time step; 0 before the first report
  private boolean isOver;
  private long lastNanos;
  private double stepsPerSecond;
  private boolean watched; // whether a browser has asked for the state
  private Map<String, Object> spectrum = Map.of(); // of the first probe
  private long spectrumNanos = System.nanoTime() - SPECTRUM_NANOS;

  /**
   * Opens the page on a free port.
   *
   * @param slice the slice that the assembler provides for the page
   * @param inner receives all events, too
   */
  LivePage(FrameAssembler assembler, FieldSlice slice, RunListener inner) {
    this(assembler, slice, inner, PATIENCE);
  }

  /**
   * Opens the page.
   *
   * @param patience the time limit of an exchange with a browser
   */
  LivePage(FrameAssembler assembler, FieldSlice slice, RunListener inner, Duration patience) {
    this.assembler = assembler;
    this.slice = slice;
    this.inner = inner;
    server =
        PageServer.open(
            PageOptions.standard().withTimeLimit(patience),
            PageSite.of(PageFile.ofResources(LivePage::resource))
                .looking("state", request -> PageAnswer.json(JsonText.of(state(request))))
                .looking("frame", _ -> new PageAnswer.Body(OK, BYTES, frame()))
                .looking("parts", _ -> PageAnswer.json(JsonText.of(parts())))
                .acting("command", this::command));
  }

  /** Returns the address, with its tokens. */
  String address() {
    return server.address();
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
    if (!watched || now - spectrumNanos < SPECTRUM_NANOS) {
      return false;
    }
    spectrumNanos = now;
    return true;
  }

  private void note(ProbeSignal signal) {
    var of = signal.spectrum();
    var resonances = of.resonances().stream().map(each -> each.omega() * HERTZ).toList();
    synchronized (this) {
      spectrum = Map.of("name", signal.name(), "points", points(of), "resonances", resonances);
    }
  }

  /**
   * Returns the frequencies and amplitudes that the picture of a spectrum shows, thinned out to a
   * limited number.
   */
  static List<List<Double>> points(SignalSpectrum of) {
    var shown = of.shown();
    var stride = Math.max(1, shown / SPECTRUM_POINTS);
    List<List<Double>> points = new ArrayList<>();
    for (var k = 0; k < shown; k += stride) {
      var strongest = Arrays.stream(of.amplitudes(), k, Math.min(k + stride, shown)).max();
      points.add(List.of(k * of.spacing() * HERTZ, strongest.orElse(0)));
    }
    return points;
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

  /** Reports the end of the run; gives a browser the time to show it before the page closes. */
  void end(String how) {
    boolean told;
    synchronized (this) {
      phase = how;
      isOver = true;
      told = !watched;
    }
    try {
      if (!told) {
        seen.await(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.close();
  }

  // Requests of the browser

  private static @Nullable InputStream resource(String name) {
    return FILES.contains(name)
        ? LivePage.class.getResourceAsStream(name.equals("index.html") ? "live.html" : name)
        : null;
  }

  private PageAnswer command(PageRequest request) {
    var name = request.text("do");
    for (var each : Command.values()) {
      if (each.name().equals(name)) {
        enqueue(each);
        return PageAnswer.json("{}");
      }
    }
    throw new PageException(
        PageException.WRONG,
        "there is no command '%s'".formatted(name),
        "choose pause, resume or stop");
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

  /** Returns the state, with the energies after the step that the browser knows. */
  private Map<String, Object> state(PageRequest request) {
    var pace = assembler.pace();
    Map<String, Object> state = new LinkedHashMap<>();
    synchronized (this) {
      watched = true;
      state.put("phase", phase);
      state.put("isOver", isOver);
      state.put(
          "slice",
          "%s in %s at %s = %s m"
              .formatted(slice.quantity(), slice.unit(), slice.axisName(), slice.at()));
      state.put("nanoseconds", step * seconds * 1e9);
      state.put("step", step);
      state.put("lastStep", lastStep);
      state.put("stepsPerSecond", stepsPerSecond);
      state.put("news", List.copyOf(news));
      state.put("spectrum", spectrum);
      state.put(
          "energies",
          energies.tailMap(since(request.text("since")), false).entrySet().stream()
              .map(entry -> List.of(entry.getKey(), entry.getValue()))
              .toList());
      if (isOver) {
        seen.countDown();
      }
    }
    if (pace != null) {
      state.put("leg", pace.segment());
      state.put("frame", pace.step());
      state.put("nodes", pace.nodes());
      state.put("haloWaits", Arrays.stream(pace.haloWaits()).boxed().toList());
    }
    return state;
  }

  private static int since(String text) {
    return text.matches("-?\\d{1,9}") ? Integer.parseInt(text) : -1;
  }

  /**
   * Encodes the last frame, little-endian: step, width, height, largest value, then the values row
   * by row.
   */
  private byte[] frame() {
    var frame = assembler.live();
    if (frame == null) {
      return new byte[0];
    }
    var bytes = ByteBuffer.allocate(4 * (4 + frame.values().length)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(frame.moment().step());
    bytes.putInt(frame.raster().width()).putInt(frame.raster().height());
    bytes.putFloat(frame.largest());
    for (var value : frame.values()) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  private Map<String, Object> parts() {
    var parts = assembler.parts();
    Map<String, Object> values = new LinkedHashMap<>();
    if (parts != null) {
      values.put("width", parts.width());
      values.put("height", parts.height());
      values.put("ranks", Arrays.stream(parts.ranks()).boxed().toList());
    }
    return values;
  }
}
