package org.troupe.em3d;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.NodesMissingException;
import org.troupe.deployment.DeploymentException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.Plan;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.Spelling;
import org.troupe.em3d.maxwell.Order;
import org.troupe.em3d.mesh.MeshException;
import org.troupe.em3d.mesh.Partitioner;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The solver as a program. */
@Command(
    name = "em3d",
    sortOptions = false,
    description = {
      "Solves Maxwell's equations in the time domain, by finite volumes on tetrahedra,",
      "divided over the nodes of a grid."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the run is complete, or was stopped on its page",
      "1:the run failed, or missed what a problem expects",
      "2:wrong options, mesh or descriptor; nothing was started",
      "3:the nodes could not be started"
    })
public final class Main implements Callable<Integer> {

  private static final int DEFAULT_STEPS = 200;
  private static final double DEFAULT_CFL = 0.9;
  private static final String SOUND_CFL =
      "must be above 0, and at most 1 to be proved stable; --unstable allows more";
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int NOT_DEPLOYED = 3;

  /**
   * The kernel is slower without the module of its vectors. A node makes a few large arrays and
   * then next to nothing: a collector with a heap that is no larger than what is in use does, and a
   * node takes half the memory (measured: 210 MB instead of 550 MB for 255,000 cells).
   */
  private static final List<String> OF_NODES =
      List.of("--add-modules=jdk.incubator.vector", "-XX:+UseSerialGC", "-Xms16m", "-Xmn12m");

  private static final String SOLVERS = "solvers";

  @Option(
      names = "--problem",
      paramLabel = "NAME",
      description =
          "what is to be solved: an XML file, or one of cube, sphere, cube-hole, dielectric-slab,"
              + " dipole and plane-wave-scattering")
  private String problemName;

  @Option(
      names = "--mesh",
      paramLabel = "MESH",
      description =
          "without a problem: cube:N, with N points per axis, or a Gmsh file of version 4.1 or 2.2"
              + " (default: cube:33)")
  private String mesh;

  @Option(
      names = "--division",
      paramLabel = "AxBxC",
      defaultValue = "auto",
      description = "how a cube is cut into sub-domains; auto: the fewest border faces")
  private String division;

  @Option(
      names = "--subdomains",
      paramLabel = "N",
      description = "how many sub-domains, without --division (default: one per node)")
  private Integer subDomains;

  @Option(
      names = "--partitioner",
      paramLabel = "auto|metis|built-in",
      defaultValue = "auto",
      description =
          "what cuts a mesh from a file; auto: METIS where it is installed, else the built-in"
              + " bisection")
  private Partitioner partitioner;

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "how many time steps (default: as the problem says, or 200)")
  private Integer steps;

  @Option(
      names = "--cfl",
      paramLabel = "X",
      description =
          "time step as a fraction of the stable bound (default: as the problem says, or 0.9)")
  private Double cfl;

  @Option(
      names = "--order",
      paramLabel = "0|1",
      description =
          "of what the fields are made in each cell: 0 constants, 1 linear functions (default: as"
              + " the problem says, or 0)")
  private Integer order;

  @Option(
      names = "--unstable",
      description =
          "allow a --cfl above 1, where stability is not proved; the run ends when fields grow"
              + " without bound")
  private boolean unstable;

  @Option(
      names = "--plan",
      description = "show the division, its cost and the time step, and start nothing")
  private boolean plan;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      description = "how many JVMs to start on this machine (default: 2)")
  private Integer jvms;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "how many threads advance each sub-domain (default: the processors of a machine, divided"
              + " by the sub-domains there)")
  private Integer threads;

  @Option(
      names = "--halo",
      paramLabel = "arrays|objects",
      defaultValue = "arrays",
      description =
          "how borders travel; objects: in linked lists, slowly, to see what a transport makes of"
              + " them (default: ${DEFAULT-VALUE})")
  private Halo halo;

  @Option(
      names = "--grid",
      paramLabel = "FILE.xml",
      description = "a descriptor that says where the nodes come from, instead of --jvms")
  private Path grid;

  @Option(
      names = "-D",
      paramLabel = "NAME=VALUE",
      description = "a variable of the problem or the descriptor")
  private Map<String, String> variables = new HashMap<>();

  @Option(
      names = "--min-nodes",
      paramLabel = "N",
      description =
          "how many nodes are enough: the run begins as soon as they are there, and after a loss"
              + " waits for so many (default: waits for all, but goes on with those that come)")
  private Integer minNodes;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = TimeConverter.class,
      description = "how long to wait for nodes, such as 90s, 5m or 2h (default: ${DEFAULT-VALUE})")
  private Duration patience;

  @Option(
      names = "--adapt",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "whether nodes that join during the run are taken in, if it is long enough for that to"
              + " pay (default: ${DEFAULT-VALUE})")
  private Switch adapt;

  @Option(
      names = "--checkpoint",
      paramLabel = "DIR",
      description = "write each state that is saved into this folder, and that of the end")
  private Path checkpoint;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "N",
      description =
          "how many steps lie between two states that are saved, from which the run goes on when a"
              + " node is lost; 0: none but those of the end and of planned changes (default: "
              + RunOptions.CHECKPOINT_EVERY
              + ")")
  private Integer checkpointEvery;

  @Option(
      names = "--restart",
      paramLabel = "DIR",
      description = "go on from the state in this folder, on whatever nodes there are now")
  private Path restart;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "how the nodes talk (default: troupe.transport, or ibis)")
  private String transport;

  @Mixin private SeeOptions see;

  @Option(names = "--report", paramLabel = "FILE.json", description = "write the report here")
  private Path report;

  @Option(names = "--verbose", description = "show the stack trace of an error")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this text")
  private boolean help;

  private Descriptor descriptor; // of --grid, or null
  private Task task; // of --problem, or null

  private Main() {}

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the program; returns its exit code. */
  public static int run(String... arguments) {
    var command = new CommandLine(new Main());
    command.registerConverter(Halo.class, text -> chosen(text, Halo.values()));
    command.registerConverter(Partitioner.class, text -> chosen(text, Partitioner.values()));
    command.registerConverter(Switch.class, text -> chosen(text, Switch.values()));
    command.getCommandSpec().parser().collectErrors(true); // so that all can be told at once
    command.setExecutionExceptionHandler(
        (failure, line, result) -> ((Main) line.getCommand()).explain(failure, line.getErr()));
    command.setParameterExceptionHandler(
        (wrong, line) -> {
          wrong.getCommandLine().getErr().println(wrong.getMessage());
          return USAGE;
        });
    return command.execute(arguments);
  }

  /** By the word that users write; picocli would take, and list, Java's name as well. */
  private static <E extends Enum<E>> E chosen(String word, E[] values) {
    return Arrays.stream(values)
        .filter(each -> each.toString().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandLine.TypeConversionException(
                    "'%s' is unknown; %s"
                        .formatted(
                            word,
                            Spelling.choice(
                                word, Stream.of(values).map(Enum::toString).toList(), ""))));
  }

  private static Object oneLine(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return "a node ran out of memory ("
            + cause.getMessage()
            + "); give its JVM more, with <option>-Xmx4g</option> in a descriptor's jvm, take more"
            + " JVMs, or a coarser mesh";
      }
    }
    return failure.getMessage() == null ? failure : failure.getMessage();
  }

  private int explain(Exception failure, PrintWriter err) {
    if (verbose) {
      failure.printStackTrace(err);
    } else {
      err.println(oneLine(failure));
    }
    return switch (failure) {
      case DescriptorException wrong -> USAGE;
      case MeshException wrong -> USAGE;
      case CheckpointException wrong -> USAGE;
      case IllegalArgumentException wrong -> USAGE;
      case DeploymentException none -> NOT_DEPLOYED;
      default -> FAILED;
    };
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private enum Switch {
    on,
    off
  }

  /** Reads {@code 90s}, {@code 5m}, {@code 2h}, or what ISO 8601 says. */
  private static final class TimeConverter implements CommandLine.ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return Duration.parse(text.matches("\\d+[smh]") ? "PT" + text : text);
      } catch (DateTimeParseException e) {
        throw new CommandLine.TypeConversionException(
            "'" + text + "' is no time; write such as 90s, 5m or 2h");
      }
    }
  }

  @Override
  public Integer call() throws Exception {
    var progress =
        new ProgressLine(System.err, System.console() != null && System.console().isTerminal());
    var problem = checked(progress);
    if (plan) {
      System.out.print(
          new Blueprint(problem, nodesPlanned(), cfl, problem.stepBound(), steps).toTable());
      return 0;
    }
    var runOptions = runOptions(problem, progress);
    if (see.out() == null && problem.setup().isSeen()) {
      progress.news(
          "nothing of what %s measures and draws is written, as no folder is named for it; add --out DIR"
              .formatted(problemName));
    }
    try (Grid deployed = deploy()) {
      Nodes nodes;
      try {
        nodes = solverNodes(deployed, progress);
      } catch (IllegalStateException | TimeoutException missing) {
        spec.commandLine().getErr().println(missing.getMessage());
        return NOT_DEPLOYED;
      }
      if (!verbose) {
        // A call to a lost node is one of many; the loss itself is told, once.
        ActiveObjects.onFailure(failure -> {});
      }
      var archive =
          ActiveObjects.here()
              .create(
                  Archive.class, Checkpoint.Run.of(problem, cfl), text(checkpoint), text(restart));
      if (problem.start() instanceof Start.Kept(String folder)) {
        archive.beginWith(folder);
      }
      try (var results = Results.open(see.out(), looks(problem), progress)) {
        var simulation = new Simulation(problem, nodes, archive, runOptions, results.watcher());
        results.show(simulation, checkpoint);
        Report finished;
        Readings readings;
        try {
          simulation.run();
          finished = simulation.report(options().transport(), deployed.drivers());
          readings = new Readings(problem.setup().gauges(), simulation.series());
        } catch (RuntimeException failure) {
          results.fail(simulation, failure);
          throw failure;
        }
        var isWhole = results.finish(finished, readings, report);
        var isMet = finished.checks().stream().allMatch(Expectation.Verdict::isMet);
        return isWhole && isMet ? 0 : FAILED;
      }
    }
  }

  private static String text(Path folder) {
    return folder == null ? "" : folder.toString();
  }

  /** What a problem wants to be written needs a folder. */
  private Looks looks(Problem problem) {
    var looks = see.looks(problem.whole());
    return see.out() == null ? looks : looks.and(problem.setup().outputs());
  }

  // Options

  /**
   * Checks all that can be before anything is started, and fills in what is left open.
   *
   * @throws ParameterException with every problem, one in a line
   */
  private Problem checked(ProgressLine progress) {
    List<String> wrong = new ArrayList<>();
    spec.commandLine().getParseResult().errors().forEach(each -> wrong.add(each.getMessage()));
    nameHelp(wrong);
    refuse(wrong); // what comes after the first value of a wrong kind has not been read
    checkOptions(wrong);
    nameHelp(wrong);
    var state = restart == null ? null : attempt(wrong, () -> Checkpoint.readHeader(restart));
    var read = problem(wrong, state, progress);
    progress.endReading();
    if (order == null && state != null) {
      order = state.run().order().degree();
    }
    var problem = read == null ? null : attempt(wrong, () -> asOptionsSay(read));
    if (cfl == null && state != null) {
      cfl = state.run().cfl();
    } else if (cfl == null) {
      cfl = task == null ? DEFAULT_CFL : task.cfl();
      if (!isCfl(cfl)) {
        wrong.add("cfl %s of %s: %s".formatted(cfl, problemName, SOUND_CFL));
      }
    }
    if (steps == null) {
      steps =
          task == null || problem == null
              ? DEFAULT_STEPS
              : attempt(wrong, () -> task.steps(problem, cfl));
    }
    if (grid != null && jvms == null) {
      descriptor = attempt(wrong, () -> Descriptor.read(grid, ofDescriptor()));
    }
    if (problem != null) {
      see.check(wrong, problem.whole());
    }
    if (problem != null && problem.start() instanceof Start.Kept(String folder)) {
      checkBeginning(wrong, problem, folder);
    }
    if (problem != null && state != null) {
      attempt(
          wrong,
          () -> {
            state.run().requireSame(Checkpoint.Run.of(problem, cfl), restart);
            return null;
          });
      if (steps != null && state.point().step() > steps) {
        wrong.add(
            "--steps %d: the state in %s is of step %d already; give more"
                .formatted(steps, restart, state.point().step()));
      }
    }
    if (problem != null && wantsStates() && !fits(problem)) {
      wrong.add(
          "a state of '%s' takes %,d MB while it is saved, and this JVM may use %,d; give it more"
                  .formatted(
                      problem.words(),
                      Checkpoint.memory(Checkpoint.Run.of(problem, cfl)) >> 20,
                      memory() >> 20)
              + ", with JDK_JAVA_OPTIONS=-Xmx..g, or leave --checkpoint, --checkpoint-every and --restart"
              + " out");
    }
    refuse(wrong);
    return problem;
  }

  private Problem asOptionsSay(Problem read) {
    var problem = order == null ? read : read.withOrder(Order.of(order));
    return steps == null ? problem : problem.withoutExpectations();
  }

  /** Its H is that of half a step before its E, so steps must be equal. */
  private void checkBeginning(List<String> wrong, Problem problem, String folder) {
    var kept = Checkpoint.readHeader(Path.of(folder));
    var dt = cfl * problem.stepBound();
    if (kept.run().order() != problem.order() || Math.abs(kept.point().dt() / dt - 1) > 1e-6) {
      wrong.add(
          "the state in '%s', which %s begins with, has time steps of %.6g m and order %d, this run %.6g m and %d; choose --cfl and --order alike"
              .formatted(
                  folder,
                  problemName,
                  kept.point().dt(),
                  kept.run().order().degree(),
                  dt,
                  problem.order().degree()));
    }
  }

  private Problem problem(List<String> wrong, Checkpoint state, ProgressLine progress) {
    if (problemName != null) {
      task =
          attempt(
              wrong,
              () ->
                  ProblemReader.read(
                      problemName,
                      variables,
                      division,
                      subDomains,
                      partitioner,
                      progress::reading));
      if (task != null && grid == null && !ofDescriptor().isEmpty()) {
        wrong.add(
            "-D sets %s, which %s does not declare; it has %s"
                .formatted(
                    String.join(", ", new TreeSet<>(ofDescriptor().keySet())),
                    problemName,
                    task.variables().isEmpty()
                        ? "none"
                        : String.join(", ", new TreeSet<>(task.variables()))));
      }
      return task == null ? null : task.problem();
    }
    if (mesh == null) {
      mesh = state == null ? "cube:33" : state.run().mesh();
    }
    if (mesh.startsWith("--problem ")) {
      wrong.add("%s holds a state of '%s'; add that".formatted(restart, mesh));
      return null;
    }
    return attempt(
        wrong,
        () ->
            Problem.of(
                mesh, division, subDomains, partitioner, read -> progress.reading(mesh, read)));
  }

  /** The variables that the problem does not declare. */
  private Map<String, String> ofDescriptor() {
    Map<String, String> left = new HashMap<>(variables);
    if (task != null) {
      left.keySet().removeAll(task.variables());
    }
    return left;
  }

  private boolean isCfl(double itsCfl) {
    return itsCfl > 0 && itsCfl < Double.POSITIVE_INFINITY && (itsCfl <= 1 || unstable);
  }

  /** It tells of options, not of what is wrong with a problem or a mesh. */
  private static void nameHelp(List<String> wrong) {
    if (!wrong.isEmpty()) {
      wrong.add(wrong.removeLast() + "; see --help");
    }
  }

  private void refuse(List<String> wrong) {
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), String.join(System.lineSeparator(), wrong));
    }
  }

  /** Notes what is wrong instead of throwing it. */
  private static <T> T attempt(List<String> wrong, Supplier<T> what) {
    try {
      return what.get();
    } catch (IllegalArgumentException
        | MeshException
        | CheckpointException
        | DescriptorException e) {
      wrong.add(e.getMessage());
      return null;
    }
  }

  private void checkOptions(List<String> wrong) {
    if (jvms != null && grid != null) {
      wrong.add("--jvms and --grid both say where the nodes come from; leave one out");
    }
    if (grid == null && problemName == null && !variables.isEmpty()) {
      wrong.add(
          "-D sets a variable of a problem or a descriptor; add --problem or --grid, or leave it"
              + " out");
    }
    if (problemName != null && mesh != null) {
      wrong.add("--problem and --mesh both say what is solved; leave one out");
    }
    if (jvms != null && jvms < 1) {
      wrong.add("--jvms " + jvms + ": at least one JVM is needed");
    }
    if (threads != null && threads < 1) {
      wrong.add("--threads " + threads + ": at least one is needed");
    }
    if (minNodes != null && minNodes < 1) {
      wrong.add("--min-nodes " + minNodes + ": at least one is needed");
    }
    if (minNodes != null && grid == null && minNodes > jvms()) {
      wrong.add(
          "--min-nodes %d: only %d JVMs are started; say --jvms %d, or ask for fewer"
              .formatted(minNodes, jvms(), minNodes));
    }
    if (patience.isNegative()) {
      wrong.add("--wait " + patience + ": give a time from now on, or 0s for none");
    }
    if (checkpointEvery != null && checkpointEvery < 0) {
      wrong.add("--checkpoint-every " + checkpointEvery + ": give at least 1, or 0 for none");
    }
    if (steps != null && steps < 1) {
      wrong.add("--steps " + steps + ": a run has at least one step");
    }
    if (subDomains != null && subDomains < 1) {
      wrong.add("--subdomains " + subDomains + ": at least one is needed");
    }
    if (subDomains != null && !division.equals("auto")) {
      wrong.add("--division and --subdomains both say how to cut; leave one out");
    }
    if (cfl != null && !isCfl(cfl)) {
      wrong.add("--cfl " + cfl + ": " + SOUND_CFL);
    }
    checkFiles(wrong);
  }

  private void checkFiles(List<String> wrong) {
    see.check(wrong);
    for (var input : inputs()) {
      if (see.out() != null && Files.exists(input) && isWithin(see.out(), input)) {
        wrong.add(
            "--out %s: to overwrite it would remove %s, with which this run begins; move that elsewhere first"
                .formatted(see.out(), input));
      }
    }
    if (report != null && Files.isDirectory(report)) {
      wrong.add("--report " + report + " is a folder; name a file");
    }
    if (checkpoint != null && Files.exists(checkpoint) && !Files.isDirectory(checkpoint)) {
      wrong.add("--checkpoint " + checkpoint + " is no folder; name one, new or old");
    } else if (checkpoint != null && Checkpoint.isIn(checkpoint) && !isSame(checkpoint, restart)) {
      wrong.add(
          ("--checkpoint %s holds a state already; go on from it with --restart %s, or name another"
                  + " folder")
              .formatted(checkpoint, checkpoint));
    }
    for (var file : new Path[] {see.out(), report, checkpoint}) {
      if (file != null) {
        var folder = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
          wrong.add("'" + folder + "' is no folder that can be written to, for " + file);
        }
      }
    }
  }

  private List<Path> inputs() {
    List<Path> inputs = new ArrayList<>();
    if (restart != null) {
      inputs.add(restart);
    }
    if (grid != null) {
      inputs.add(grid);
    }
    Stream.of(problemName, mesh).filter(Objects::nonNull).map(Path::of).forEach(inputs::add);
    return inputs;
  }

  private static boolean isWithin(Path folder, Path file) {
    return file.toAbsolutePath().normalize().startsWith(folder.toAbsolutePath().normalize());
  }

  private static boolean isSame(Path folder, Path other) {
    return other != null
        && folder.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  private boolean wantsStates() {
    return checkpoint != null || restart != null || checkpointEvery != null && checkpointEvery > 0;
  }

  private boolean fits(Problem problem) {
    return Checkpoint.memory(Checkpoint.Run.of(problem, cfl)) < memory();
  }

  /** How much of this JVM's memory states may take. */
  private static long memory() {
    return Runtime.getRuntime().maxMemory() / 4 * 3;
  }

  private RunOptions runOptions(Problem problem, Watcher watcher) {
    var usual =
        RunOptions.of(steps, cfl)
            .withEnough(minNodes == null ? 1 : minNodes, patience)
            .withHalo(halo)
            .withThreads(threads == null ? RunOptions.ALL_THREADS : threads)
            .withWorthSteps(adapt == Switch.on ? RunOptions.WORTH_STEPS : RunOptions.NEVER);
    if (checkpointEvery != null) {
      return usual.withCheckpointEvery(checkpointEvery);
    }
    if (!fits(problem)) {
      watcher.news(
          "states of this mesh do not fit into the memory of this JVM, so none is saved: if a node"
              + " is lost the run begins anew, and nodes that join are not taken in");
      return usual.withoutStates();
    }
    return usual;
  }

  // Nodes

  private int jvms() {
    return jvms == null ? 2 : jvms;
  }

  /** How many are started, if all come. */
  private int nodesPlanned() {
    return grid == null ? jvms() : Plan.of(descriptor).nodes().size();
  }

  private Grid deploy() {
    return Grid.deploy(grid == null ? Descriptor.local(jvms()) : descriptor, options());
  }

  private GridOptions options() {
    var options = GridOptions.standard().withVariables(ofDescriptor()).withJvmOptions(OF_NODES);
    return transport == null ? options : options.withTransport(transport);
  }

  /** Those of the virtual node 'solvers', or all where the descriptor has none of this name. */
  private Nodes solverNodes(Grid deployed, Watcher watcher)
      throws InterruptedException, TimeoutException {
    var named =
        grid != null
            && descriptor.virtualNodes().stream().anyMatch(each -> each.name().equals(SOLVERS));
    var nodes = named ? deployed.nodes(SOLVERS) : deployed.nodes();
    if (minNodes != null) {
      try (var _ = deployed.view()) {
        return nodes.await(Nodes.atLeast(minNodes), patience);
      }
    }
    var asked =
        (int)
            deployed.status().stream()
                .filter(each -> !named || each.plan().virtualNodes().contains(SOLVERS))
                .count();
    String missing;
    try (var _ = deployed.view()) {
      missing = awaitAllThatCome(nodes, asked);
    }
    if (missing != null) {
      watcher.news(
          "warning: beginning with %d of %d nodes (--min-nodes %d refuses that); while they were awaited: %s"
              .formatted(nodes.size(), asked, asked, missing));
    }
    return nodes;
  }

  /** Waits for all nodes but those that cannot come any more; returns who is missing, if any. */
  private String awaitAllThatCome(Nodes nodes, int asked)
      throws InterruptedException, TimeoutException {
    var deadline = System.nanoTime() + patience.toNanos();
    String missing = null;
    for (var needed = asked; ; needed--) {
      try {
        nodes.await(
            Nodes.atLeast(needed), Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        return missing;
      } catch (NodesMissingException | TimeoutException fewer) {
        missing = fewer.getMessage();
        if (needed == 1) {
          throw fewer;
        }
      }
    }
  }
}
