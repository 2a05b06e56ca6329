package org.troupe.benchmarks;

import static org.troupe.benchmarks.Goal.Direction.BELOW;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A step of the solver: against its kernel without any middleware, and over two transports. */
final class Em3d implements Benchmark {

  private static final int POINTS = 65;
  private static final String UNIT = "ms/step";

  /** The middleware's share of a step: below 5 % of it, so the step below 1 / 0.95 kernels. */
  private static final Goal SHARE = Goal.ratio(BELOW, 1 / (1 - 0.05));

  /** A smaller cube, in which calls weigh more; its steps are shorter. */
  private static final int FEWER_POINTS = 33;

  private static final int MORE_STEPS = 10;
  private static final int MORE_ROUNDS = 2;

  @Override
  public String name() {
    return "em3d";
  }

  @Override
  public String about() {
    return "a step of the solver, against its kernel alone, and over ibis against rmi";
  }

  @Override
  public List<Row> run(Effort effort) throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    rows.addAll(againstKernels("em3d-1-jvm", 1, effort));
    rows.addAll(againstKernels("em3d-2-jvm", 2, effort));
    rows.addAll(ibisAgainstRmi(effort));
    return rows;
  }

  /** The step; and of two JVMs also what it consists of beside the kernel. */
  private static List<Row> againstKernels(String name, int jvms, Effort effort)
      throws IOException, InterruptedException {
    var steps = effort.solverSteps();
    List<SolverRun> runs = new ArrayList<>();
    List<Double> kernels = new ArrayList<>();
    for (var round = 0; round < effort.longRounds(); round++) {
      runs.add(SolverRun.of(POINTS, jvms, steps));
      kernels.add(kernels(jvms, steps));
    }
    var step = spread(runs, SolverRun::millisPerStep);
    var kernel = Spread.of(kernels);
    var row = new Row(name, UNIT, step, kernel, SHARE);
    if (jvms == 1) {
      return List.of(row);
    }
    return List.of(
        row,
        new Row(name + "-wait", UNIT, spread(runs, SolverRun::waitMillisPerStep), step, null),
        new Row(
            name + "-exchange",
            UNIT,
            spread(runs, run -> run.millisPerStep() - run.waitMillisPerStep() - kernel.median()),
            step,
            null));
  }

  private static List<Row> ibisAgainstRmi(Effort effort) throws IOException, InterruptedException {
    var steps = MORE_STEPS * effort.solverSteps();
    List<SolverRun> ibis = new ArrayList<>();
    List<SolverRun> rmi = new ArrayList<>();
    for (var round = 0; round < MORE_ROUNDS * effort.longRounds(); round++) {
      ibis.add(SolverRun.of(FEWER_POINTS, 2, steps, "--transport", "ibis"));
      rmi.add(SolverRun.of(FEWER_POINTS, 2, steps, "--transport", "rmi"));
    }
    return List.of(
        new Row(
            "em3d-ibis-by-rmi",
            UNIT,
            spread(ibis, SolverRun::millisPerStep),
            spread(rmi, SolverRun::millisPerStep),
            Goal.ratio(BELOW, 1)),
        new Row(
            "em3d-ibis-by-rmi-wait",
            UNIT,
            spread(ibis, SolverRun::waitMillisPerStep),
            spread(rmi, SolverRun::waitMillisPerStep),
            null));
  }

  private static Spread spread(List<SolverRun> runs, ToDoubleFunction<SolverRun> figure) {
    return Spread.of(runs.stream().mapToDouble(figure).boxed().toList());
  }

  /**
   * As many kernels as JVMs at the same time, each on its part: they share the memory's bandwidth
   * as the solver's JVMs do, but exchange nothing. The slowest counts.
   */
  private static double kernels(int jvms, int steps) throws IOException {
    List<Contender> kernels = new ArrayList<>();
    try {
      for (var rank = 0; rank < jvms; rank++) {
        kernels.add(
            Contender.start(Em3dKernel.class, Pinning.NONE, List.of(), POINTS, jvms, rank, steps));
      }
      kernels.forEach(Contender::begin);
      var slowest = 0.0;
      for (var kernel : kernels) {
        slowest = Math.max(slowest, kernel.end());
      }
      return slowest;
    } finally {
      kernels.forEach(Contender::close);
    }
  }
}
