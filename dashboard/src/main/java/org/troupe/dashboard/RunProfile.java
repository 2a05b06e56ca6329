package org.troupe.dashboard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.troupe.deployment.runs.RunningGrid;
import org.troupe.deployment.trace.FlightRecord;
import org.troupe.deployment.trace.FoldedStacks;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.pages.PageAnswer;
import org.troupe.pages.PageException;
import tools.jackson.databind.json.JsonMapper;

/** The profile of a run for the page: the stacks of the samples of its JVMs. */
final class RunProfile {

  /*
   * Design: only stacks leave this process
   *
   * The recordings of the JVMs have their environment and properties, so they are read here, one after the other, from temporary files. The page gets the stacks with
   * the most samples first, as far as they fit. When there are MOST_SAMPLES, the JVMs that were not read yet are left out.
   */
  private static final String SETTINGS =
      "profile"; // of the JDK: samples of some running threads each 10 ms
  private static final int MOST_MEBIBYTES = 8; // of a recording
  private static final int MOST_SAMPLES = 200_000;
  private static final int MOST_CHARACTERS = 8 << 20;

  private static final JsonMapper JSON = new JsonMapper();

  /** A line: frames from the outermost one on, with semicolons between, behind node and class. */
  record Stack(String record, String stack, long samples) {}

  /** The line of a profile that cannot be made. */
  record Failed(String record, String error) {}

  /**
   * The last line.
   *
   * @param nodes how many JVMs have a recording
   * @param samples how many samples these have
   * @param dropped how many samples the stacks have that did not fit
   * @param isFull whether JVMs were left out because there were enough samples
   * @param missing the JVMs without a recording, each with the reason
   */
  record End(
      String record, int nodes, long samples, long dropped, boolean isFull, List<String> missing) {}

  private RunProfile() {}

  /**
   * Takes samples of all JVMs of a run for a time, and writes their stacks.
   *
   * @throws IOException if the program has ended meanwhile
   * @throws PageException if this JVM cannot read recordings
   */
  static void write(RunningGrid grid, Duration within, PageAnswer.LineSink sink)
      throws IOException {
    if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
      throw new PageException(
          PageException.CONFLICT,
          "the Java that serves this page has no flight recorder, the module jdk.jfr",
          "start the page by a Java that has it");
    }
    var folded = new ByteArrayOutputStream();
    try (var stacks = new FoldedStacks(folded)) {
      grid.flight(
          within,
          SETTINGS,
          MOST_MEBIBYTES,
          line -> {
            RecordCodec.FLIGHTS.record(line).ifPresent(its -> add(its, stacks));
            return stacks.samples() < MOST_SAMPLES && sink.flush();
          });
      stacks.finish();
      write(folded.toString(StandardCharsets.UTF_8), stacks, sink);
    } catch (UncheckedIOException e) {
      sink.send(
          JSON.writeValueAsString(
              new Failed(
                  "failed",
                  "the recordings cannot be read (%s); see whether there is space for temporary files in %s"
                      .formatted(e.getMessage(), System.getProperty("java.io.tmpdir")))));
    }
  }

  private static void add(FlightRecord its, FoldedStacks stacks) {
    try {
      stacks.add(its);
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static void write(String folded, FoldedStacks stacks, PageAnswer.LineSink sink) {
    var all =
        folded
            .lines()
            .map(RunProfile::stack)
            .sorted(Comparator.comparingLong(Stack::samples).reversed())
            .toList();
    var left = (long) MOST_CHARACTERS;
    var dropped = 0L;
    for (var each : all) {
      var line = JSON.writeValueAsString(each);
      left -= line.length();
      if (left < 0) {
        dropped += each.samples();
      } else if (!sink.send(line)) {
        return; // the browser has gone
      }
    }
    var end =
        new End(
            "end",
            stacks.files(),
            stacks.samples(),
            dropped,
            stacks.samples() >= MOST_SAMPLES,
            stacks.missing());
    sink.send(JSON.writeValueAsString(end));
  }

  /** Returns the stack of a line, which ends with a space and the number of samples. */
  private static Stack stack(String line) {
    var space = line.lastIndexOf(' ');
    return new Stack("stack", line.substring(0, space), Long.parseLong(line.substring(space + 1)));
  }
}
