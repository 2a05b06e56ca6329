package org.troupe.cli.observe;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.cli.command.CliCommand;
import org.troupe.cli.command.FileCommand;
import org.troupe.cli.command.OtherMachine;
import org.troupe.cli.command.RunArgument;
import org.troupe.deployment.files.AtomicFile;
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
  private static final List<String> SETTINGS = List.of("default", "profile");
  private static final Duration LONGEST = Duration.ofHours(1);

  /** Recordings of JVMs have their environment variables and properties, some of them secrets. */
  private static final FileAttribute<?>[] ATTRIBUTES = OwnerOnly.file();

  @Mixin private OtherMachine machine;

  @Mixin private RunArgument deployments;

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

  @Option(names = PRINT, hidden = true)
  private boolean isPrinted;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "perfetto, chrome (JSON) or csv; with --jfr zip, or folded stacks for flame graphs (default: by the end"
              + " of the file's name: .pftrace, .json, .csv, .zip, .folded; the first one if it has no end).")
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
    private long entries; // calls and waits
    private long worstClockErrorNanos;
    private TraceRecord.@Nullable End end;

    void add(TraceRecord written) {
      if (written instanceof TraceRecord.Node node) {
        nodes++;
        worstClockErrorNanos = Math.max(worstClockErrorNanos, node.clockErrorNanos());
      } else if (written instanceof TraceRecord.End its) {
        end = its;
      } else if (written instanceof TraceRecord.Call || written instanceof TraceRecord.Wait) {
        entries++;
      }
    }
  }

  @Override
  public Path output() {
    var file =
        isPrinted
            ? Path.of(STANDARD_OUTPUT)
            : Objects.requireNonNullElse(
                named, Path.of(flight == null ? "run.pftrace" : "run.zip"));
    checkPlace(file);
    var _ = format(file); // which may be wrong
    if (!SETTINGS.contains(settings)) {
      throw wrong(
          "--settings: there are no settings '%s'; choose from %s"
              .formatted(settings, String.join(", ", SETTINGS)));
    }
    return file;
  }

  @Override
  public FileAttribute<?>[] attributes() {
    return flight == null ? new FileAttribute<?>[0] : ATTRIBUTES;
  }

  @Override
  public List<String> printing() {
    return format == null
        ? List.of(PRINT, "--format", format(output()).toString())
        : List.of(PRINT);
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

  private int recordTrace(Duration duration) throws IOException {
    var file = output();
    var form = TraceFormat.named(format(file).toString());
    int entries = Objects.requireNonNullElse(most, MOST);
    if (entries < 1) {
      throw wrong("--most " + entries + " is no number of calls; give 1 or more");
    }
    var grid = deployments.one();
    var summary = new Summary();
    return new StoppableFile(file)
        .write(
            (out, isStopped) -> {
              try (var writer = form.writer(out)) {
                grid.trace(
                    duration,
                    entries,
                    line -> add(line, writer, summary) && !isStopped.getAsBoolean());
                return summary.end != null || summary.entries > 0;
              } catch (UncheckedIOException e) {
                throw e.getCause();
              }
            },
            isWritten -> isWritten ? report(file, summary, form) : nothing(file));
  }

  private int recordFlight(Duration duration) throws IOException {
    var file = output();
    var isFolded = format(file) == RecordFormat.FOLDED;
    var grid = deployments.one();
    var writers = new ArrayList<FlightWriter>();
    return new StoppableFile(file, ATTRIBUTES)
        .write(
            (out, isStopped) -> {
              try (var writer = isFolded ? new FoldedStacks(out) : new FlightArchive(out)) {
                writers.add(writer);
                grid.flight(
                    duration,
                    settings,
                    mib,
                    line -> add(line, writer) && !isStopped.getAsBoolean());
                writer.finish();
                return writer.hasEnded() || writer.files() > 0;
              } catch (UncheckedIOException e) {
                throw e.getCause();
              }
            },
            isWritten -> isWritten ? report(file, writers.getFirst()) : nothing(file));
  }

  /** Reports that a recording was stopped, or its deployment has ended, before there was any. */
  private int nothing(Path file) {
    err()
        .println(
            "nothing had been recorded when the recording was stopped, or the deployment ended; "
                + withoutContent(file));
    err().flush();
    return ExitCode.SOFTWARE;
  }

  /** Says what a file is that has got nothing, except perhaps what is in front of the records. */
  static String withoutContent(Path file) {
    if (FileCommand.isStandardOutput(file)) {
      return "what was printed is no recording";
    }
    return AtomicFile.isOverwritten(file)
        ? "'" + file + "' had to be overwritten, and is no recording"
        : "'" + file + "' was not written";
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
    out().flush();
    err().flush();
    if (missing.isEmpty() && writer.hasEnded()) {
      return ExitCode.OK;
    }
    return FileCommand.isStandardOutput(file) ? PARTIAL : ExitCode.SOFTWARE;
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
    says(file)
        .println(
            name(file)
                + " has "
                + count(end == null ? summary.entries : end.entries(), "call and wait")
                    .replace("call and waits", "calls and waits")
                + " of "
                + count(summary.nodes, "node")
                + "; clocks are known to "
                + (summary.worstClockErrorNanos + 999) / 1_000
                + " us");
    if (form == TraceFormat.PERFETTO) {
      says(file).println("open it at https://ui.perfetto.dev, which reads it in the browser");
    }
    out().flush();
    if (end == null) {
      err().println(endsEarly(file));
      err().flush();
      return ExitCode.OK;
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

  private RecordFormat format(Path file) {
    try {
      return RecordFormat.of(file, format, flight != null);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), e);
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
