package org.troupe.cli.observe;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.DeploymentSelection;
import org.troupe.cli.command.FileCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.deployment.runs.SilentProgramException;
import org.troupe.deployment.trace.FlightArchive;
import org.troupe.deployment.trace.FlightWriter;
import org.troupe.deployment.trace.FoldedStacks;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.deployment.trace.TraceFormat;
import org.troupe.deployment.trace.TraceRecord;
import org.troupe.deployment.trace.TraceWriter;
import org.troupe.links.OwnerOnly;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code record}: records the calls of a running deployment one by one, or its JVMs by the flight
 * recorder, into a file.
 */
@Command(
    name = "record",
    description = {
      "Records the calls of a running deployment into a file.",
      "%nThe file has the calls of some seconds one by one: what each object serves, "
          + "when it waits, and who has called. Ctrl-C ends it early and keeps what there "
          + "is.%n",
      "With --jfr the program and its nodes are recorded by the JDK Flight Recorder "
          + "instead, into a zip."
    })
public final class RecordCommand extends CliCommand implements FileCommand {

  private static final int MOST = 2_000_000;
  private static final String FOLDED = "folded";
  private static final String ZIP = "zip";
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final Duration LAST_STEPS = Duration.ofSeconds(10); // after Ctrl-C

  /** Recordings of JVMs have their environment variables and properties, some of them secrets. */
  private static final FileAttribute<?>[] ATTRIBUTES = OwnerOnly.file();

  @Mixin private OtherMachine machine;

  @Mixin private DeploymentSelection deployments;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      description = "For how long, up to PT1H (default: PT5S).")
  private @Nullable String within;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file (default: run.pftrace, or run.zip with --jfr); '-' prints it.")
  private @Nullable Path named;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "perfetto, chrome (JSON) or csv; with --jfr zip, or folded stacks for flame graphs (default: by the end"
              + " of the file's name: .pftrace, .json, .csv, .zip, .folded; else the first one).")
  private @Nullable String format;

  @Option(
      names = "--most",
      paramLabel = "N",
      description =
          "Ends after so many calls and waits, of some 50 to 300 bytes each (default: 2000000).")
  private @Nullable Integer most;

  @Option(
      names = "--jfr",
      paramLabel = "DURATION",
      description =
          "Records JVMs by the JDK Flight Recorder for so long, such as PT60S, up to PT1H.")
  private @Nullable String flight;

  @Option(
      names = "--settings",
      paramLabel = "NAME",
      description =
          "With --jfr: the settings of the JDK, default or profile (default: ${DEFAULT-VALUE}).")
  private String settings = "default";

  @Option(
      names = "--mib",
      paramLabel = "N",
      description =
          "With --jfr: keeps at most the last N MiB of each JVM (default: ${DEFAULT-VALUE}).")
  private int mib = 64;

  /** What has been recorded. */
  private static final class Summary {
    private int nodes;
    private long worstClockErrorNanos;
    private TraceRecord.@Nullable End end;

    void add(TraceRecord written) {
      if (written instanceof TraceRecord.Node node) {
        nodes++;
        worstClockErrorNanos = Math.max(worstClockErrorNanos, node.clockErrorNanos());
      } else if (written instanceof TraceRecord.End its) {
        end = its;
      }
    }
  }

  @Override
  public Path output() {
    var file =
        Objects.requireNonNullElse(named, Path.of(flight == null ? "run.pftrace" : "run.zip"));
    checkPlace(file);
    var _ = form(file); // which may be wrong
    return file;
  }

  @Override
  public FileAttribute<?>[] attributes() {
    return flight == null ? new FileAttribute<?>[0] : ATTRIBUTES;
  }

  @Override
  public List<String> printing(List<String> arguments) {
    var all = new ArrayList<>(arguments);
    all.addAll(List.of("-o", STANDARD_OUTPUT));
    if (format == null) {
      all.addAll(List.of("--format", form(output())));
    }
    return all;
  }

  /** Returns the name of the format of a file. */
  private String form(Path file) {
    return flight == null ? format(file).toString() : isFolded(file) ? FOLDED : ZIP;
  }

  @Override
  public Integer call() throws IOException {
    var jfr = flight;
    if (jfr != null) {
      if (within != null || most != null) {
        throw wrong("--for and --most belong to traces of calls; leave them out with --jfr");
      }
      if (mib < 1) {
        throw wrong("--mib " + mib + " is no size; give 1 or more");
      }
      return recordFlight(duration("--jfr", jfr, Duration.ofSeconds(1)));
    }
    return recordTrace(
        duration("--for", Objects.requireNonNullElse(within, "PT5S"), Duration.ofMillis(1)));
  }

  /** Writes the file, while Ctrl-C only lets {@code content} know that it is to end. */
  private static void write(Path file, Recorded content, FileAttribute<?>... attributes)
      throws IOException {
    var done = new CountDownLatch(1);
    var isStopped = new AtomicBoolean();
    var hook =
        new Thread(
            () -> {
              isStopped.set(true); // seen with the next record, at the latest after half a second
              await(done);
            });
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      if (FileCommand.isStandardOutput(file)) {
        content.writeTo(System.out, isStopped);
        System.out.flush();
        return;
      }
      AtomicFile.write(
          file,
          channel -> content.writeTo(Channels.newOutputStream(channel), isStopped),
          attributes);
    } catch (IOException e) {
      throw e.getCause() instanceof SilentProgramException silent ? silent : e; // not of the file
    } finally {
      done.countDown();
      forget(hook);
    }
  }

  /** Writes what comes until it ends, or is to be stopped. */
  private interface Recorded {
    void writeTo(OutputStream out, AtomicBoolean isStopped) throws IOException;
  }

  private int recordTrace(Duration duration) throws IOException {
    var file = output();
    var form = format(file);
    int entries = Objects.requireNonNullElse(most, MOST);
    if (entries < 1) {
      throw wrong("--most " + entries + " is no number of calls; give 1 or more");
    }
    var grid = deployments.one();
    var summary = new Summary();
    write(
        file,
        (out, isStopped) -> {
          try (var writer = form.writer(out)) {
            grid.trace(duration, entries, line -> add(line, writer, summary) && !isStopped.get());
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        });
    return report(file, summary, form);
  }

  private int recordFlight(Duration duration) throws IOException {
    var file = output();
    var isFolded = isFolded(file);
    var grid = deployments.one();
    var writers = new ArrayList<FlightWriter>();
    write(
        file,
        (out, isStopped) -> {
          try (var writer = isFolded ? new FoldedStacks(out) : new FlightArchive(out)) {
            writers.add(writer);
            grid.flight(duration, settings, mib, line -> add(line, writer) && !isStopped.get());
            writer.finish();
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        },
        ATTRIBUTES);
    return report(file, writers.getFirst());
  }

  /** Returns whether the recordings are to become folded stacks, rather than a zip. */
  private boolean isFolded(Path file) {
    var its = format;
    if (its == null) {
      return file.toString().endsWith("." + FOLDED);
    }
    if (!its.equals(FOLDED) && !its.equals(ZIP)) {
      throw wrong(
          "--format: there is no format of recordings '" + its + "'; choose from zip, folded");
    }
    return its.equals(FOLDED);
  }

  private static boolean add(String line, FlightWriter writer) {
    try {
      var written = RecordCodec.FLIGHTS.record(line);
      if (written.isPresent()) {
        writer.add(written.get());
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int report(Path file, FlightWriter writer) {
    var recordings = count(writer.files(), "recording") + " of JVMs";
    says(file)
        .println(
            writer instanceof FoldedStacks stacks
                ? name(file) + " has " + count(stacks.samples(), "sample") + " of " + recordings
                : name(file)
                    + " has "
                    + recordings
                    + ", and index.json with the differences of their clocks");
    var missing = writer.missing();
    missing.forEach(each -> err().println("no whole recording of " + each));
    if (!writer.hasEnded()) {
      err().println(endsEarly(file));
    }
    if (missing.isEmpty() && writer.hasEnded()) {
      return ExitCode.OK;
    }
    return FileCommand.isStandardOutput(file) ? PARTIAL : ExitCode.SOFTWARE;
  }

  private static void await(CountDownLatch done) {
    try {
      if (!done.await(LAST_STEPS.toSeconds(), TimeUnit.SECONDS)) {
        return; // the file is left unfinished
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook has been waiting for this thread.
    }
  }

  private static boolean add(String line, TraceWriter writer, Summary summary) {
    var written = RecordCodec.TRACES.record(line);
    if (written.isPresent()) {
      summary.add(written.get());
      try {
        writer.add(written.get());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return true;
  }

  private int report(Path file, Summary summary, TraceFormat form) {
    var end = summary.end;
    if (end == null) {
      err().println(endsEarly(file));
      return ExitCode.OK;
    }
    says(file)
        .println(
            name(file)
                + " has "
                + count(end.entries(), "call and wait").replace("call and waits", "calls and waits")
                + " of "
                + count(summary.nodes, "node")
                + "; clocks are known to "
                + (summary.worstClockErrorNanos + 999) / 1_000
                + " us");
    if (form == TraceFormat.PERFETTO) {
      says(file).println("open it at https://ui.perfetto.dev, which reads it in the browser");
    }
    if (end.isFull()) {
      err().println("it ends early, since it has as many calls and waits as --most allows");
    }
    if (end.dropped() > 0) {
      err()
          .println(
              count(end.dropped(), "call")
                  + " or waits are missing, since nodes recorded faster than they could be read");
    }
    if (!end.silent().isEmpty()) {
      err().println("no answer at some time from " + String.join(", ", end.silent()));
    }
    return ExitCode.OK;
  }

  private static String endsEarly(Path file) {
    return name(file) + " ends early, since the recording was stopped, or the deployment ended";
  }

  private static String name(Path file) {
    return FileCommand.isStandardOutput(file) ? "the recording" : file.toString();
  }

  /** Returns where to say what the file has. */
  private PrintWriter says(Path file) {
    return FileCommand.isStandardOutput(file) ? err() : out();
  }

  private TraceFormat format(Path file) {
    try {
      var its = format;
      return its == null
          ? TraceFormat.ofFile(file.getFileName().toString())
          : TraceFormat.named(its);
    } catch (IllegalArgumentException e) {
      throw wrong("--format: " + e.getMessage(), e);
    }
  }

  private Duration duration(String option, String value, Duration least) {
    try {
      var duration = Duration.parse(value);
      if (duration.compareTo(least) >= 0 && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException e) {
      // reported below
    }
    throw wrong(option + " " + value + " is no duration up to PT1H; write one such as PT5S");
  }
}
