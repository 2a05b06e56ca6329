package org.troupe.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.apps.AppsBenchmark;
import org.troupe.benchmarks.apps.ClassicsSolutionBenchmark;
import org.troupe.benchmarks.apps.DistantAppsBenchmark;
import org.troupe.benchmarks.em3d.DistantEm3dBenchmark;
import org.troupe.benchmarks.em3d.Em3dBenchmark;
import org.troupe.benchmarks.em3d.ObjectBorderBenchmark;
import org.troupe.benchmarks.em3d.SolutionBenchmark;
import org.troupe.benchmarks.em3d.WatchedSolverBenchmark;
import org.troupe.benchmarks.harness.Benchmark;
import org.troupe.benchmarks.harness.BenchmarkRow;
import org.troupe.benchmarks.harness.CheckoutCommit;
import org.troupe.benchmarks.harness.CorePinning;
import org.troupe.benchmarks.harness.MachineInfo;
import org.troupe.benchmarks.harness.MeasurementEffort;
import org.troupe.benchmarks.models.ModelsBenchmark;
import org.troupe.benchmarks.report.ResultFile;
import org.troupe.benchmarks.report.ResultTable;
import org.troupe.benchmarks.report.RowCharts;
import org.troupe.benchmarks.rows.BareLinkBenchmark;
import org.troupe.benchmarks.rows.BulkTransferBenchmark;
import org.troupe.benchmarks.rows.CallStagesBenchmark;
import org.troupe.benchmarks.rows.CollectionBenchmark;
import org.troupe.benchmarks.rows.DeploymentBenchmark;
import org.troupe.benchmarks.rows.FirstHourBenchmark;
import org.troupe.benchmarks.rows.GroupBenchmark;
import org.troupe.benchmarks.rows.IbisCallBenchmark;
import org.troupe.benchmarks.rows.IdleObjectsBenchmark;
import org.troupe.benchmarks.rows.LifecycleBenchmark;
import org.troupe.benchmarks.rows.LocalCallBenchmark;
import org.troupe.benchmarks.rows.ObservationBenchmark;
import org.troupe.benchmarks.rows.PaperTableBenchmark;
import org.troupe.benchmarks.rows.RmiCallBenchmark;
import org.troupe.benchmarks.rows.SerializationBenchmark;
import org.troupe.benchmarks.rows.TlsCallBenchmark;
import org.troupe.benchmarks.rows.WatchedGridBenchmark;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.files.StandardOutput;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The benchmarks as a program. */
@Command(
    name = "troupe bench",
    sortOptions = false,
    description = {
      "Measures Troupe against the limits of the machine and against its peers.",
      "Compare ratios rather than figures: both sides take turns. A missed goal is a result, not an error."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:everything was measured", "1:a measurement failed", "2:wrong usage"})
public final class Main implements Callable<Integer> {

  /** All benchmarks, in the order in which they run. */
  static final List<Benchmark> BENCHMARKS =
      List.of(
          new LocalCallBenchmark(),
          new IdleObjectsBenchmark(),
          new SerializationBenchmark(),
          new BareLinkBenchmark(),
          new RmiCallBenchmark(),
          new IbisCallBenchmark(),
          new BulkTransferBenchmark(),
          new TlsCallBenchmark(),
          new CollectionBenchmark(),
          new LifecycleBenchmark(),
          ObservationBenchmark.all(),
          new WatchedGridBenchmark(),
          new WatchedSolverBenchmark(),
          new GroupBenchmark(),
          new ModelsBenchmark(),
          new Em3dBenchmark(),
          new SolutionBenchmark(),
          new DistantEm3dBenchmark(),
          new ObjectBorderBenchmark(),
          new AppsBenchmark(),
          new ClassicsSolutionBenchmark(),
          new DistantAppsBenchmark(),
          new DeploymentBenchmark(),
          new FirstHourBenchmark(),
          new CallStagesBenchmark(),
          PaperTableBenchmark.latency(),
          PaperTableBenchmark.throughput(),
          PaperTableBenchmark.pingPong());

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "what to measure (default: everything)")
  private Set<String> names = new LinkedHashSet<>();

  @Option(names = "--quick", description = "measure for a shorter time, with the same goals")
  private boolean quick;

  @Option(names = "--long", description = "watch the memory of the page for 30 minutes")
  private boolean isLong;

  @Option(names = "--csv", paramLabel = "FILE", description = "also write the rows to this file")
  private @Nullable Path csv;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = {
        "also add the rows, with their spreads, commit, machine and date, to this file of results,",
        "after each benchmark; they replace the rows of that benchmark"
      })
  private @Nullable Path record;

  @Option(
      names = "--goals",
      paramLabel = "FILE",
      description =
          "measure nothing, and count the met goals of a file of results; --png draws its rows")
  private @Nullable Path goals;

  @Option(
      names = "--png",
      paramLabel = "FOLDER",
      description =
          "also draw the rows to this folder: NAME-UNIT.png; some benchmarks add more charts")
  private @Nullable Path png;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  private boolean help;

  @Spec private CommandSpec spec;

  /** Runs the program and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    var out = new PrintWriter(System.out, true, System.out.charset());
    System.exit(StandardOutput.checked(run(out, new PrintWriter(System.err, true), arguments)));
  }

  /** Runs the program; returns its exit code. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    var command = new CommandLine(new Main()).setOut(out).setErr(err);
    command
        .getCommandSpec()
        .usageMessage()
        .width(100)
        .footer(
            all().stream()
                .map(each -> "  %-13s %s".formatted(each.name(), each.about()))
                .collect(Collectors.joining("%n", "%nNames:%n", "")));
    command.setParameterExceptionHandler( // without the usage, which would hide the message
        (error, line) -> {
          err.println("troupe bench: " + error.getMessage() + "; see 'troupe bench --help'");
          return ExitCode.USAGE;
        });
    command.setExecutionExceptionHandler(
        (failure, line, result) -> {
          line.getErr().println("not measured: " + failure.getMessage());
          return ExitCode.SOFTWARE;
        });
    return command.execute(arguments);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (goals != null) {
      return showResults(goals);
    }
    var chosen = chosen();
    check("--csv", csv);
    check("--record", record);
    makePngFolder();
    var out = spec.commandLine().getOut();
    var err = spec.commandLine().getErr();
    out.println(MachineInfo.describe());
    out.println(
        CorePinning.isAvailable()
            ? "rows between two JVMs, and '-one-core' ones, are pinned to one core, with taskset"
            : "there is no taskset here: nothing is pinned, expect round trips of two kinds");
    out.flush();
    var rows = new ArrayList<BenchmarkRow>();
    var failed = false;
    var origin = CheckoutCommit.describe() + "; " + MachineInfo.describe();
    for (var benchmark : chosen) {
      err.println(benchmark.name() + ": " + benchmark.about() + " ...");
      try {
        var began = System.nanoTime();
        var measured = benchmark.run(effort());
        var seconds = (System.nanoTime() - began) / 1e9;
        if (measured.isEmpty()) {
          continue; // its name stands for further benchmarks
        }
        err.printf("%s: %.0f s%n", benchmark.name(), seconds);
        rows.addAll(measured);
        if (record != null) {
          var results = ResultFile.read(record);
          results.put(benchmark.name(), seconds, quick ? origin + "; --quick" : origin, measured);
          results.write(record);
        }
        if (png != null) {
          RowCharts.write(png, benchmark.name(), measured);
          benchmark.draw(png);
        }
      } catch (IOException e) { // the other benchmarks are measured all the same
        err.println(benchmark.name() + ": not measured: " + e.getMessage());
        failed = true;
      }
    }
    out.println();
    out.print(ResultTable.text(rows));
    out.flush();
    if (csv != null) {
      AtomicFile.write(csv, ResultTable.csv(rows));
    }
    if (record != null) {
      printGoals(ResultFile.read(record));
    }
    return failed ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private MeasurementEffort effort() {
    var effort = quick ? MeasurementEffort.QUICK : MeasurementEffort.FULL;
    return isLong ? effort.forHalfAnHour() : effort;
  }

  private int showResults(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ParameterException(
          spec.commandLine(), "--goals " + file + " is no file; name one that --record wrote");
    }
    makePngFolder();
    var results = ResultFile.read(file);
    printGoals(results);
    if (png != null) {
      for (var benchmark : results.rows().entrySet()) {
        RowCharts.write(png, benchmark.getKey(), benchmark.getValue());
      }
    }
    return ExitCode.OK;
  }

  private void printGoals(ResultFile results) {
    var out = spec.commandLine().getOut();
    out.print(results.goals());
    out.flush();
  }

  private List<Benchmark> chosen() {
    for (var name : names) {
      if (!known().contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no benchmark '" + name + "'; there are " + String.join(", ", known()));
      }
    }
    return BENCHMARKS.stream()
        .flatMap(
            each ->
                withFurther(each)
                    .filter(
                        one ->
                            names.isEmpty()
                                || names.contains(each.name())
                                || names.contains(one.name())))
        .toList();
  }

  static List<Benchmark> all() {
    return BENCHMARKS.stream().flatMap(Main::withFurther).toList();
  }

  private static Stream<Benchmark> withFurther(Benchmark benchmark) {
    return Stream.concat(Stream.of(benchmark), benchmark.further().stream());
  }

  private static List<String> known() {
    return all().stream().map(Benchmark::name).toList();
  }

  /** Creates the folder of the charts before minutes are spent on measuring. */
  private void makePngFolder() {
    if (png == null) {
      return;
    }
    try {
      Files.createDirectories(png);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "--png " + png + " cannot be created; name another folder");
    }
  }

  /** Rejects a file that cannot be written before minutes are spent on measuring. */
  private void check(String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    var folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || !Files.isWritable(folder)) {
      throw new ParameterException(
          spec.commandLine(),
          option + " " + file + " cannot be written; name a file in an existing folder");
    }
  }
}
