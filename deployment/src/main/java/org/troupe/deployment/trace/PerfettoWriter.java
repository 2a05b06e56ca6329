package org.troupe.deployment.trace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import org.troupe.deployment.trace.TraceTracks.Track;

/** Writes a trace in Perfetto's own form. */
final class PerfettoWriter implements TraceWriter {

  /*
   * Design: one sequence of packets
   *
   * A file is a sequence of packets, each a field 1 of the message Trace. A node is a process, with the number of its place as
   * process id, since nodes on different machines may have equal ones; an object is a track below it. A track is described before
   * its first event. A span is two events, its begin and its end; the reader sorts events by time and keeps the order of
   * those with equal times. Texts are interned: the packet that has a text first also has its number, and later ones only the number, as
   * long as the sequence lasts, which is to the end of the file.
   *
   * A call is a flow with three stations: an instant on the track of the caller, the service, and the instant of the reply on the
   * track of the caller; a one-way call ends with its service. The caller is drawn at the time at which the request was
   * accepted, since the node of the object does not know when the call was made.
   *
   * The numbers of fields are those of protos/perfetto/trace in https://github.com/google/perfetto.
   */
  private static final int PACKET = 1; // of Trace

  // TracePacket
  private static final int CLOCK_SNAPSHOT = 6;
  private static final int TIMESTAMP = 8;
  private static final int SEQUENCE = 10;
  private static final int TRACK_EVENT = 11;
  private static final int INTERNED_DATA = 12;
  private static final int SEQUENCE_FLAGS = 13;
  private static final int TRACK_DESCRIPTOR = 60;
  private static final int STATE_IS_CLEARED = 1;
  private static final int STATE_IS_NEEDED = 2;

  // ClockSnapshot and its Clock
  private static final int CLOCKS = 1;
  private static final int CLOCK_ID = 1;
  private static final int CLOCK_TIME = 2;
  private static final int REALTIME = 1;
  private static final int BOOTTIME = 6; // the clock of time stamps without a clock

  // TrackDescriptor, ProcessDescriptor, and CounterDescriptor
  private static final int UUID = 1;
  private static final int TRACK_NAME = 2;
  private static final int PROCESS = 3;
  private static final int PARENT_UUID = 5;
  private static final int COUNTER = 8;
  private static final int PROCESS_ID = 1;
  private static final int PROCESS_NAME = 6;
  private static final int COUNTER_UNIT = 3;
  private static final int UNIT_COUNT = 2;
  private static final int UNIT_BYTES = 3;

  // TrackEvent
  private static final int CATEGORY_ID = 3;
  private static final int ANNOTATION = 4;
  private static final int TYPE = 9;
  private static final int NAME_ID = 10;
  private static final int TRACK = 11;
  private static final int COUNTER_VALUE = 30;
  private static final int FLOW = 47;
  private static final int FLOW_END = 48;
  private static final int SLICE_BEGIN = 1;
  private static final int SLICE_END = 2;
  private static final int INSTANT = 3;
  private static final int COUNTED = 4;

  // DebugAnnotation
  private static final int ANNOTATION_NAME_ID = 1;
  private static final int ANNOTATION_BOOL = 2;
  private static final int ANNOTATION_INT = 4;
  private static final int ANNOTATION_TEXT_ID = 17;

  /** A kind of interned texts: its field in InternedData; id and text are fields 1 and 2. */
  private enum Interned {
    CATEGORY(1),
    NAME(2),
    ANNOTATION_NAME(3),
    ANNOTATION_TEXT(29);

    private final int field;

    Interned(int field) {
      this.field = field;
    }
  }

  private record Text(Interned kind, String text) {}

  private static final int SEQUENCE_ID = 1;
  private static final long TRACKS_FROM = 1L << 32; // the numbers of processes are smaller
  private static final int COUNTERS_PER_NODE = 3;
  private static final long COUNTERS_FROM = 1L << 48;

  private final OutputStream out;
  private final TraceTracks tracks = new TraceTracks();
  private final Map<Text, Integer> texts = new HashMap<>();
  private final ProtoMessage packet = new ProtoMessage();
  private final ProtoMessage event = new ProtoMessage();
  private final ProtoMessage interned = new ProtoMessage();
  private final ProtoMessage inner = new ProtoMessage();
  private final ProtoMessage innermost = new ProtoMessage();
  private final ProtoMessage length = new ProtoMessage();
  private boolean hasBegun;
  private long flows;

  PerfettoWriter(OutputStream out) {
    this.out = new BufferedOutputStream(out, 1 << 16);
  }

  @Override
  public void add(TraceRecord written) throws IOException {
    switch (written) {
      case TraceRecord.Begin begin -> begin(begin);
      case TraceRecord.Node node -> node(node);
      case TraceRecord.Call call -> call(call);
      case TraceRecord.Wait wait -> wait(wait);
      case TraceRecord.Sample sample -> sample(sample);
      case TraceRecord.End _ -> {
        // The file needs none.
      }
    }
  }

  private void begin(TraceRecord.Begin begin) throws IOException {
    event.clear();
    clock(BOOTTIME, 0);
    clock(REALTIME, begin.timeMillis() * 1_000_000);
    packet.clear().number(TIMESTAMP, 0).message(CLOCK_SNAPSHOT, event);
    write();
  }

  private void clock(int id, long nanos) {
    event.message(CLOCKS, inner.clear().number(CLOCK_ID, id).number(CLOCK_TIME, nanos));
  }

  private void node(TraceRecord.Node node) throws IOException {
    if (tracks.knows(node.node())) {
      return;
    }
    var title = node.node() + " on " + node.host() + ", process " + node.pid();
    var number = tracks.add(node.node(), title).number();
    inner.clear().number(PROCESS_ID, number).text(PROCESS_NAME, title);
    describe(event.clear().number(UUID, number).message(PROCESS, inner));
    describeCounter(number, 0, "heap in use", UNIT_BYTES);
    describeCounter(number, 1, "requests in queues", UNIT_COUNT);
    describeCounter(number, 2, "objects that wait", UNIT_COUNT);
  }

  private static long counter(int process, int which) {
    return COUNTERS_FROM + (long) COUNTERS_PER_NODE * process + which;
  }

  private void describeCounter(int process, int which, String name, int unit) throws IOException {
    event
        .clear()
        .number(UUID, counter(process, which))
        .number(PARENT_UUID, process)
        .text(TRACK_NAME, name)
        .message(COUNTER, inner.clear().number(COUNTER_UNIT, unit));
    describe(event);
  }

  private void describe(ProtoMessage descriptor) throws IOException {
    packet.clear().message(TRACK_DESCRIPTOR, descriptor);
    write();
  }

  private void describeIfNew(Track track) throws IOException {
    if (track.isNew()) {
      event
          .clear()
          .number(UUID, uuid(track))
          .number(PARENT_UUID, track.process.number())
          .text(TRACK_NAME, track.name);
      describe(event);
    }
  }

  private static long uuid(Track track) {
    return TRACKS_FROM + track.number;
  }

  private void call(TraceRecord.Call call) throws IOException {
    var track =
        tracks.of(call.node(), call.object(), call.type(), call.beganNanos(), call.endedNanos());
    describeIfNew(track);
    var flow = ++flows;
    var isFlow = tracks.knows(call.callerNode());
    if (isFlow) {
      var accepted = Math.min(call.acceptedNanos(), call.beganNanos());
      instant(call, "call " + call.method(), accepted, FLOW, flow);
    }
    begins(SLICE_BEGIN, track, "service", call.method());
    if (isFlow) {
      event.fixed(call.isOneWay() ? FLOW_END : FLOW, flow);
    }
    annotateText("caller", caller(call));
    annotate("nanoseconds in the queue", call.beganNanos() - call.acceptedNanos());
    if (call.callId() != 0) {
      annotate("call id", call.callId());
    }
    if (call.hasFailed()) {
      annotation("failed");
      event.message(ANNOTATION, inner.number(ANNOTATION_BOOL, 1));
    }
    write(call.beganNanos());
    end(track, call.endedNanos());
    if (isFlow && !call.isOneWay()) {
      instant(call, "reply of " + call.method(), call.endedNanos(), FLOW_END, flow);
    }
  }

  private static String caller(TraceRecord.Call call) {
    return call.caller() == 0
        ? "node " + call.callerNode()
        : TraceTracks.simple(call.callerType()) + " " + call.callerNode() + "/" + call.caller();
  }

  private void instant(TraceRecord.Call call, String name, long nanos, int flowField, long flow)
      throws IOException {
    var track = tracks.first(call.callerNode(), call.caller(), call.callerType());
    describeIfNew(track);
    begins(INSTANT, track, "call", name);
    event.fixed(flowField, flow);
    write(nanos);
  }

  private void wait(TraceRecord.Wait wait) throws IOException {
    var track =
        tracks.of(wait.node(), wait.object(), wait.type(), wait.beganNanos(), wait.endedNanos());
    describeIfNew(track);
    begins(SLICE_BEGIN, track, "wait", "wait for " + wait.awaited());
    write(wait.beganNanos());
    end(track, wait.endedNanos());
  }

  private void sample(TraceRecord.Sample sample) throws IOException {
    var process = tracks.process(sample.node()).number();
    count(counter(process, 0), sample.nanos(), sample.heapUsedBytes());
    count(counter(process, 1), sample.nanos(), sample.queued());
    count(counter(process, 2), sample.nanos(), sample.waiting());
  }

  private void count(long counter, long nanos, long value) throws IOException {
    event.clear().number(TYPE, COUNTED).number(TRACK, counter).number(COUNTER_VALUE, value);
    write(nanos);
  }

  private void end(Track track, long nanos) throws IOException {
    event.clear().number(TYPE, SLICE_END).number(TRACK, uuid(track));
    write(nanos);
  }

  /** Begins an event with a name. */
  private void begins(int type, Track track, String category, String name) {
    interned.clear();
    event
        .clear()
        .number(TYPE, type)
        .number(TRACK, uuid(track))
        .number(CATEGORY_ID, id(Interned.CATEGORY, category))
        .number(NAME_ID, id(Interned.NAME, name));
  }

  private void annotate(String name, long value) {
    annotation(name);
    event.message(ANNOTATION, inner.number(ANNOTATION_INT, value));
  }

  private void annotateText(String name, String value) {
    var id = id(Interned.ANNOTATION_TEXT, value);
    annotation(name);
    event.message(ANNOTATION, inner.number(ANNOTATION_TEXT_ID, id));
  }

  /** Begins an annotation. */
  private void annotation(String name) {
    var id = id(Interned.ANNOTATION_NAME, name);
    inner.clear().number(ANNOTATION_NAME_ID, id);
  }

  /** Returns the number of a text, which the packet states if it is new. */
  private int id(Interned kind, String text) {
    var key = new Text(kind, text);
    var known = texts.get(key);
    if (known != null) {
      return known;
    }
    var id = texts.size() + 1;
    texts.put(key, id);
    interned.message(kind.field, innermost.clear().number(1, id).text(2, text));
    return id;
  }

  /** Writes the event at a time, with the texts that are new in it. */
  private void write(long nanos) throws IOException {
    packet.clear().number(TIMESTAMP, Math.max(0, nanos)).message(TRACK_EVENT, event);
    if (interned.size() > 0) {
      packet.message(INTERNED_DATA, interned);
      interned.clear();
    }
    write();
  }

  /** Writes the packet. */
  private void write() throws IOException {
    packet
        .number(SEQUENCE, SEQUENCE_ID)
        .number(SEQUENCE_FLAGS, hasBegun ? STATE_IS_NEEDED : STATE_IS_CLEARED);
    hasBegun = true;
    length.clear().message(PACKET, packet).writeTo(out);
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
