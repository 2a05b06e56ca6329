package org.troupe.em3d.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.deployment.DeploymentException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.files.StandardOutput;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.text.OptionValues;
import org.troupe.descriptors.text.SpellingHints;
import org.troupe.em3d.display.OutputSpec;
import org.troupe.em3d.mesh.MeshException;
import org.troupe.em3d.mesh.MeshPartitioner;
import org.troupe.em3d.output.ResultFolder;
import org.troupe.em3d.problem.ExpectedResult;
import org.troupe.em3d.problem.InitialFields;
import org.troupe.em3d.problem.MaxwellProblem;
import org.troupe.em3d.report.RunReport;
import org.troupe.em3d.run.RunOptions;
import org.troupe.em3d.run.Simulation;
import org.troupe.em3d.state.CheckpointException;
import org.troupe.em3d.state.MonitorSeries;
import org.troupe.em3d.state.StateArchive;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line program of the solver. */
@Command(
    name = "em3d",
    sortOptions = false,
    description = {
      "Solves Maxwell's equations in the time domain, by finite volumes on tetrahedra,",
      "divided among the nodes of a grid."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the run is complete, or was stopped on its panel",
      "1:the run failed, missed what a problem expects, or could not write what was asked for",
      "2:wrong options, mesh or descriptor; nothing was started",
      "3:the nodes could not be started"
    })
public final class Main implements Callable<Integer> {

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int NOT_DEPLOYED = 3;
  private static final int MOST_THREADS = 1024;

  @Mixin private ProblemOptions what;

  @Option(
      names = "--plan",
      description = "show the division, its cost and the time step, and start nothing")
  private boolean plan;

  @Mixin private NodeOptions where;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "the threads per sub-domain (default: the processors of a machine divided by its"
              + " sub-domains)")
  private @Nullable Integer threads;

  @Option(
      names = "--adapt",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "whether to use nodes that join during the run, if the rest is long enough (default:"
              + " ${DEFAULT-VALUE})")
  private Switch adapt;

  @Mixin private StateOptions states;

  @Mixin private OutputOptions see;

  @Option(names = "--report", paramLabel = "FILE.json", description = "write the report here")
  private @Nullable Path report;

  @Option(names = "--verbose", description = "show the stack trace of an error")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private boolean computesHere; // whether the run starts no nodes
  private final List<RunReport.Phase> phases = new ArrayList<>(); // before the run

  private enum Switch {
    on,
    off
  }

  private Main() {}

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the program; returns its exit code. */
  public static int run(String... arguments) {
    var command = new CommandLine(new Main());
    command.registerConverter(
        MeshPartitioner.class, text -> chosen(text, MeshPartitioner.values()));
    command.registerConverter(Switch.class, text -> chosen(text, Switch.values()));
    command.getCommandSpec().parser().collectErrors(true); // all errors are reported at once
    command.setExecutionExceptionHandler(
        (failure, line, result) -> ((Main) line.getCommand()).explain(failure, line.getErr()));
    command.setParameterExceptionHandler(
        (wrong, line) -> {
          wrong.getCommandLine().getErr().println(wrong.getMessage());
          return USAGE;
        });
    return StandardOutput.checked(command.execute(arguments));
  }

  /**
   * Converts by the word that users write; picocli would accept, and list, the Java name as well.
   */
  private static <E extends Enum<E>> E chosen(String word, E[] values) {
    return Arrays.stream(values)
        .filter(each -> each.toString().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandLine.TypeConversionException( // OptionValues tells what is known
                    "'" + word + "' is unknown"));
  }

  private Object oneLine(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return computesHere
            ? "this program ran out of memory ("
                + cause.getMessage()
                + "); give its JVM more, with JDK_JAVA_OPTIONS=-Xmx4g, start others with --jvms 2,"
                + " or take a coarser mesh"
            : "a node ran out of memory ("
                + cause.getMessage()
                + "); give its JVM more, with <option>-Xmx4g</option> in a descriptor's jvm, take"
                + " more JVMs, or a coarser mesh";
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

  @Override
  public Integer call() throws Exception {
    phases.add(new RunReport.Phase("launcher", ProcessAge.seconds()));
    var began = System.nanoTime();
    var progress =
        new ProgressLine(System.err, System.console() != null && System.console().isTerminal());
    var problem = checked(progress);
    phases.add(RunReport.Phase.ofNanos("mesh", System.nanoTime() - began));
    problem.warnings().forEach(each -> progress.news("warning: " + each));
    if (plan) {
      System.out.print(
          new RunPlan(
                  problem,
                  where.planned(effort(problem)),
                  what.cfl(),
                  problem.stepBound(),
                  what.steps())
              .toTable());
      return 0;
    }
    var wrong = new OptionErrors();
    try (var _ = states.lock(wrong, progress)) {
      refuse(wrong);
      return run(problem, progress);
    }
  }

  private int run(MaxwellProblem problem, ProgressLine progress) throws Exception {
    var effort = effort(problem);
    computesHere = !see.isLive() && where.isHere(effort); // the dashboard shows a grid
    var runOptions = states.withStates(runOptions(), problem, computesHere, progress);
    if (see.out() == null && problem.setup().hasOutput()) {
      progress.news(
          "the monitors and pictures of %s are not written, as no folder is named; add --out DIR"
              .formatted(problem.setup().name()));
    }
    if (!verbose) {
      // Each loss is reported once; the failed calls to the lost node are not.
      ActiveObjects.onFailure(failure -> {});
    }
    if (computesHere) {
      warnOfThreads(Nodes.here(), progress);
      return run(problem, runOptions, null, Nodes.here(), progress);
    }
    var began = System.nanoTime();
    try (Grid deployed = where.deploy(what.otherVariables(), effort, see.isLive())) {
      var launched = System.nanoTime();
      phases.add(RunReport.Phase.ofNanos("deployment", launched - began));
      Nodes nodes;
      try {
        nodes = where.solvers(deployed, progress);
      } catch (IllegalStateException | TimeoutException missing) {
        spec.commandLine().getErr().println(missing.getMessage());
        return NOT_DEPLOYED;
      }
      phases.add(RunReport.Phase.ofNanos("nodes", System.nanoTime() - launched));
      warnOfThreads(nodes, progress);
      return run(problem, runOptions, deployed, nodes, progress);
    }
  }

  private RunEffort effort(MaxwellProblem problem) {
    return new RunEffort(problem.cells(), problem.order(), what.steps());
  }

  /** Warns of more threads than processors, which wait for each other. */
  private void warnOfThreads(Nodes nodes, ProgressLine progress) {
    for (var node : nodes.list()) {
      var processors = node.processors().orElse(Integer.MAX_VALUE);
      if (threads != null && threads > processors) {
        progress.news(
            "warning: --threads %d: %s has %d processors, so its threads wait for each other; leave the option out for as many as there are"
                .formatted(
                    threads,
                    node.isLocal() ? "this machine" : "node '" + node.name() + "'",
                    processors));
        return; // one is enough
      }
    }
  }

  private int run(
      MaxwellProblem problem,
      RunOptions runOptions,
      @Nullable Grid deployed, // null if this JVM computes by itself
      Nodes nodes,
      ProgressLine progress)
      throws Exception {
    var archive =
        ActiveObjects.here()
            .create(
                StateArchive.class,
                problem.checkpointRun(runOptions.cfl()),
                text(states.checkpoint()),
                text(states.restart()));
    if (problem.start() instanceof InitialFields.Kept(String folder)) {
      archive.loadBeginning(folder);
    }
    try (var results = ResultFolder.open(see.out(), outputSpec(problem), progress)) {
      var simulation = new Simulation(problem, nodes, archive, runOptions, results.watcher());
      results.show(simulation, states.checkpoint());
      if (deployed != null) {
        results.showOn(deployed);
      }
      RunReport finished;
      MonitorSeries readings;
      try {
        simulation.run();
        finished =
            deployed == null
                ? simulation.report(RunReport.NO_TRANSPORT, Set.of(), phases)
                : simulation.report(where.transportName(), deployed.drivers(), phases);
        readings = new MonitorSeries(problem.setup().monitors(), simulation.series());
      } catch (RuntimeException failure) {
        results.fail(simulation, failure);
        throw failure;
      }
      var missing = archive.finish();
      if (!missing.isEmpty()) {
        progress.news(missing);
      }
      var isWhole = results.finish(finished, readings, report) && missing.isEmpty();
      var isMet = finished.checks().stream().allMatch(ExpectedResult.Verdict::isMet);
      return isWhole && isMet ? 0 : FAILED;
    }
  }

  private static String text(@Nullable Path folder) {
    return folder == null ? "" : folder.toString();
  }

  /** Returns the outputs to produce; those that a problem asks for need a folder. */
  private OutputSpec outputSpec(MaxwellProblem problem) {
    var outputSpec = see.outputSpec(problem.whole());
    return see.out() == null ? outputSpec : outputSpec.and(problem.setup().outputs());
  }

  private RunOptions runOptions() {
    return RunOptions.of(what.steps(), what.cfl())
        .withEnough(where.enough(), where.patience())
        .withThreads(threads == null ? RunOptions.ALL_THREADS : threads)
        .withWorthSteps(adapt == Switch.on ? RunOptions.WORTH_STEPS : RunOptions.NEVER);
  }

  // Checking

  /**
   * Checks all options before anything is started, and fills in defaults.
   *
   * @throws ParameterException with every error, one per line
   */
  private MaxwellProblem checked(ProgressLine progress) {
    var wrong = new OptionErrors();
    spec.commandLine().getParseResult().errors().forEach(each -> wrong.add(message(each)));
    wrong.nameHelp();
    refuse(wrong); // picocli does not read options after the first malformed value
    checkOptions(wrong);
    wrong.nameHelp();
    var state = states.header(wrong);
    var problem = what.read(wrong, state, where.grid() != null, progress);
    where.read(wrong, what.otherVariables());
    if (problem != null) {
      see.check(wrong, problem.whole());
      states.check(wrong, state, problem, what.cfl(), what.stepsIfKnown());
    }
    refuse(wrong);
    return Objects.requireNonNull(problem, "a problem that could not be read is an error");
  }

  /**
   * Returns the message of picocli's error; that of an unknown option names the closest one, that
   * of a malformed value what is expected.
   */
  private String message(Exception error) {
    return switch (error) {
      case UnmatchedArgumentException unmatched -> unknown(unmatched.getUnmatched().getFirst());
      case ParameterException wrong when wrong.getArgSpec() instanceof OptionSpec option ->
          mismatch(option, wrong.getValue()).orElseGet(() -> String.valueOf(error.getMessage()));
      default -> String.valueOf(error.getMessage());
    };
  }

  private static Optional<String> mismatch(OptionSpec option, @Nullable String value) {
    return value == null
        ? Optional.empty()
        : OptionValues.mismatch(option.longestName(), option.type(), value, option.initialValue());
  }

  private String unknown(String written) {
    return "'%s' is no option%s"
        .formatted(
            written,
            SpellingHints.closest(written, spec.optionsMap().keySet())
                .map(option -> "; did you mean '" + option + "'?")
                .orElse(""));
  }

  private void refuse(OptionErrors wrong) {
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), wrong.toString());
    }
  }

  private void checkOptions(OptionErrors wrong) {
    what.check(wrong, where.grid() != null);
    where.check(wrong);
    if (threads != null && threads < 1) {
      wrong.add("--threads " + threads + ": at least one is needed");
    } else if (threads != null && threads > MOST_THREADS) {
      wrong.add(
          "--threads %d: this is the number per sub-domain, and no machine has that many processors; give at most %,d, or leave it out"
              .formatted(threads, MOST_THREADS));
    }
    states.check(wrong);
    see.check(wrong);
    checkFiles(wrong);
  }

  private void checkFiles(OptionErrors wrong) {
    for (var input : inputs()) {
      if (see.out() != null && Files.exists(input) && isWithin(see.out(), input)) {
        wrong.add(
            "--out %s: overwriting it would remove %s, an input of this run; move that elsewhere first"
                .formatted(see.out(), input));
      }
    }
    if (see.out() != null
        && states.checkpoint() != null
        && isWithin(see.out(), states.checkpoint())) {
      wrong.add(
          "--checkpoint %s: the run creates --out %s anew, so states cannot be written there; name a folder outside of it"
              .formatted(states.checkpoint(), see.out()));
    }
    if (report != null && Files.isDirectory(report)) {
      wrong.add("--report " + report + " is a folder; name a file");
    } else if (report != null && Files.exists(report) && !Files.isWritable(report)) {
      wrong.add("--report " + report + " exists and is not writable; name another file");
    }
    for (var file : new Path[] {see.out(), report, states.checkpoint()}) {
      if (file != null && !(file == report && Files.isWritable(file))) {
        var folder = file.toAbsolutePath().getParent();
        if (folder != null && !(Files.isDirectory(folder) && Files.isWritable(folder))) {
          wrong.add("'" + folder + "' is not a writable folder, for " + file);
        }
      }
    }
  }

  /** Returns the input files and folders of the run. */
  private List<Path> inputs() {
    List<Path> inputs = new ArrayList<>(what.files());
    Stream.of(states.restart(), where.grid()).filter(Objects::nonNull).forEach(inputs::add);
    return inputs;
  }

  private static boolean isWithin(Path folder, Path file) {
    return file.toAbsolutePath().normalize().startsWith(folder.toAbsolutePath().normalize());
  }
}
