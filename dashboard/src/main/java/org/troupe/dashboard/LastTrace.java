package org.troupe.dashboard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.troupe.deployment.trace.RecordCodec;
import org.troupe.deployment.trace.TraceFormat;
import org.troupe.deployment.trace.TraceRecord;
import org.troupe.pages.PageAnswer;
import org.troupe.pages.PageException;

/** The last trace that a page has recorded, which becomes a file on request. Thread-safe. */
final class LastTrace {

  /*
   * Design: kept where it passes through
   *
   * The page keeps of a call only what it draws, which is too little for a file, and cannot send a trace back, since a body has at most
   * 64 KiB. So the server keeps the lines: of one trace, some 7 MB at most. A page names the trace by the time of its beginning, so it never
   * gets that of another page.
   */
  private static final int MOST_CALLS = 20_000; // as many as the page keeps

  private volatile List<String> lines = List.of();

  /** Records calls and waits one by one for a time, and writes the stream of the trace. */
  void record(ShownRun run, int seconds, PageAnswer.LineSink sink) throws IOException {
    List<String> taken = new ArrayList<>();
    run.trace(
        seconds,
        MOST_CALLS,
        new PageAnswer.LineSink() {
          @Override
          public boolean send(String line) {
            taken.add(line);
            return sink.send(line);
          }

          @Override
          public boolean flush() {
            return sink.flush();
          }
        });
    lines = taken; // complete, and not changed any more
  }

  /**
   * Returns the trace in Perfetto's form.
   *
   * @param beganMillis when it began, as its first record says
   * @throws PageException if it is not the last one
   */
  PageAnswer file(String beganMillis) {
    var recorded = lines;
    if (recorded.isEmpty() || !beginsAt(beganMillis, recorded.getFirst())) {
      throw new PageException(
          PageException.MISSING,
          "the server of the page has only the last trace that was recorded",
          "record again");
    }
    var out = new ByteArrayOutputStream();
    try (var writer = TraceFormat.PERFETTO.writer(out)) {
      for (var line : recorded) {
        var written = RecordCodec.TRACES.record(line);
        if (written.isPresent()) {
          writer.add(written.get());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a trace in memory cannot be written", e);
    }
    return new PageAnswer.Body(200, "application/octet-stream", out.toByteArray());
  }

  private static boolean beginsAt(String millis, String line) {
    return RecordCodec.TRACES.record(line).orElse(null) instanceof TraceRecord.Begin begin
        && String.valueOf(begin.timeMillis()).equals(millis);
  }
}
