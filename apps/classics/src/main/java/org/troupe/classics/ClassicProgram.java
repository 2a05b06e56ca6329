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
 * A program of this collection: what all of them can be told, where they run, and how they say what
 * came out.
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

  /** So many rows and columns an array can have. */
  public static final int LARGEST_SQUARE = 46_340;

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
  private Integer jvms;

  @Option(
      names = "--grid",
      paramLabel = "FILE.xml",
      description = "the descriptor of the nodes, instead of --jvms")
  private Path grid;

  @Option(names = "-D", paramLabel = "NAME=VALUE", description = "a variable of the descriptor")
  private Map<String, String> variables = new HashMap<>();

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "how long to wait for the nodes (default: ${DEFAULT-VALUE})")
  private int patienceSeconds = 120;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description = "the transport: ibis or rmi (default: troupe.transport, or ibis)")
  private String transport;

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
  private boolean counts;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      description =
          "warm up for this time before measuring, since compilation takes seconds of all"
              + " processors (default: 0 if tiny, else 10)")
  private Integer warmUp;

  @Option(names = "--report", paramLabel = "FILE.json", description = "write a report here")
  private Path report;

  @Option(names = "--verbose", description = "show the stack trace of an error")
  private boolean verbose;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  @Spec private CommandSpec spec;

  private final Instant began = Instant.now();
  private Descriptor descriptor;

  /** Runs a program and ends the JVM with its exit code. */
  public static void main(ClassicProgram program, String[] arguments) {
    System.exit(StandardOutput.checked(commandLine(program).execute(arguments)));
  }

  static CommandLine commandLine(ClassicProgram program) {
    var command = new CommandLine(program);
    command.getCommandSpec().parser().collectErrors(true); // so that all can be told at once
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler((failure, line, result) -> program.explain(failure));
    command.setParameterExceptionHandler(
        (wrong, words) -> {
          wrong.getCommandLine().getErr().println(wrong.getMessage());
          return USAGE;
        });
    return command;
  }

  // What a program adds

  /**
   * Applies defaults to the problem's options, and reports invalid ones.
   *
   * @param nodes on how many it will run
   */
  protected abstract void prepare(int nodes, List<String> wrong);

  /** Returns the problem in a few words, for the summary. */
  protected abstract String problem();

  /** Runs. */
  protected abstract RunResult run(ProgramNodes crew) throws Exception;

  /** Returns on how many nodes it can run, at the least. */
  protected int fewestNodes() {
    return 1;
  }

  /** Returns lines that follow the summary, each with its end. */
  protected String details(RunResult result) {
    return "";
  }

  /** Returns the given value, or the preset's. */
  public final <V> V or(V given, V tiny, V paper, V large) {
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
   * Returns until when to do what is timed afterwards, so that it is compiled by then; as {@link
   * System#nanoTime}, from now on.
   */
  public final long warmUpEnd() {
    if (warmUpSeconds() > 0) {
      tell("warming up for " + warmUpSeconds() + " s");
    }
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(warmUpSeconds());
  }

  private int warmUpSeconds() {
    return or(warmUp, 0, 10, 10);
  }

  /** Tells how far the run is, to people who wait for it. */
  public final void tell(String progress) {
    err().println(progress);
    err().flush();
  }

  /** Says so if there is to be none of something. */
  public static void requirePositive(String option, int value, List<String> wrong) {
    if (value < 1) {
      wrong.add(option + " " + value + ": at least one is needed");
    }
  }

  /**
   * Says so if there is to be too much of something.
   *
   * @param why there cannot be more
   */
  public static void requireAtMost(
      String option, int value, int most, String why, List<String> wrong) {
    if (value > most) {
      wrong.add(words("%s %d: %s; give at most %,d", option, value, why, most));
    }
  }

  /** Returns a text with values, in the same words whatever the country. */
  public static String words(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  // Running

  @Override
  public final Integer call() throws Exception {
    check();
    try (var deployed = Grid.deploy(descriptor, gridOptions())) {
      Nodes nodes;
      try (var _ = deployed.view()) {
        nodes = deployed.nodes().await(Nodes.all(), Duration.ofSeconds(patienceSeconds));
      } catch (IllegalStateException | TimeoutException missing) {
        err().println(missing.getMessage());
        return NOT_DEPLOYED;
      }
      return tell(on(nodes), nodes.size(), deployed);
    } catch (OutOfMemoryError full) { // of this JVM; a node's comes as the cause of a failure
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
    return counts || !without.isEmpty();
  }

  private static List<String> names(Set<Specialisation> some) {
    return some.stream().map(Specialisation::name).toList();
  }

  /** Runs on nodes that are there. */
  final RunResult on(Nodes nodes) throws Exception {
    try (var crew = new ProgramNodes(nodes)) {
      return run(crew);
    }
  }

  /** Checks all that can be before anything is started. */
  private void check() {
    List<String> wrong = new ArrayList<>();
    spec.commandLine().getParseResult().errors().forEach(each -> wrong.add(each.getMessage()));
    refuse(wrong); // what comes after the first value of a wrong kind has not been read
    if (jvms != null && grid != null) {
      wrong.add("--jvms and --grid both say where the nodes come from; leave one out");
    }
    if (jvms != null && jvms < 1) {
      wrong.add("--jvms " + jvms + ": at least one JVM is needed");
    }
    if (grid == null && !variables.isEmpty()) {
      wrong.add("-D sets a variable of a descriptor; add --grid, or leave it out");
    }
    if (patienceSeconds < 0) {
      wrong.add("--wait " + patienceSeconds + ": give seconds from now on, or 0 for none");
    }
    checkTransport(wrong);
    if (warmUp != null && warmUp < 0) {
      wrong.add("--warm-up " + warmUp + ": give the seconds, or 0 for none");
    }
    if (report != null) {
      ReportFile.check(report, wrong);
    }
    refuse(wrong);
    descriptor =
        grid == null
            ? Descriptor.local(jvms == null ? 2 : jvms)
            : DescriptorReader.read(grid, variables);
    var nodes = nodesPlanned();
    if (nodes < fewestNodes()) {
      wrong.add(
          words(
              "%s needs at least %d nodes, and %s; give --jvms %2$d, or a descriptor with more",
              spec.name(),
              fewestNodes(),
              nodes == 1 ? "there is to be 1" : "there are to be " + nodes));
    }
    prepareWithMemory(nodes, wrong);
    refuse(wrong);
  }

  final void prepare(int nodes) {
    List<String> wrong = new ArrayList<>();
    prepareWithMemory(nodes, wrong);
    refuse(wrong);
  }

  private void prepareWithMemory(int nodes, List<String> wrong) {
    prepare(nodes, wrong);
    if (wrong.isEmpty()) {
      requireMemory(problem(), "this JVM", bytesHere(), Runtime.getRuntime().maxMemory(), wrong);
    }
    if (wrong.isEmpty() && grid == null) { // JVMs of this machine have heaps like this one's
      requireMemory(
          problem(),
          "each node's JVM",
          bytesOnNode(nodes),
          Runtime.getRuntime().maxMemory(),
          wrong);
    }
  }

  /** How many bytes the problem takes in this JVM at the same time, about. */
  protected double bytesHere() {
    return 0;
  }

  /** How many bytes the problem takes on each node at the same time, about. */
  protected double bytesOnNode(int nodes) {
    return 0;
  }

  /** Says so if a problem takes more memory than a JVM has. */
  static void requireMemory(
      String problem, String where, double bytes, long heap, List<String> wrong) {
    if (bytes > heap) {
      wrong.add(
          words(
              "%s: about %,.1f GB are needed in %s, whose heap has at most %,.1f GB; give less, or a larger heap, with JDK_JAVA_OPTIONS=-Xmx%.0fg",
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
          "there is no transport '%s'; give --transport one of %s"
              .formatted(transportName(), String.join(", ", known)));
    }
  }

  private void refuse(List<String> wrong) {
    if (!wrong.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), String.join(System.lineSeparator(), wrong) + "; see --help");
    }
  }

  private int nodesPlanned() {
    return grid == null ? (jvms == null ? 2 : jvms) : Plan.of(descriptor).nodes().size();
  }

  // Telling

  private int tell(RunResult result, int nodes, Grid deployed) {
    out()
        .println(
            words(
                "%s, %s, on %d %s by %s: %s",
                spec.name(),
                problem(),
                nodes,
                nodes == 1 ? "node" : "nodes",
                String.join(", ", way(deployed)),
                result.inWords()));
    out().print(details(result));
    result.checks().stream()
        .filter(each -> !each.isMet())
        .forEach(each -> err().println(spec.name() + ": " + each));
    out().flush();
    if (report != null) {
      write(result, nodes, deployed);
    }
    return result.isVerified() ? 0 : FAILED;
  }

  /** The transport, and the links that carried its frames. */
  private List<String> way(Grid deployed) {
    List<String> way = new ArrayList<>();
    way.add(transportName());
    way.addAll(deployed.drivers());
    return way;
  }

  private String transportName() {
    return transport == null ? GridOptions.standard().transport() : transport;
  }

  private void write(RunResult result, int nodes, Grid deployed) {
    Map<String, Object> all = new LinkedHashMap<>();
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
    ReportFile.write(report, all);
  }

  /** The program's own options, as they were used. */
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
    var isWrapped = thrown instanceof CompletionException && thrown.getCause() != null;
    var failure = isWrapped ? thrown.getCause() : thrown;
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
