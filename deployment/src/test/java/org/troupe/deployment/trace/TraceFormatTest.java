package org.troupe.deployment.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TraceFormatTest {

  private static final TraceRecord.Begin BEGIN =
      new TraceRecord.Begin(1, "17", "0a1b", "Program", 1_700_000_000_000L, 5);

  private static final List<TraceRecord> NODES =
      List.of(
          new TraceRecord.Node("n1", "workers", "h1", 11, 5, 1),
          new TraceRecord.Node("n2", "workers", "h2", 11, -5, 1));

  /** A call of object 3 on n1 to object 7 on n2. */
  private static TraceRecord.Call call(long accepted, long began, long ended, boolean isOneWay) {
    return new TraceRecord.Call(
        "n2",
        7,
        "acme.Worker",
        "Worker.step(double)",
        3,
        "acme.Main",
        "n1",
        isOneWay ? 0 : 12,
        accepted,
        began,
        ended,
        isOneWay,
        isOneWay);
  }

  private static TraceRecord.Call own(long object, long began, long ended) {
    return new TraceRecord.Call(
        "n1", object, "acme.Main", "Main.run()", 0, "", "n1", 0, began, began, ended, false, false);
  }

  private static byte[] written(TraceFormat format, List<? extends TraceRecord> records)
      throws IOException {
    var out = new ByteArrayOutputStream();
    try (var writer = format.writer(out)) {
      writer.add(BEGIN);
      for (var each : NODES) {
        writer.add(each);
      }
      for (var each : records) {
        writer.add(each);
      }
    }
    return out.toByteArray();
  }

  private static PerfettoFile perfetto(List<? extends TraceRecord> records) throws IOException {
    return new PerfettoFile(written(TraceFormat.PERFETTO, records));
  }

  @Test
  void aWaitLiesWithinItsService() throws IOException {
    var file =
        perfetto(
            List.of(
                new TraceRecord.Wait("n1", 3, "acme.Main", "Worker.step()", 150, 180),
                own(3, 100, 200)));

    assertThat(file.slices)
        .filteredOn(each -> each.track().equals("Main 3"))
        .containsExactly(
            new PerfettoFile.Slice(
                "n1 on h1, process 11",
                "Main 3",
                "wait",
                "wait for Worker.step()",
                150,
                180,
                1,
                Map.of()),
            new PerfettoFile.Slice(
                "n1 on h1, process 11",
                "Main 3",
                "service",
                "Main.run()",
                100,
                200,
                0,
                Map.of("caller", "node n1", "nanoseconds in the queue", 0L)));
  }

  @Test
  void aCallFlowsFromItsCallerThroughTheServiceToTheReply() throws IOException {
    var file = perfetto(List.of(call(110, 130, 160, false), own(3, 100, 200)));

    assertThat(file.flows).hasSize(1 + 1); // one of them of the program's own call
    assertThat(file.flows.get(1L))
        .containsExactly(
            new PerfettoFile.Station(
                110, "n1 on h1, process 11", "Main 3", "call Worker.step(double)", false),
            new PerfettoFile.Station(
                130, "n2 on h2, process 11", "Worker 7", "Worker.step(double)", false),
            new PerfettoFile.Station(
                160, "n1 on h1, process 11", "Main 3", "reply of Worker.step(double)", true));
    assertThat(file.slices)
        .filteredOn(each -> each.track().equals("Worker 7"))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.notes())
                    .containsEntry("caller", "Main n1/3")
                    .containsEntry("nanoseconds in the queue", 20L)
                    .containsEntry("call id", 12L));
  }

  @Test
  void aOneWayCallEndsWithItsService() throws IOException {
    var file = perfetto(List.of(call(110, 130, 160, true)));

    assertThat(file.flows.get(1L))
        .extracting(PerfettoFile.Station::isLast)
        .containsExactly(false, true);
    assertThat(file.slices)
        .filteredOn(each -> each.track().equals("Worker 7"))
        .allSatisfy(each -> assertThat(each.notes()).containsEntry("failed", true));
  }

  @Test
  void noRequestIsServedBeforeItWasSent() throws IOException {
    var file = perfetto(List.of(call(135, 130, 160, false))); // clocks are not exact

    assertThat(file.flows.get(1L))
        .extracting(PerfettoFile.Station::time)
        .containsExactly(130L, 130L, 160L);
  }

  @Test
  void samplesAreCountersOfTheirNode() throws IOException {
    var file =
        perfetto(
            List.of(
                new TraceRecord.Sample("n1", 10, 1L << 33, 5, 2, 100),
                new TraceRecord.Sample("n1", 20, 1L << 34, 6, 3, 100)));

    assertThat(file.counters)
        .containsOnly(
            Map.entry("n1 on h1, process 11: heap in use", List.of(1L << 33, 1L << 34)),
            Map.entry("n1 on h1, process 11: requests in queues", List.of(5L, 6L)),
            Map.entry("n1 on h1, process 11: objects that wait", List.of(2L, 3L)));
    assertThat(file.clocks).containsEntry("clock 1", 1_700_000_000_000_000_000L);
  }

  @Test
  void overlappingServicesOfAnObjectHaveTracksOfTheirOwn() throws IOException {
    var file = perfetto(List.of(own(3, 100, 200), own(3, 150, 250), own(3, 210, 260)));

    assertThat(file.slices)
        .extracting(PerfettoFile.Slice::track, PerfettoFile.Slice::began, PerfettoFile.Slice::ended)
        .contains(
            tuple("Main 3", 100L, 200L),
            tuple("Main 3 (2)", 150L, 250L),
            tuple("Main 3", 210L, 260L));
  }

  @Test
  void everySpanIsShownAsItWasWhateverOverlaps() throws IOException {
    var random = new Random(7);
    for (var round = 0; round < 50; round++) {
      var spans =
          random
              .longs(100, 0, 1_000)
              .mapToObj(
                  began -> own(3 + began % 2, began * 10, began * 10 + 1 + random.nextInt(600)))
              .sorted(Comparator.comparingLong(TraceRecord.Call::endedNanos))
              .toList();
      var file = perfetto(spans);

      assertThat(file.slices)
          .filteredOn(each -> each.category().equals("service"))
          .extracting(each -> List.of(each.began(), each.ended()))
          .containsExactlyInAnyOrderElementsOf(
              spans.stream().map(each -> List.of(each.beganNanos(), each.endedNanos())).toList());
    }
  }

  @Test
  void chromesFormHasSpansFlowsAndCounters() throws IOException {
    var bytes =
        written(
            TraceFormat.CHROME,
            List.of(
                call(110, 130, 1160, false),
                own(3, 100, 2000),
                new TraceRecord.Sample("n1", 10, 1L << 33, 5, 2, 100)));
    var events = new JsonMapper().readTree(bytes).path("traceEvents");

    List<String> lines = new ArrayList<>();
    events.forEach(
        each -> lines.add(each.path("ph").asString() + " " + each.path("name").asString()));
    assertThat(lines)
        .contains(
            "M process_name",
            "M thread_name",
            "X Worker.step(double)",
            "X Main.run()",
            "s call",
            "t call",
            "f call",
            "C heap in use");
    assertThat(new String(bytes, StandardCharsets.UTF_8)).contains("\"ts\":0.130,\"dur\":1.030");
  }

  @Test
  void aTableQuotesWhatNeedsIt() throws IOException {
    var bytes =
        written(
            TraceFormat.CSV,
            List.of(
                call(110, 130, 160, true),
                new TraceRecord.Wait(
                    "n1", 3, "acme.Main", "a \"b\", c", 1_500_000_000L, 2_000_000_000L)));

    assertThat(new String(bytes, StandardCharsets.UTF_8).split("\r\n"))
        .containsExactly(
            "kind,node,type,object,name,caller_node,caller_type,caller,call_id,accepted,began,ended,failed",
            "one-way,n2,acme.Worker,7,Worker.step(double),n1,acme.Main,3,0,0.000000110,0.000000130,0.000000160,true",
            "wait,n1,acme.Main,3,\"a \"\"b\"\", c\",,,,,,1.500000000,2.000000000,false");
  }

  @Test
  void anUnknownFormatIsRefused() {
    assertThatThrownBy(() -> TraceFormat.named("svg"))
        .hasMessage("there is no format of traces 'svg'; choose from perfetto, chrome, csv");
  }

  @Test
  void recordsAreTheSameAfterTheirLines() {
    for (var each : List.of(BEGIN, NODES.getFirst(), call(1, 2, 3, true))) {
      assertThat(RecordCodec.TRACES.record(RecordCodec.TRACES.line(each))).contains(each);
    }
    assertThat(RecordCodec.TRACES.record("{\"record\":\"later\"}")).isEmpty();
    assertThatThrownBy(() -> RecordCodec.TRACES.record("{}"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
