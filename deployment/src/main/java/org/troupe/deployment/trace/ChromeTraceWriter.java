package org.troupe.deployment.trace;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.troupe.deployment.trace.TraceTracks.Track;
import tools.jackson.databind.json.JsonMapper;

/** Writes a trace in the JSON of Chrome's trace viewer. */
final class ChromeTraceWriter implements TraceWriter {

  /*
   * The form is that of "Trace Event Format" by N. Duca and D. Sinclair, 2016. Times are in microseconds with a fraction. Nodes are
   * processes, and objects are threads; spans nest, as TraceTracks sees to it.
   */
  private static final JsonMapper JSON = new JsonMapper();

  private static final String TIME = "ts";

  private final Writer out;
  private final TraceTracks tracks = new TraceTracks();
  private boolean hasEvents;
  private long flows;

  ChromeTraceWriter(OutputStream out) throws IOException {
    this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    this.out.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  }

  @Override
  public void add(TraceRecord written) throws IOException {
    switch (written) {
      case TraceRecord.Begin _, TraceRecord.End _ -> {
        // The file needs none.
      }
      case TraceRecord.Node node -> node(node);
      case TraceRecord.Call call -> call(call);
      case TraceRecord.Wait wait -> wait(wait);
      case TraceRecord.Sample sample -> sample(sample);
    }
  }

  private static Map<String, Object> event(String phase, String name, int process, int thread) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("ph", phase);
    event.put("name", name);
    event.put("pid", process);
    event.put("tid", thread);
    return event;
  }

  private static Map<String, Object> event(String phase, String name, Track track) {
    return event(phase, name, track.process.number(), track.number);
  }

  private static BigDecimal micros(long nanos) {
    return BigDecimal.valueOf(Math.max(0, nanos), 3);
  }

  private void write(Map<String, Object> event) throws IOException {
    out.write(hasEvents ? ",\n" : "\n");
    hasEvents = true;
    out.write(JSON.writeValueAsString(event));
  }

  private void node(TraceRecord.Node node) throws IOException {
    if (!tracks.knows(node.node())) {
      var title = node.node() + " on " + node.host() + ", process " + node.pid();
      var event = event("M", "process_name", tracks.add(node.node(), title).number(), 0);
      event.put("args", Map.of("name", title));
      write(event);
    }
  }

  private void describeIfNew(Track track) throws IOException {
    if (track.isNew()) {
      var event = event("M", "thread_name", track);
      event.put("args", Map.of("name", track.name));
      write(event);
    }
  }

  private void span(
      Track track,
      String category,
      String name,
      long beganNanos,
      long endedNanos,
      Map<String, Object> args)
      throws IOException {
    describeIfNew(track);
    var event = event("X", name, track);
    event.put("cat", category);
    event.put(TIME, micros(beganNanos));
    event.put("dur", micros(endedNanos - beganNanos));
    if (!args.isEmpty()) {
      event.put("args", args);
    }
    write(event);
  }

  private void call(TraceRecord.Call call) throws IOException {
    var track =
        tracks.of(call.node(), call.object(), call.type(), call.beganNanos(), call.endedNanos());
    Map<String, Object> args = new LinkedHashMap<>();
    args.put("caller", call.callerNode() + "/" + call.caller());
    args.put("queueMicros", micros(call.beganNanos() - call.acceptedNanos()));
    if (call.hasFailed()) {
      args.put("failed", true);
    }
    span(track, "service", call.method(), call.beganNanos(), call.endedNanos(), args);
    if (tracks.knows(call.callerNode())) {
      var caller = tracks.first(call.callerNode(), call.caller(), call.callerType());
      describeIfNew(caller);
      var flow = ++flows;
      flow("s", flow, caller, Math.min(call.acceptedNanos(), call.beganNanos()));
      if (call.isOneWay()) {
        flow("f", flow, track, call.beganNanos());
      } else {
        flow("t", flow, track, call.beganNanos());
        flow("f", flow, caller, call.endedNanos());
      }
    }
  }

  private void flow(String phase, long id, Track track, long nanos) throws IOException {
    var event = event(phase, "call", track);
    event.put("cat", "call");
    event.put("id", id);
    event.put(TIME, micros(nanos));
    event.put("bp", "e"); // binds to the span around it
    write(event);
  }

  private void wait(TraceRecord.Wait wait) throws IOException {
    var track =
        tracks.of(wait.node(), wait.object(), wait.type(), wait.beganNanos(), wait.endedNanos());
    var name = "wait for " + wait.awaited();
    span(track, "wait", name, wait.beganNanos(), wait.endedNanos(), Map.of());
  }

  private void sample(TraceRecord.Sample sample) throws IOException {
    var process = tracks.process(sample.node()).number();
    count(process, "heap in use", sample.nanos(), Map.of("bytes", sample.heapUsedBytes()));
    count(process, "requests in queues", sample.nanos(), Map.of("requests", sample.queued()));
    count(process, "objects that wait", sample.nanos(), Map.of("objects", sample.waiting()));
  }

  private void count(int process, String name, long nanos, Map<String, Object> args)
      throws IOException {
    var event = event("C", name, process, 0);
    event.put(TIME, micros(nanos));
    event.put("args", args);
    write(event);
  }

  @Override
  public void close() throws IOException {
    out.write("\n]}\n");
    out.flush();
  }
}
