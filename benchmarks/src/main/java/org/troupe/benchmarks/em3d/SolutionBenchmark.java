package org.troupe.benchmarks.em3d;

import static org.troupe.benchmarks.harness.RowGoal.Direction.AT_MOST;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.DistributionCommand;
import org.troupe.benchmarks.harness.ExternalCommand;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.harness.RoundSamples;
import org.troupe.benchmarks.harness.RowGoal;
import org.troupe.benchmarks.harness.TerminationCleanup;
import org.troupe.em3d.mesh.CubeDivision;

/**
 * The time that a user waits, from the command to its end, and the memory that it takes, against
 * Fortran with MPI. Every run starts new JVMs; only the caches of files are warm.
 */
public final class SolutionBenchmark implements Benchmark {

  private static final String UNIT = "s";
  private static final int PEER_PROCESSES = 2;

  /** The turns of a short measurement; a problem has fewer if it is a long one. */
  private static final int QUICK_TURNS = 3;

  private static final int MOST_TURNS = 5;

  /** The number of JVMs of a run without the option. */
  private static final int DEFAULT_JVMS = 0;

  /**
   * A problem that is solved.
   *
   * @param points of the cube along each edge; 0 for the mesh from a file
   * @param steps of the run
   * @param goal for the run with default options; {@code null} for none
   * @param isQuick whether a short measurement includes it
   * @param turns of a full measurement; a run of a minute varies less than one of seconds
   * @param byJvms whether it is also solved by one JVM and by two
   */
  private record Problem(
      int points, int steps, @Nullable RowGoal goal, boolean isQuick, int turns, boolean byJvms) {

    /** Returns the highest number of JVMs that an option demands. */
    int mostJvms() {
      return byJvms ? 2 : DEFAULT_JVMS;
    }

    /** Returns whether the parts of the time before the first steps have rows. */
    boolean showsPhases() {
      return points == 33 && steps == 200 || points == 65 && steps == 400;
    }

    String name() {
      return (points == 0 ? "mesh" : points) + "-" + steps;
    }
  }

  private static final List<Problem> PROBLEMS =
      List.of(
          new Problem(17, 200, null, false, 3, true),
          new Problem(17, 2000, null, false, 3, true),
          new Problem(33, 200, RowGoal.ratio(AT_MOST, 2), true, 5, true),
          new Problem(33, 2000, RowGoal.ratio(AT_MOST, 1), true, 5, true),
          new Problem(65, 200, null, false, 1, true),
          new Problem(65, 400, RowGoal.ratio(AT_MOST, 1), true, 3, true),
          new Problem(65, 1600, RowGoal.ratio(AT_MOST, 0.75), false, 3, false),
          new Problem(65, 2000, null, false, 1, true),
          new Problem(0, 200, null, true, 3, true),
          new Problem(0, 2000, null, false, 1, true));

  /** Names of the parts of the set-up in the solver's report, in order. */
  private static final List<String> PHASES =
      List.of(
          "launcher",
          "mesh",
          "deployment",
          "nodes",
          "division",
          "shipping",
          "construction",
          "fields",
          "warm-up");

  private static final String WAIT = "-wait";
  private static final String STEP = "-step";

  /** A run with linear functions, and the row of the run with constants on that mesh. */
  private static final String LINEAR = "em3d-order-1";

  private static final String QUARTER = "-quarter";
  private static final String CONSTANT = "em3d-solution-33-2000";
  private static final RowGoal LINEAR_GOAL = RowGoal.ratio(AT_MOST, 2.5);
  private static final double UNKNOWNS = 4; // of linear functions for one of constants
  private static final RowGoal WAIT_GOAL = RowGoal.ours(AT_MOST, 0.08);
  private static final RowGoal DEFAULT_GOAL = RowGoal.ratio(AT_MOST, 1.05);
  private static final int SMALLEST_POINTS = 5;
  private static final int SMALLEST_STEPS = 20;
  private static final String SMALLEST = "em3d-solution-" + SMALLEST_POINTS + "-" + SMALLEST_STEPS;
  private static final RowGoal SMALLEST_GOAL = RowGoal.ours(AT_MOST, 1.2);

  /** The numbers of JVMs whose memory on meshes from files is measured. */
  private static final List<Integer> JVMS_OF_MEMORY = List.of(DEFAULT_JVMS, 2);

  private final RoundSamples samples = new RoundSamples();
  private final MeshMemory memory = new MeshMemory();
  private String peerFailure = "";

  @Override
  public String name() {
    return "em3d-solution";
  }

  @Override
  public String about() {
    return "the solver from its command to its end, cold, against Fortran with MPI";
  }

  @Override
  public List<BenchmarkRow> run(MeasurementEffort effort) throws IOException, InterruptedException {
    var problems = PROBLEMS.stream().filter(each -> each.isQuick || !effort.isQuick()).toList();
    var command = DistributionCommand.path();
    if (command.isEmpty()) {
      var reason = "this JVM was not started by ./troupe";
      return rows(problems).stream()
          .map(row -> BenchmarkRow.unmeasured(row.row(), UNIT, row.goal(), reason))
          .toList();
    }
    try (var mesh = new PerturbedCube();
        var peer = peer()) {
      var parts = mesh.parts(PEER_PROCESSES);
      solve(SMALLEST, command.get(), smallest(), DEFAULT_JVMS); // fills the caches of files
      samples.clear();
      for (var round = 0; round < (effort.isQuick() ? QUICK_TURNS : MOST_TURNS); round++) {
        solve(SMALLEST, command.get(), smallest(), DEFAULT_JVMS);
        if (round < QUICK_TURNS) {
          var step = solve(LINEAR, command.get(), linear(), DEFAULT_JVMS);
          samples.add(LINEAR + QUARTER, step / UNKNOWNS);
        }
        for (var problem : problems) {
          if (round >= problem.turns) {
            continue;
          }
          for (var jvms = DEFAULT_JVMS; jvms <= problem.mostJvms(); jvms++) {
            solve(row(problem, jvms), command.get(), arguments(problem, mesh.file()), jvms);
          }
          solveByPeer(peer, problem, mesh.file(), parts);
        }
      }
      memory.measure(
          effort.isQuick(),
          JVMS_OF_MEMORY,
          (arguments, jvms) -> run(command(command.get(), arguments, jvms)),
          peerFailure.isEmpty() ? peer : null);
    }
    List<BenchmarkRow> rows = new ArrayList<>(rows(problems));
    rows.addAll(memory.rows(effort.isQuick(), JVMS_OF_MEMORY));
    return rows;
  }

  private static List<String> smallest() {
    return List.of("--mesh", "cube:" + SMALLEST_POINTS, "--steps", "" + SMALLEST_STEPS);
  }

  private static List<String> linear() {
    return List.of("--mesh", "cube:33", "--steps", "200", "--order", "1");
  }

  private static List<String> arguments(Problem problem, Path file) {
    var mesh = problem.points == 0 ? file.toString() : "cube:" + problem.points;
    return List.of("--mesh", mesh, "--steps", "" + problem.steps);
  }

  private static List<String> command(Path troupe, List<String> arguments, int jvms) {
    var command = new ArrayList<>(List.of(troupe.toString(), "run", "em3d"));
    command.addAll(arguments);
    if (jvms != DEFAULT_JVMS) {
      command.addAll(List.of("--jvms", "" + jvms));
    }
    return command;
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    ExternalCommand.run(String.join(" ", command), Path.of("."), command);
  }

  /**
   * Measures a whole command, the parts of its set-up, and the share of waiting for borders.
   *
   * @return the milliseconds of a step
   */
  private double solve(String row, Path troupe, List<String> arguments, int jvms)
      throws IOException, InterruptedException {
    var command = command(troupe, arguments, jvms);
    var report = TerminationCleanup.file(".json");
    try {
      command.addAll(List.of("--report", report.toString()));
      var began = System.nanoTime();
      run(command);
      samples.add(row, (System.nanoTime() - began) / 1e9);
      var text = Files.readString(report);
      var phases = text.substring(text.indexOf("\"phases\"")); // other parts have such names, too
      for (var phase : PHASES) {
        SolverRun.numberIfAny(phase, phases)
            .ifPresent(seconds -> samples.add(row + "-" + phase, seconds));
      }
      SolverRun.numberIfAny("haloWaitFraction", text)
          .ifPresent(share -> samples.add(row + WAIT, share));
      var step = SolverRun.of(text).millisPerStep();
      samples.add(row + STEP, step);
      return step;
    } finally {
      TerminationCleanup.delete(report);
    }
  }

  /** Returns the peer; {@code null}, with a reason in a field, if it cannot be built here. */
  private @Nullable FortranSolver peer() throws InterruptedException {
    Optional<String> reason = FortranSolver.whyUnavailable();
    if (reason.isPresent()) {
      peerFailure = reason.get();
      return null;
    }
    try {
      return FortranSolver.build();
    } catch (IOException e) {
      peerFailure = String.valueOf(e.getMessage()).replace(',', ';');
      return null;
    }
  }

  /** Measures the peer; after a failure only our own side is measured. */
  private void solveByPeer(@Nullable FortranSolver peer, Problem problem, Path mesh, Path parts)
      throws InterruptedException {
    if (peer == null || !peerFailure.isEmpty()) {
      return;
    }
    try {
      var began = System.nanoTime();
      if (problem.points == 0) {
        peer.onFile(mesh, parts, PEER_PROCESSES, problem.steps);
      } else {
        var division = CubeDivision.auto(PEER_PROCESSES, problem.points);
        peer.onCube(
            problem.points, List.of(division.x(), division.y(), division.z()), problem.steps);
      }
      samples.add(peerRow(problem), (System.nanoTime() - began) / 1e9);
    } catch (IOException e) {
      peerFailure = String.valueOf(e.getMessage()).replace(',', ';');
    }
  }

  private static String row(Problem problem, int jvms) {
    var suffix =
        switch (jvms) {
          case DEFAULT_JVMS -> "";
          case 1 -> "-1-jvm";
          default -> "-" + jvms + "-jvms";
        };
    return "em3d-solution-" + problem.name() + suffix;
  }

  private static String peerRow(Problem problem) {
    return "fortran-" + problem.name();
  }

  private List<BenchmarkRow> rows(List<Problem> problems) {
    List<BenchmarkRow> rows = new ArrayList<>();
    rows.add(new BenchmarkRow(SMALLEST, UNIT, samples.of(SMALLEST), null, SMALLEST_GOAL));
    rows.add(
        new BenchmarkRow(
            LINEAR, "ms", samples.of(LINEAR + QUARTER), samples.of(CONSTANT + STEP), LINEAR_GOAL));
    for (var problem : problems) {
      for (var jvms = DEFAULT_JVMS; jvms <= problem.mostJvms(); jvms++) {
        rows.add(
            new BenchmarkRow(
                row(problem, jvms),
                UNIT,
                samples.of(row(problem, jvms)),
                samples.of(peerRow(problem)),
                jvms == DEFAULT_JVMS ? problem.goal : null,
                samples.of(peerRow(problem)) == null ? "no peer: " + peerFailure : ""));
        if (problem.showsPhases()) {
          addPhases(row(problem, jvms), rows);
        }
      }
      if (!problem.byJvms) {
        continue;
      }
      var twoJvms = row(problem, 2) + WAIT;
      rows.add(
          new BenchmarkRow(
              twoJvms,
              "share",
              samples.of(twoJvms),
              null,
              problem.points == 33 && problem.steps == 2000 ? WAIT_GOAL : null));
      rows.add(
          new BenchmarkRow(
              row(problem, DEFAULT_JVMS) + "-by-best",
              UNIT,
              samples.of(row(problem, DEFAULT_JVMS)),
              samples.of(row(problem, 1), row(problem, 2), Math::min),
              DEFAULT_GOAL));
    }
    return rows;
  }

  /** Adds a row for each part of the set-up that such a run has. */
  private void addPhases(String row, List<BenchmarkRow> rows) {
    for (var phase : PHASES) {
      var name = row + "-" + phase;
      if (samples.of(name) != null) {
        rows.add(new BenchmarkRow(name, UNIT, samples.of(name), null, null));
      }
    }
  }
}
