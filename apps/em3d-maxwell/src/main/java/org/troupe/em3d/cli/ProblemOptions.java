package org.troupe.em3d.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.problem.ProblemReader;
import org.troupe.em3d.problem.ProblemRun;
import org.troupe.em3d.state.RunCheckpoint;
import picocli.CommandLine.Option;

/** The options of the problem, its mesh and its discretisation. */
final class ProblemOptions {

  private static final int DEFAULT_STEPS = 200;
  private static final double DEFAULT_CFL = 0.9;
  private static final String SOUND_CFL =
      "must be above 0, and at most 1 to be proved stable; --unstable allows more";

  @Option(
      names = "--problem",
      paramLabel = "NAME",
      description =
          "the problem: an XML file, or one of cube, sphere, cube-hole, dielectric-slab, dipole"
              + " and plane-wave-scattering")
  private @Nullable String name;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "a variable of the problem or the descriptor")
  private Map<String, String> variables = new HashMap<>();

  @Option(
      names = "--mesh",
      paramLabel = "MESH",
      description =
          "without a problem: cube:N, with N points per axis, or a Gmsh file of version 4.1 or 2.2"
              + " (default: cube:33)")
  private @Nullable String mesh;

  @Option(
      names = "--division",
      paramLabel = "AxBxC",
      defaultValue = "auto",
      description = "the division of a cube into sub-domains; auto: with the fewest border faces")
  private String division;

  @Option(
      names = "--subdomains",
      paramLabel = "N",
      description = "the number of sub-domains, without --division (default: one per node)")
  private @Nullable Integer subDomains;

  @Option(
      names = "--partitioner",
      paramLabel = "auto|metis|built-in",
      defaultValue = "auto",
      description =
          "the partitioner of meshes from files; auto: METIS if it is installed, else the"
              + " built-in bisection")
  private MeshPartitioner partitioner;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "the number of time steps (default: as the problem says, or 200)")
  private @Nullable Integer steps;

  @Option(
      names = "--cfl",
      paramLabel = "X",
      description =
          "time step as a fraction of the stable bound (default: as the problem says, or 0.9)")
  private @Nullable Double cfl;

  @Option(
      names = "--order",
      paramLabel = "0|1",
      description =
          "the degree of the fields in each cell: 0 constant, 1 linear (default: as the problem"
              + " says, or 0)")
  private @Nullable Integer order;

  @Option(
      names = "--unstable",
      description =
          "allow a --cfl above 1, where stability is not proved; the run ends when fields grow"
              + " without bound")
  private boolean unstable;

  private @Nullable ProblemRun problemRun; // of --problem; null without it

  /**
   * Reports errors of these options.
   *
   * @param hasDescriptor whether there is a descriptor, which may declare variables
   */
  void check(OptionErrors wrong, boolean hasDescriptor) {
    if (!hasDescriptor && name == null && !variables.isEmpty()) {
      wrong.add(
          "-D sets a variable of a problem or a descriptor; add --problem or --grid, or leave it"
              + " out");
    }
    if (name != null && mesh != null) {
      wrong.add("--problem and --mesh both say what is solved; leave one out");
    }
    if (steps != null && steps < 1) {
      wrong.add("--steps " + steps + ": a run has at least one step");
    }
    if (subDomains != null && subDomains < 1) {
      wrong.add("--subdomains " + subDomains + ": at least one is needed");
    }
    if (subDomains != null && !division.equals("auto")) {
      wrong.add("--division and --subdomains both say how to divide the mesh; leave one out");
    }
    if (cfl != null && !isSound(cfl)) {
      wrong.add("--cfl " + cfl + ": " + SOUND_CFL);
    }
  }

  private boolean isSound(double itsCfl) {
    return itsCfl > 0 && itsCfl < Double.POSITIVE_INFINITY && (itsCfl <= 1 || unstable);
  }

  /**
   * Reads the problem, and fills in options that were not given.
   *
   * @param state the state to continue from, which provides defaults; {@code null} if there is none
   * @param hasDescriptor as in {@link #check}
   * @return {@code null} if the problem has errors
   */
  @Nullable MaxwellProblem read(
      OptionErrors wrong,
      @Nullable RunCheckpoint state,
      boolean hasDescriptor,
      ProgressLine progress) {
    var read =
        name == null
            ? ofMesh(wrong, state, progress)
            : ofFile(wrong, name, hasDescriptor, progress);
    progress.endReading();
    if (order == null && state != null) {
      order = state.run().order().degree();
    }
    var problem = read == null ? null : wrong.attempt(() -> withOptions(read));
    var fraction = cflOrDefault(wrong, state);
    cfl = fraction;
    var run = problemRun;
    if (steps == null && run != null && problem != null) {
      steps = wrong.attempt(() -> run.steps(problem, fraction));
    } else if (steps == null) {
      steps = DEFAULT_STEPS;
    }
    return problem;
  }

  private double cflOrDefault(OptionErrors wrong, @Nullable RunCheckpoint state) {
    if (cfl != null) {
      return cfl;
    }
    if (state != null) {
      return state.run().cfl();
    }
    var usual = problemRun == null ? DEFAULT_CFL : problemRun.cfl();
    if (!isSound(usual)) {
      wrong.add("cfl %s of %s: %s".formatted(usual, name, SOUND_CFL));
    }
    return usual;
  }

  private @Nullable MaxwellProblem ofFile(
      OptionErrors wrong, String file, boolean hasDescriptor, ProgressLine progress) {
    problemRun =
        wrong.attempt(
            () ->
                ProblemReader.read(
                    file, variables, division, subDomains, partitioner, progress::reading));
    if (problemRun == null) {
      return null;
    }
    var unknown = new TreeSet<>(otherVariables().keySet());
    if (!hasDescriptor && !unknown.isEmpty()) {
      wrong.add(
          "-D sets %s, which %s does not declare; it has %s"
              .formatted(
                  String.join(", ", unknown),
                  file,
                  problemRun.variables().isEmpty()
                      ? "none"
                      : String.join(", ", new TreeSet<>(problemRun.variables()))));
    }
    return problemRun.problem();
  }

  private @Nullable MaxwellProblem ofMesh(
      OptionErrors wrong, @Nullable RunCheckpoint state, ProgressLine progress) {
    var usual = state == null ? "cube:33" : state.run().mesh();
    var chosen = mesh == null ? usual : mesh;
    mesh = chosen;
    if (chosen.startsWith("--problem ")) {
      wrong.add("--restart: the state there is of '%s'; add that".formatted(chosen));
      return null;
    }
    return wrong.attempt(
        () ->
            MaxwellProblem.of(
                chosen, division, subDomains, partitioner, read -> progress.reading(chosen, read)));
  }

  private MaxwellProblem withOptions(MaxwellProblem read) {
    var problem = order == null ? read : read.withOrder(PolynomialOrder.of(order));
    return steps == null ? problem : problem.withoutExpectations();
  }

  // After reading

  /** Returns the time step as a fraction of its bound; to be called after {@link #read}. */
  double cfl() {
    return Objects.requireNonNull(cfl, "read() comes first");
  }

  /** Returns the number of steps; {@code null} if {@link #read} found an error in it. */
  @Nullable Integer stepsIfKnown() {
    return steps;
  }

  /** Returns the number of steps; to be called after {@link #read} without an error. */
  int steps() {
    return Objects.requireNonNull(steps, "an unknown number of steps is an error");
  }

  /** Returns the variables that the problem does not declare. */
  Map<String, String> otherVariables() {
    Map<String, String> left = new HashMap<>(variables);
    if (problemRun != null) {
      left.keySet().removeAll(problemRun.variables());
    }
    return left;
  }

  /** Returns the names that may be input files. */
  List<Path> files() {
    return Stream.of(name, mesh).filter(Objects::nonNull).map(Path::of).toList();
  }
}
