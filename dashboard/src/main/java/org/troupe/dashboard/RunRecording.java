package org.troupe.dashboard;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.troupe.deployment.runs.ActionResult;
import org.troupe.deployment.runs.RunAction;
import org.troupe.pages.PageAnswer;
import org.troupe.pages.PageException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The recording of a run: lines of the stream, and the other facts that were known at its end.
 * Immutable.
 */
final class RunRecording implements ShownRun {

  private static final JsonMapper JSON = new JsonMapper();
  private static final long MOST_BYTES = 64L << 20; // a report has at most 20 MB

  private final RunEntry entry;
  private final List<String> lines;

  private RunRecording(RunEntry entry, List<String> lines) {
    this.entry = entry;
    this.lines = lines;
  }

  /**
   * Reads a report, or a file of lines.
   *
   * @throws IllegalArgumentException if it is neither; the message says why
   */
  static RunRecording read(Path file) throws IOException {
    long size;
    try {
      size = Files.size(file);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          "there is no file '%s'; 'troupe report' writes one".formatted(file), e);
    }
    if (size > MOST_BYTES || Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "'%s' is no report: it is a folder, or has more than %d MB"
              .formatted(file, MOST_BYTES >> 20));
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "'%s' is no report: it is no text in UTF-8; 'troupe report' writes one".formatted(file),
          e);
    }
    var lines = (ReportFile.isReport(text) ? ReportFile.recording(text) : text).lines();
    return of(file, lines.filter(line -> !line.isBlank()).toList());
  }

  private static RunRecording of(Path file, List<String> lines) {
    var begin =
        lines.stream()
            .filter(line -> RecordLines.isOf(RecordLines.BEGIN, line))
            .findFirst()
            .map(RunRecording::parsed)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "'%s' is no report of a run; 'troupe report' and 'troupe top --json' write some"
                            .formatted(file)));
    var started =
        lines.stream()
            .filter(line -> RecordLines.isOf(RecordLines.RECORDING, line))
            .findFirst()
            .map(RunRecording::parsed)
            .map(it -> it.path("startedMillis").asLong(0))
            .orElse(0L);
    return new RunRecording(
        new RunEntry(
            begin.path("run").asString(""),
            begin.path("program").asString(""),
            started,
            false,
            file.toString()),
        lines);
  }

  private static JsonNode parsed(String line) {
    try {
      return JSON.readTree(line);
    } catch (JacksonException e) {
      throw new IllegalArgumentException("a line is no record: " + e.getOriginalMessage(), e);
    }
  }

  @Override
  public RunEntry entry() {
    return entry;
  }

  @Override
  public void watch(
      int intervalSeconds, String rows, String cursor, boolean isPoll, PageAnswer.LineSink sink) {
    for (var line : lines) {
      if (!sink.send(line)) {
        return;
      }
    }
  }

  @Override
  public String status() {
    return parsed(lineOf(RecordLines.BEGIN)).toString(); // the rows have all that was known
  }

  @Override
  public String stacks(String node) {
    var text = parsed(lineOf(RecordLines.STACKS)).path("text").asString("");
    if (node.isEmpty()) {
      return text;
    }
    // Each node's part begins with a line such as: == node 'a1' on h1
    return List.of(text.split("(?m)^(?=== )")).stream()
        .filter(part -> part.startsWith("== node '" + node + "'"))
        .collect(Collectors.joining());
  }

  @Override
  public void logs(String node, boolean follow, PageAnswer.LineSink sink) {
    for (var line : lines) {
      if (RecordLines.isOf(RecordLines.LOG, line)
          && (node.isEmpty() || parsed(line).path("node").asString("").equals(node))
          && !sink.send(line)) {
        return;
      }
    }
  }

  @Override
  public String jobs() {
    return lines.stream()
        .filter(line -> RecordLines.isOf(RecordLines.JOB, line))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public void trace(int seconds, int most, PageAnswer.LineSink sink) {
    throw ended();
  }

  @Override
  public void profile(int seconds, PageAnswer.LineSink sink) {
    throw ended();
  }

  @Override
  public String object(String node, long number) {
    throw ended();
  }

  @Override
  public String futures(String node) {
    throw ended();
  }

  @Override
  public String pair(String node, String peer) {
    throw ended();
  }

  @Override
  public String settings() {
    return field(RecordLines.SETTINGS);
  }

  private String field(String kind) {
    return parsed(lineOf(kind)).path(kind).toString();
  }

  private String lineOf(String kind) {
    return lines.stream()
        .filter(line -> RecordLines.isOf(kind, line))
        .findFirst()
        .orElseThrow(
            () ->
                new PageException(
                    PageException.MISSING,
                    "the recording '%s' has no %s".formatted(entry.file(), kind),
                    "ask while the run lasts"));
  }

  @Override
  public ActionResult act(RunAction action) {
    throw ended();
  }

  private PageException ended() {
    return new PageException(
        PageException.CONFLICT,
        "'%s' is a recording of a run that has ended".formatted(entry.file()),
        "choose a running one");
  }
}
