package org.troupe.classics;

import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.deployment.DeploymentException;
import org.troupe.deployment.Grid;
import org.troupe.deployment.GridOptions;
import org.troupe.deployment.Plan;
import org.troupe.deployment.files.StandardOutput;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.read.DescriptorReader;
import org.troupe.serialization.Specialisation;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A program of this collection: its common options, the nodes that it runs on, its summary and its
 * report.
 */
@Command(
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the answer is right",
      "1:it is wrong, or the run failed",
      "2:wrong options or descriptor; nothing was started",
      "3:the nodes could not be started"
    })
public abstract class ClassicProgram implements Callable<Integer> {

  /** The largest side of a square matrix whose elements fit into one Java array. */
  protected static final int LARGEST_SQUARE = 46_340;

  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final int NOT_DEPLOYED = 3;

  @Option(
      names = "--size",
      paramLabel = "tiny|paper|large",
      description =
          "the size of the problem, unless other options set it (default: ${DEFAULT-VALUE})")
  private ProblemSize preset = ProblemSize.paper;

  @Option(
      names = "--jvms",
      paramLabel = "N",
      description = "the number of JVMs to start on this machine (default: 2)")
  private @Nullable Integer jvms;

  @Option(
      names = "--grid",
      paramLabel = "FILE.xml",
      description = "the descriptor of the nodes, instead of --jvms")
  private @Nullable Path grid;

  @Option(names = "-D", paramLabel = "NAME=VALUE", description = "a variable of the descriptor")
  private Map<String, String> variables = new HashMap<>();

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "how long to wait for the nodes (default: ${DEFAULT-VALUE})")
  private int waitSeconds = 120;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "the transport: ibis or rmi (default: troupe.transport, or ibis)")
  private @Nullable String transport;

  @Option(
      names = "--without",
      paramLabel = "NAME",
      split = ",",
      description = {
        "omit specialisations of calls, to measure their effect:",
        "CALL_SITE (a codec for each method), UNTRACKED (no identity table), UNTAGGED (no type"
            + " tags where the type is known), REUSE (of the objects of the previous call);"
            + " separated by commas"
      })
  private Set<Specialisation> without = EnumSet.noneOf(Specialisation.class);

  @Option(
      names = "--count",
      description =
          "count identity look-ups and reused objects for the report (--without does so, too)")
  private boolean counting;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "warm up for this time before measuring, since compilation takes seconds of all"
              + " processors (default: 0 if tiny, else 10)")
  private @Nullable Integer warmUp;

  @Option(names = "--report", paramLabel = "FILE.json", description = "write a report here")
  private @Nullable Path report;

  @Option(names = "--verbose", description = "show the stack trace of an error")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  @Spec private CommandSpec spec;

  private final Instant began = Instant.now();

  /** Runs a program and ends the JVM with its exit code. */
  public static void main(ClassicProgram program, String[] arguments) {
    System.exit(StandardOutput.checked(commandLine(program).execute(arguments)));
  }

  static CommandLine commandLine(ClassicProgram program) {
    var command = new CommandLine(program);
    command
        .getCommandSpec()
        .parser()
        .collectErrors(true); // so that all of them are reported at once
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler((failure, line, result) -> program.explain(failure));
    command.setParameterExceptionHandler(
        (wrong, words) -> {
          wrong.getCommandLine().getErr().println(wrong.getMessage());
          return USAGE;
        });
    return command;
  }

  // Implemented by each program

  /**
   * Applies defaults to the problem's options, and reports invalid ones.
   *
   * @param nodes the number of nodes that it will run on
   * @param wrong receives the messages
   */
  protected abstract void prepare(int nodes, List<String> wrong);

  /** Returns a short description of the problem, for the summary. */
  protected abstract String problem();

  /** Runs the program on its nodes and returns the result. */
  protected abstract RunResult run(ProgramNodes nodes) throws Exception;

  /** Returns the smallest number of nodes that the program can run on. */
  protected int fewestNodes() {
    return 1;
  }

  /** Returns the lines to print after the summary, each with its line terminator. */
  protected String details(RunResult result) {
    return "";
  }

  /** Returns the given value, or the preset's if it is null. */
  protected final <V> V orPreset(@Nullable V given, V tiny, V paper, V large) {
    if (given != null) {
      return given;
    }
    return switch (preset) {
      case tiny -> tiny;
      case paper -> paper;
      case large -> large;
    };
  }

  /**
   * Starts the warm-up, in which the program repeats the timed work so that the JVM compiles it.
   *
   * @return the end of the warm-up, in the time of {@link System#nanoTime}
   */
  protected final long warmUpEnd() {
    if (warmUpSeconds() > 0) {
      printProgress("warming up for " + warmUpSeconds() + " s");
    }
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds());
  }

  private int warmUpSeconds() {
    return orPreset(warmUp, 0, 10, 10);
  }

  /** Prints a line about the progress of the run to the error stream. */
  protected final void printProgress(String progress) {
    err().println(progress);
    err().flush();
  }

  /** Adds a message if the value is below 1. */
  protected static void requirePositive(String option, int value, List<String> wrong) {
    if (value < 1) {
      wrong.add(option + " " + value + ": at least one is needed");
    }
  }

  /**
   * Adds a message if the value exceeds a limit.
   *
   * @param why the reason for the limit
   */
  protected static void requireAtMost(
      String option, int value, int most, String why, List<String> wrong) {
    if (value > most) {
      wrong.add(text("%s %d: %s; give at most %,d", option, value, why, most));
    }
  }

  /** Formats a text independently of the default locale. */
  protected static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  // Running

  @Override
  public final Integer call() throws Exception {
    var descriptor = check();
    try (var deployed = Grid.deploy(descriptor, gridOptions())) {
      Nodes nodes;
      try (var _ = deployed.view()) {
        nodes = deployed.nodes().await(Nodes.all(), Duration.ofSeconds(waitSeconds));
      } catch (IllegalStateException | TimeoutException missing) {
        err().println(missing.getMessage());
        return NOT_DEPLOYED;
      }
      return print(runOn(nodes), nodes.size(), deployed);
    } catch (
        OutOfMemoryError full) { // in this JVM; that of a node arrives as the cause of a failure
      throw new IllegalStateException(full);
    }
  }

  private GridOptions gridOptions() {
    List<String> measuring = new ArrayList<>();
    if (isCounted()) {
      measuring.add("-Dtroupe.serialization.count=true");
    }
    if (!without.isEmpty()) {
      measuring.add("-Dtroupe.serialization.without=" + String.join(",", names(without)));
    }
    return GridOptions.standard()
        .withVariables(variables)
        .withTransport(transportName())
        .withJvmOptions(measuring);
  }

  private boolean isCounted() {
    return counting || !without.isEmpty();
  }

  private static List<String> names(Set<Specialisation> some) {
    return some.stream().map(Specialisation::name).toList();
  }

  /** Runs on nodes that have joined. */
  final RunResult runOn(Nodes nodes) throws Exception {
    try (var programNodes = new ProgramNodes(nodes)) {
      return run(programNodes);
    }
  }

  /** Checks all options before anything is started; returns the descriptor. */
  private Descriptor check() {
    List<String> wrong = new ArrayList<>();
    spec.commandLine()
        .getParseResult()
        .errors()
        .forEach(each -> wrong.add(OptionMistake.message(each)));
    rejectIfAny(wrong); // the options after the first malformed value have not been parsed
    if (jvms != null && grid != null) {
      wrong.add("--jvms and --grid both define the nodes; leave one out");
    }
    if (jvms != null && jvms < 1) {
      wrong.add("--jvms " + jvms + ": at least one JVM is needed");
    }
    if (grid == null && !variables.isEmpty()) {
      wrong.add("-D sets a variable of a descriptor; add --grid, or leave it out");
    }
    if (waitSeconds < 0) {
      wrong.add("--wait " + waitSeconds + ": give seconds, or 0 not to wait");
    }
    checkTransport(wrong);
    if (warmUp != null && warmUp < 0) {
      wrong.add("--warm-up " + warmUp + ": give seconds, or 0 for no warm-up");
    }
    if (report != null) {
      ProgramReportFile.check(report, wrong);
    }
    rejectIfAny(wrong);
    var descriptor =
        grid == null
            ? Descriptor.local(jvms == null ? 2 : jvms)
            : DescriptorReader.read(grid, variables);
    var nodes = nodesPlanned(descriptor);
    if (nodes < fewestNodes()) {
      wrong.add(
          text(
              "%s needs at least %d nodes, but %d %s planned; give --jvms %2$d, or a descriptor with more",
              spec.name(), fewestNodes(), nodes, nodes == 1 ? "is" : "are"));
    }
    prepareWithMemory(nodes, wrong);
    rejectIfAny(wrong);
    return descriptor;
  }

  final void prepare(int nodes) {
    List<String> wrong = new ArrayList<>();
    prepareWithMemory(nodes, wrong);
    rejectIfAny(wrong);
  }

  private void prepareWithMemory(int nodes, List<String> wrong) {
    prepare(nodes, wrong);
    if (wrong.isEmpty()) {
      requireMemory(
          problem(), "this JVM", launcherBytes(), Runtime.getRuntime().maxMemory(), wrong);
    }
    if (wrong.isEmpty() && grid == null) { // local nodes have the maximum heap of this JVM
      requireMemory(
          problem(), "each node's JVM", nodeBytes(nodes), Runtime.getRuntime().maxMemory(), wrong);
    }
  }

  /** Returns approximately how many bytes the problem needs in this JVM at a time. */
  protected double launcherBytes() {
    return 0;
  }

  /** Returns approximately how many bytes the problem needs on each node at a time. */
  protected double nodeBytes(int nodes) {
    return 0;
  }

  /** Adds a message if a problem needs more memory than the heap of a JVM can have. */
  static void requireMemory(
      String problem, String where, double bytes, long heap, List<String> wrong) {
    if (bytes > heap) {
      wrong.add(
          text(
              "%s: about %,.1f GB are needed in %s, whose heap has at most %,.1f GB; choose a smaller problem, or a larger heap with JDK_JAVA_OPTIONS=-Xmx%.0fg",
              problem, bytes / 1e9, where, heap / 1e9, Math.ceil(1.2 * bytes / (1 << 30))));
    }
  }

  private void checkTransport(List<String> wrong) {
    var known =
        ServiceLoader.load(Transport.class).stream()
            .map(each -> each.get().name())
            .sorted()
            .distinct()
            .toList();
    if (!known.contains(transportName())) {
      wrong.add(
          "there is no transport '%s'; --transport is one of %s"
              .formatted(transportName(), String.join(", ", known)));
    }
  }

  private void rejectIfAny(List<String> wrong) {
    if (!wrong.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), String.join(System.lineSeparator(), wrong) + "; see --help");
    }
  }

  private int nodesPlanned(Descriptor descriptor) {
    return grid == null ? (jvms == null ? 2 : jvms) : Plan.of(descriptor).nodes().size();
  }

  // Summary and report

  private int print(RunResult result, int nodes, Grid deployed) {
    out()
        .println(
            text(
                "%s, %s, on %d %s by %s: %s",
                spec.name(),
                problem(),
                nodes,
                nodes == 1 ? "node" : "nodes",
                String.join(", ", transportAndDrivers(deployed)),
                result.inWords()));
    out().print(details(result));
    result.checks().stream()
        .filter(each -> !each.isMet())
        .forEach(each -> err().println(spec.name() + ": " + each));
    out().flush();
    if (report != null) {
      write(report, result, nodes, deployed);
    }
    return result.isVerified() ? 0 : FAILED;
  }

  /** Returns the names of the transport and of the link drivers that carried its frames. */
  private List<String> transportAndDrivers(Grid deployed) {
    List<String> names = new ArrayList<>();
    names.add(transportName());
    names.addAll(deployed.drivers());
    return names;
  }

  private String transportName() {
    return transport == null ? GridOptions.standard().transport() : transport;
  }

  private void write(Path file, RunResult result, int nodes, Grid deployed) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("program", spec.name());
    all.put("problem", problem());
    all.put("parameters", parameters());
    all.put("nodes", nodes);
    all.put("began", began.toString());
    all.put("java", Runtime.version().toString());
    all.put("processors", Runtime.getRuntime().availableProcessors());
    all.put("transport", transportName());
    all.put("drivers", deployed.drivers());
    all.putAll(result.values(nodes));
    if (isCounted()) {
      all.put("without", names(without));
      all.put("cycleLookups", result.timed().tally().lookUps());
      all.put("objectsReused", result.timed().tally().objectsReused());
    }
    ProgramReportFile.write(file, all);
  }

  /** Returns the values of the program's own options, including defaults. */
  private Map<String, Object> parameters() {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("size", preset);
    parameters.put("warm-up", warmUpSeconds());
    for (var option : spec.options()) {
      if (isOwn(option)) {
        parameters.put(option.longestName().substring(2), option.getValue());
      }
    }
    return parameters;
  }

  private boolean isOwn(ArgSpec option) {
    return option.userObject() instanceof Field field
        && field.getDeclaringClass() != ClassicProgram.class;
  }

  private int explain(Exception thrown) {
    var cause = thrown.getCause();
    var failure = thrown instanceof CompletionException && cause != null ? cause : thrown;
    err().println(FailureExplanation.of(failure, spec.name(), this::problem));
    if (verbose) {
      failure.printStackTrace(err());
    }
    return switch (failure) {
      case DescriptorException wrong -> USAGE;
      case DeploymentException none -> NOT_DEPLOYED;
      default -> FAILED;
    };
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
