package org.troupe.benchmarks.em3d;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.JvmCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.deployment.Grid;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.run.SubDomainSolver;
import org.troupe.em3d.state.StateArchive;

/** A step of a solver that sends borders as objects, against one that sends arrays. */
public final class ObjectBorderBenchmark implements Benchmark {

  private static final int STEPS = 400;
  private static final String UNIT = "ms";

  @Override
  public String name() {
    return "em3d-objects";
  }

  @Override
  public String about() {
    return "a step of the solver with borders as linked lists of objects, against arrays";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    List<BenchmarkRow> rows = new ArrayList<>();
    for (var transport : List.of("ibis", "rmi")) {
      var samples = new RoundSamples();
      for (var round = 0; round < effort.rounds(); round++) {
        for (var solver : List.of(ObjectBorderSolver.class, SubDomainSolver.class)) {
          samples.add(solver.getSimpleName(), millisPerStep(transport, solver));
        }
      }
      rows.add(
          new BenchmarkRow(
              "em3d-objects-" + transport,
              UNIT,
              samples.of(ObjectBorderSolver.class.getSimpleName()),
              samples.of(SubDomainSolver.class.getSimpleName()),
              null));
    }
    return rows;
  }

  private static double millisPerStep(String transport, Class<?> solver)
      throws IOException, InterruptedException {
    // The program is in the archive of the benchmarks, so the solver is a library to it.
    var options = new ArrayList<>(JvmCommand.TROUPE_OPTIONS);
    options.addAll(
        List.of(
            "-Dtroupe.transport=" + transport, "-Dtroupe.serialization.allow=org.troupe.em3d.**"));
    var command = JvmCommand.command(SolverProgram.class.getName(), options, solver.getName());
    var output = ExternalCommand.run(SolverProgram.class.getSimpleName(), Path.of("."), command);
    return Double.parseDouble(output.lines().toList().getLast());
  }

  /** Prints the milliseconds of a step on two nodes. The argument is the class of the solver. */
  static final class SolverProgram {

    private static final String MESH = "cube:17";
    private static final double CFL = 0.9;
    private static final int JVMS = 2;

    static void main(String[] arguments) throws ClassNotFoundException {
      var solver = Class.forName(arguments[0]).asSubclass(SubDomainSolver.class);
      try (var grid = Grid.local(JVMS)) {
        var problem = MaxwellProblem.of(MESH, "auto", JVMS);
        var archive =
            ActiveObjects.here().create(StateArchive.class, problem.checkpointRun(CFL), "", "");
        var options = RunOptions.of(STEPS, CFL).withThreads(1).withoutStates().withSolver(solver);
        var simulation = new Simulation(problem, grid.nodes(), archive, options, progress -> {});
        simulation.run();
        var report = simulation.report(System.getProperty("troupe.transport"), Set.of(), List.of());
        System.out.println(report.secondsPerStep() * 1e3);
      }
    }
  }
}
