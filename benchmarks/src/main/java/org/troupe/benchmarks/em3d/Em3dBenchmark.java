package org.troupe.benchmarks.em3d;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_LEAST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;
import static org.troupe.benchmarks.harness.RowGoal.Direction.BELOW;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ContenderProcess;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.FigureSpread;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.MemoryMonitor;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.em3d.mesh.CubeDivision;

/**
 * A step of the solver, against its kernel alone, over two transports, and against Fortran with
 * MPI.
 */
public final class Em3dBenchmark implements Benchmark {

  private static final String UNIT = "ms/step";

  private static final int POINTS = 65;

  /** A smaller cube with shorter steps, of which calls are a larger part. */
  private static final int FEWER_POINTS = 33;

  private static final int MORE_STEPS = 10;

  /**
   * A step on the mesh is shorter than on the cube, but the vector kernels take as long to compile.
   */
  private static final int MORE_STEPS_ON_MESH = 5;

  /** A larger cube with longer steps, for the kernel alone. */
  private static final int MORE_POINTS = 101;

  private static final int FEWER_STEPS = 4;

  /** MonitoredRun only with full effort: these rows have no goal. */
  private static final int MORE_JVMS = 4;

  /** The largest number of JVMs in the chart of memory, which more lines would make unreadable. */
  private static final int MOST_MONITORED = 2;

  /** The middleware's share of a step is below 3 %: a step takes less than 1 / 0.97 kernels. */
  private static final RowGoal SHARE = RowGoal.ratio(BELOW, 1 / (1 - 0.03));

  private static final RowGoal KERNEL = RowGoal.ratio(AT_MOST, 0.8);
  private static final RowGoal TWO_PROCESSES = RowGoal.ratio(AT_MOST, 0.9);
  private static final RowGoal EFFICIENCY = RowGoal.ratio(AT_LEAST, 1);
  private static final RowGoal MEMORY = RowGoal.ratio(AT_MOST, 1.5);

  private static final int MODEL_NODES = 1024;
  private static final int MODEL_POINTS = 401; // 384 million cells
  private static final double BETWEEN_CLUSTERS_MICROS = 10_000;

  private final RoundSamples samples = new RoundSamples();
  private final Map<String, SortedMap<Double, Double>> memories =
      new LinkedHashMap<>(); // MiB by seconds, by name
  private final Map<String, String> kernels = new HashMap<>(); // of the solver, by run
  private final Map<String, String> failures = new HashMap<>(); // by row of the peer
  private String unavailability = ""; // why the peer is missing, or empty
  private @Nullable FortranSolver fortran; // null if it is missing

  @Override
  public String name() {
    return "em3d";
  }

  @Override
  public String about() {
    return "a step of the solver, against its kernel, ibis against rmi, and Fortran with MPI";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    try (var mesh = new PerturbedCube()) {
      fortran = peer();
      var steps = effort.solverSteps();
      for (var round = 0; round < effort.longRounds(); round++) {
        // Four JVMs have no goal, so a single round is enough.
        var most = round == 0 ? effort.solverJvms() : 2;
        for (var jvms = 1; jvms <= most; jvms *= 2) {
          onCube(jvms, steps);
        }
        onMesh(mesh, steps);
        var fewer = 1 + steps / FEWER_STEPS;
        fortran("fortran-more", peer -> peer.onCube(MORE_POINTS, division(1), fewer));
        samples.add("kernel-more", kernels(MORE_POINTS, 1, fewer));
        var small = "cube:" + FEWER_POINTS;
        solver(small, 2, MORE_STEPS * steps, "ibis");
        solver(small, 2, MORE_STEPS * steps, "rmi");
        samples.add("kernels-small", kernels(FEWER_POINTS, 2, MORE_STEPS * steps));
      }
      return rows(mesh.file().toString());
    } finally {
      if (fortran != null) {
        fortran.close();
      }
    }
  }

  private void onCube(int jvms, int steps) throws IOException, InterruptedException {
    var cube = "cube:" + POINTS;
    if (jvms <= 2) {
      samples.add("kernel-" + jvms, kernels(POINTS, jvms, steps));
    }
    monitored("Troupe, launcher + " + jvms, jvms, () -> solver(cube, jvms, steps, "ibis"));
    monitored(
        "Fortran, mpirun + " + jvms,
        jvms,
        () -> fortran("fortran-" + jvms, peer -> peer.onCube(POINTS, division(jvms), steps)));
    if (jvms > 1) {
      solver(cube, jvms, steps, "rmi");
    }
  }

  private void onMesh(PerturbedCube mesh, int steps) throws IOException, InterruptedException {
    fortran("fortran-mesh", peer -> peer.onFile(mesh.file(), mesh.parts(2), 2, steps));
    solver(mesh.file().toString(), 2, MORE_STEPS_ON_MESH * steps, "ibis");
  }

  private static List<Integer> division(int processes) {
    var division = CubeDivision.auto(processes, POINTS);
    return List.of(division.x(), division.y(), division.z());
  }

  // Measuring

  /** A run that records its own figures. */
  private interface MonitoredRun {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Monitors the memory of the run in the first round only; that costs little time, which does not
   * affect a median.
   */
  private void monitored(String name, int processes, MonitoredRun what)
      throws IOException, InterruptedException {
    if (processes > MOST_MONITORED || memories.containsKey(name)) {
      what.run();
      return;
    }
    try (var watch = new MemoryMonitor()) {
      what.run();
      memories.put(name, watch.samples());
    }
  }

  private void solver(String mesh, int jvms, int steps, String transport)
      throws IOException, InterruptedException {
    var run = SolverRun.of(mesh, jvms, steps, "--transport", transport);
    var name = solver(mesh, jvms, transport);
    kernels.put(name, "kernel: " + run.kernel());
    samples.add(name, run.millisPerStep());
    samples.add(name + "-wait", run.waitMillisPerStep());
    samples.add(name + "-sent", run.bytesPerStep() / 1024);
    samples.add(name + "-memory", run.bytesPerCell());
    samples.add(name + "-memory-nodes", run.nodeBytesPerCell());
  }

  private static String solver(String mesh, int jvms, String transport) {
    return mesh + "-" + jvms + "-" + transport;
  }

  /** A run of the peer. */
  private interface PeerCall {
    FortranSolver.Run by(FortranSolver peer) throws IOException, InterruptedException;
  }

  /** Runs the peer; a failure costs only the rows of this run. */
  private void fortran(String name, PeerCall what) throws InterruptedException {
    var peer = fortran;
    if (peer == null || failures.containsKey(name)) {
      return;
    }
    try {
      var run = what.by(peer);
      samples.add(name, run.millisPerStep());
      samples.add(name + "-memory", run.bytesPerCell());
    } catch (IOException e) {
      failures.put(name, inOneLine(e));
    }
  }

  /** Builds the peer; returns {@code null} if that is impossible. */
  private @Nullable FortranSolver peer() throws IOException, InterruptedException {
    unavailability = FortranSolver.whyUnavailable().orElse("");
    if (!unavailability.isEmpty()) {
      return null;
    }
    try {
      return FortranSolver.build();
    } catch (IOException e) {
      unavailability = inOneLine(e);
      return null;
    }
  }

  /** Returns the message as a note, which has one line and no comma. */
  private static String inOneLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replace(',', ';');
  }

  /**
   * Runs as many kernels as JVMs at the same time, each on its part of the cube. They share the
   * memory bandwidth like the solver's JVMs, but exchange nothing.
   *
   * @return the milliseconds of a step of the slowest kernel
   */
  static double kernels(int points, int jvms, int steps) throws IOException {
    List<ContenderProcess> kernels = new ArrayList<>();
    try {
      for (var rank = 0; rank < jvms; rank++) {
        kernels.add(
            ContenderProcess.start(
                Em3dKernel.class,
                CorePinning.NONE,
                List.of("--add-modules=jdk.incubator.vector"),
                points,
                jvms,
                rank,
                steps));
      }
      kernels.forEach(ContenderProcess::begin);
      var slowest = 0.0;
      for (var kernel : kernels) {
        slowest = Math.max(slowest, kernel.end());
      }
      return slowest;
    } finally {
      kernels.forEach(ContenderProcess::close);
    }
  }

  @Override
  public void draw(Path folder) throws IOException {
    new Em3dCharts("cube:" + POINTS, MORE_JVMS, UNIT, samples, memories).write(folder);
  }

  // Rows

  private List<BenchmarkRow> rows(String mesh) {
    var one = solver("cube:" + POINTS, 1, "ibis");
    var two = solver("cube:" + POINTS, 2, "ibis");
    var four = solver("cube:" + POINTS, MORE_JVMS, "ibis");
    var onMesh = solver(mesh, 2, "ibis");
    var small = solver("cube:" + FEWER_POINTS, 2, "ibis");
    var smallByRmi = solver("cube:" + FEWER_POINTS, 2, "rmi");
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.add(row("em3d-1-jvm", UNIT, one, "kernel-1", SHARE));
    rows.add(row("em3d-2-jvm", UNIT, two, "kernel-2", SHARE));
    rows.add(row("em3d-2-jvm-wait", UNIT, two + "-wait", two, null));
    var exchange = samples.measured(two).minus(samples.measured(two + "-wait").median());
    rows.add(
        new BenchmarkRow(
            "em3d-2-jvm-exchange",
            UNIT,
            exchange.minus(samples.measured("kernel-2").median()),
            samples.of(two),
            null));
    rows.add(row("em3d-2-jvm-by-rmi", UNIT, two, solver("cube:" + POINTS, 2, "rmi"), null));
    rows.add(
        row("em3d-4-jvm-by-rmi", UNIT, four, solver("cube:" + POINTS, MORE_JVMS, "rmi"), null));
    rows.add(row("em3d-ibis-by-rmi", UNIT, small, smallByRmi, RowGoal.ratio(BELOW, 1)));
    rows.add(row("em3d-ibis-by-rmi-wait", UNIT, small + "-wait", smallByRmi + "-wait", null));
    rows.add(
        new BenchmarkRow(
            "em3d-2-jvm-sent", "KiB/step", samples.of(two + "-sent"), null, null, "4 messages"));
    rows.add(against("em3d-kernel-fortran-65", UNIT, "kernel-1", "fortran-1", KERNEL));
    rows.add(against("em3d-kernel-fortran-101", UNIT, "kernel-more", "fortran-more", KERNEL));
    rows.add(against("em3d-2-jvm-fortran", UNIT, two, "fortran-2", TWO_PROCESSES));
    rows.add(against("em3d-2-jvm-fortran-mesh", UNIT, onMesh, "fortran-mesh", TWO_PROCESSES));
    rows.add(against("em3d-4-jvm-fortran", UNIT, four, "fortran-4", null));
    var efficiency = samples.of("fortran-1", "fortran-2", Em3dBenchmark::efficiency);
    rows.add(
        efficiency == null
            ? unmeasured(
                "em3d-efficiency-2-jvm",
                "-",
                failures.containsKey("fortran-1") ? "fortran-1" : "fortran-2",
                EFFICIENCY)
            : new BenchmarkRow(
                "em3d-efficiency-2-jvm",
                "-",
                samples.of(one, two, Em3dBenchmark::efficiency),
                efficiency,
                EFFICIENCY));
    rows.addAll(memory("em3d-memory-1-jvm", one, "fortran-1"));
    rows.addAll(memory("em3d-memory-2-jvm", two, "fortran-2"));
    rows.addAll(memory("em3d-memory-2-jvm-mesh", onMesh, "fortran-mesh"));
    rows.addAll(modelled(two, small));
    return rows.stream().filter(row -> row.ours() != null || !row.note().isEmpty()).toList();
  }

  /** Returns the memory of all JVMs, as a user needs it, and that of the nodes alone. */
  private List<BenchmarkRow> memory(String name, String ours, String peer) {
    var unit = "B/cell";
    return List.of(
        against(name, unit, ours + "-memory", peer + "-memory", MEMORY),
        against(name + "-nodes", unit, ours + "-memory-nodes", peer + "-memory", null));
  }

  /** Returns a row against the peer; without a note if the peer was not tried. */
  private BenchmarkRow against(
      String name, String unit, String ours, String peer, @Nullable RowGoal goal) {
    return samples.of(peer) == null
        ? unmeasured(name, unit, peer, goal)
        : row(name, unit, ours, peer, goal);
  }

  private BenchmarkRow unmeasured(String name, String unit, String peer, @Nullable RowGoal goal) {
    var why = failures.getOrDefault(peer.replace("-memory", ""), unavailability);
    return why.isEmpty()
        ? new BenchmarkRow(name, unit, null, null, goal)
        : BenchmarkRow.unmeasured(name, unit, goal, why);
  }

  private static double efficiency(double alone, double both) {
    return alone / both / 2;
  }

  private BenchmarkRow row(
      String name, String unit, String ours, String reference, @Nullable RowGoal goal) {
    return new BenchmarkRow(
        name, unit, samples.of(ours), samples.of(reference), goal, kernels.getOrDefault(ours, ""));
  }

  /**
   * Returns the predictions of the model, for a measured configuration and for some that cannot be
   * measured here.
   */
  private List<BenchmarkRow> modelled(String two, String small) {
    var cells = 6 * Math.pow(POINTS - 1, 3);
    var model =
        StepTimeModel.fitted(
            samples.measured("kernel-2").median() * 1e6 / (cells / 2),
            FEWER_POINTS,
            besideKernel(small, "kernels-small"),
            POINTS,
            besideKernel(two, "kernel-2"));
    var note =
        "model: %.1f ns per cell and %.0f us + %.2f ns per byte and message"
            .formatted(model.nanosPerCell(), model.latencyMicros(), model.nanosPerByte());
    var far = model.withLatencyMicros(BETWEEN_CLUSTERS_MICROS);
    return List.of(
        new BenchmarkRow(
            "em3d-model-2-jvm",
            UNIT,
            samples.of(two),
            FigureSpread.of(List.of(model.millisPerStep(POINTS, 2))),
            null,
            note),
        predicted("em3d-model-1024-nodes", model, "cube:401 on 1024 nodes against ideal"),
        predicted("em3d-model-1024-far", far, "the same with 10 ms between all of them"));
  }

  private double besideKernel(String step, String kernels) {
    return Math.max(0, samples.measured(step).median() - samples.measured(kernels).median());
  }

  private static BenchmarkRow predicted(String name, StepTimeModel model, String note) {
    return new BenchmarkRow(
        name,
        UNIT,
        FigureSpread.of(List.of(model.millisPerStep(MODEL_POINTS, MODEL_NODES))),
        FigureSpread.of(List.of(model.millisPerStep(MODEL_POINTS, 1) / MODEL_NODES)),
        null,
        "predicted: " + note);
  }
}
