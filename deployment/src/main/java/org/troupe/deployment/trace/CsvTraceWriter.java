package org.troupe.deployment.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the calls and waits of a trace as a table, by RFC 4180; times are in seconds. */
final class CsvTraceWriter implements TraceWriter {

  private static final int NANO_DIGITS = 9;

  private final Writer out;

  CsvTraceWriter(OutputStream out) throws IOException {
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    row(
        "kind",
        "node",
        "type",
        "object",
        "name",
        "caller_node",
        "caller_type",
        "caller",
        "call_id",
        "accepted",
        "began",
        "ended",
        "failed");
  }

  @Override
  public void add(TraceRecord written) throws IOException {
    switch (written) {
      case TraceRecord.Call call ->
          row(
              call.isOneWay() ? "one-way" : "call",
              call.node(),
              call.type(),
              call.object(),
              call.method(),
              call.callerNode(),
              call.callerType(),
              call.caller(),
              call.callId(),
              seconds(call.acceptedNanos()),
              seconds(call.beganNanos()),
              seconds(call.endedNanos()),
              call.hasFailed());
      case TraceRecord.Wait wait ->
          row(
              "wait",
              wait.node(),
              wait.type(),
              wait.object(),
              wait.awaited(),
              "",
              "",
              "",
              "",
              "",
              seconds(wait.beganNanos()),
              seconds(wait.endedNanos()),
              false);
      case TraceRecord.Begin _, TraceRecord.Node _, TraceRecord.Sample _, TraceRecord.End _ -> {
        // They have no row.
      }
    }
  }

  private static String seconds(long nanos) {
    return BigDecimal.valueOf(nanos, NANO_DIGITS).toPlainString();
  }

  private void row(Object... cells) throws IOException {
    out.write(Stream.of(cells).map(CsvTraceWriter::cell).collect(Collectors.joining(",")));
    out.write("\r\n");
  }

  private static String cell(Object value) {
    var text = value.toString();
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
