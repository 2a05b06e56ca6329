package org.troupe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.Nodes;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.junit.FailureLog;
import org.troupe.junit.GridTest;
import org.troupe.testing.Polling;

/** Calls, services, waits and failures make spans and measurements. */
class SpansTest {

  private static final String STEP = "org.troupe.opentelemetry.Worker/step";
  private static final String COUNT = "org.troupe.opentelemetry.Worker/count";
  private static final long RECORDED_NANOS = 1_000_000; // shorter waits are not
  private static final AttributeKey<String> STATUS = AttributeKey.stringKey("rpc.status_code");
  private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  private static final AttributeKey<String> NODE = AttributeKey.stringKey("troupe.node");
  private static final AttributeKey<Long> SIZE = AttributeKey.longKey("troupe.group.size");
  private static final AttributeKey<Long> OMITTED = AttributeKey.longKey("troupe.group.omitted");

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
          .build();

  @BeforeEach
  void use() {
    Telemetry.use(telemetry);
  }

  @AfterEach
  void close() {
    telemetry.close();
  }

  private List<SpanData> all(String name) {
    return spans.getFinishedSpanItems().stream().filter(s -> s.getName().equals(name)).toList();
  }

  private List<SpanData> all(String name, SpanKind kind) {
    return all(name).stream().filter(s -> s.getKind() == kind).toList();
  }

  /** Waits for the one span of a name and kind. */
  private SpanData one(String name, SpanKind kind) {
    Polling.until(() -> kind + " " + name + " in " + names(), () -> !all(name, kind).isEmpty());
    assertThat(all(name, kind)).hasSize(1);
    return all(name, kind).getFirst();
  }

  private List<String> names() {
    return spans.getFinishedSpanItems().stream().map(s -> s.getKind() + " " + s.getName()).toList();
  }

  @GridTest(nodes = 2)
  void aCallHasTheServiceAsItsChild(Node node) {
    ActiveObjects.on(node).create(Worker.class).count();

    var client = one(COUNT, SpanKind.CLIENT);
    var server = one(COUNT, SpanKind.SERVER);
    assertThat(server.getParentSpanContext().getSpanId()).isEqualTo(client.getSpanId());
    assertThat(server.getTraceId()).isEqualTo(client.getTraceId());
    assertThat(client.getAttributes().get(AttributeKey.stringKey("rpc.system.name")))
        .isEqualTo("troupe");
    assertThat(client.getAttributes().get(AttributeKey.stringKey("rpc.method"))).isEqualTo(COUNT);
    assertThat(client.getAttributes().get(STATUS)).isEqualTo("OK");
    assertThat(client.getAttributes().get(NODE)).isEqualTo(node.name());
    assertThat(client.getAttributes().get(AttributeKey.stringKey("server.address")))
        .isEqualTo(node.host());
    assertThat(client.getInstrumentationScopeInfo().getSchemaUrl()).endsWith("/1.44.0");
  }

  @GridTest(nodes = 2)
  void aCallOfAServiceIsInItsTrace(Node one, Node two) {
    var inner = ActiveObjects.on(two).create(Worker.class);
    ActiveObjects.on(one).create(Worker.class).countOf(inner);

    var outer = one("org.troupe.opentelemetry.Worker/countOf", SpanKind.SERVER);
    var call = one(COUNT, SpanKind.CLIENT);
    assertThat(call.getParentSpanId()).isEqualTo(outer.getSpanId());
    assertThat(one(COUNT, SpanKind.SERVER).getParentSpanId()).isEqualTo(call.getSpanId());
  }

  @GridTest(nodes = 2)
  void aOneWayCallIsLinkedFromItsService(Node node) {
    ActiveObjects.on(node).create(Worker.class).step();

    var send = one("send " + STEP, SpanKind.PRODUCER);
    var process = one("process " + STEP, SpanKind.CONSUMER);
    assertThat(process.getTraceId()).isNotEqualTo(send.getTraceId());
    assertThat(process.getLinks())
        .singleElement()
        .satisfies(
            link -> assertThat(link.getSpanContext().getSpanId()).isEqualTo(send.getSpanId()));
  }

  @GridTest(nodes = 2)
  void aGroupCallIsOneSpanWithAtMost32Services(Nodes nodes) {
    var members = new ArrayList<Worker>();
    for (var i = 0; i < 40; i++) {
      members.add(ActiveObjects.on(nodes.get(i % 2)).create(Worker.class));
    }
    Group.of(Groups.of(Worker.class, members)).ask(Worker::count).awaitAll();

    var call = one(COUNT, SpanKind.CLIENT);
    Polling.until(
        () -> "32 services in " + names(), () -> all(COUNT, SpanKind.SERVER).size() == 32);
    assertThat(all(COUNT, SpanKind.SERVER))
        .allSatisfy(s -> assertThat(s.getParentSpanId()).isEqualTo(call.getSpanId()));
    assertThat(call.getAttributes().get(SIZE)).isEqualTo(40);
    assertThat(call.getAttributes().get(OMITTED)).isEqualTo(8);
  }

  @GridTest(nodes = 2)
  void aFailureIsTheStatusOfBothSpans(Node node) {
    var worker = ActiveObjects.on(node).create(Worker.class);
    assertThatThrownBy(worker::fail).isInstanceOf(IllegalStateException.class);

    for (var kind : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
      var span = one("org.troupe.opentelemetry.Worker/fail", kind);
      assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(span.getAttributes().get(ERROR)).isEqualTo("java.lang.IllegalStateException");
      assertThat(span.getAttributes().get(STATUS)).isEqualTo("ERROR");
      assertThat(span.getEvents())
          .singleElement()
          .satisfies(event -> assertThat(event.getName()).isEqualTo("exception"));
    }
  }

  @GridTest(nodes = 2)
  void aCallThatTheMiddlewareEndsHasTheNameOfTheError(Node node) {
    var worker = ActiveObjects.on(node).create(Worker.class);
    ActiveObjects.ref(worker).terminate().join();
    assertThatThrownBy(worker::count).isInstanceOf(RuntimeException.class);

    assertThat(one(COUNT, SpanKind.CLIENT).getAttributes().get(STATUS))
        .isEqualTo("ObjectTerminatedException");
  }

  @GridTest(nodes = 2)
  void theSpanOfAServiceIsCurrentInTheMethodAndInItsStages(Node one, Node two) {
    var worker = ActiveObjects.on(one).create(Worker.class);
    var other = ActiveObjects.on(two).create(Worker.class);

    var trace = worker.trace();
    assertThat(one("org.troupe.opentelemetry.Worker/trace", SpanKind.SERVER).getTraceId())
        .isEqualTo(trace.toString());
    assertThat(worker.spanOfStage(other).join()).isEqualTo("the same");
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @GridTest(nodes = 2)
  void aWaitForAFutureThatWasPassedOnIsLinkedToItsCall(Node one, Node two) {
    var slow = ActiveObjects.on(one).create(Worker.class);
    var reader = ActiveObjects.on(two).create(Worker.class);
    reader.read(slow.slow("the gate"));
    Polling.until("the reader waits for the future", Worker::isReaderWaiting);
    var waiting = System.nanoTime();
    Polling.until("a wait that is recorded", () -> System.nanoTime() - waiting > RECORDED_NANOS);
    Worker.gate("the gate").countDown();

    var wait = one("wait", SpanKind.INTERNAL);
    var call = one("org.troupe.opentelemetry.Worker/slow", SpanKind.CLIENT);
    assertThat(wait.getLinks())
        .singleElement()
        .satisfies(
            link -> assertThat(link.getSpanContext().getSpanId()).isEqualTo(call.getSpanId()));
    var read = one("process org.troupe.opentelemetry.Worker/read", SpanKind.CONSUMER);
    assertThat(wait.getParentSpanId()).isEqualTo(read.getSpanId());
  }

  @GridTest(nodes = 2)
  void aCollectiveOperationIsASpanOfTheFirstMemberAndAnEventOfTheOthers(Nodes nodes) {
    var group = Groups.on(nodes).spmd(Worker.class);
    Group.of(group).ask(Worker::sum).awaitAll();

    var operation = one("allReduce", SpanKind.INTERNAL);
    Polling.until(
        "both services",
        () -> all("org.troupe.opentelemetry.Worker/sum", SpanKind.SERVER).size() == 2);
    var services = all("org.troupe.opentelemetry.Worker/sum", SpanKind.SERVER);
    assertThat(services)
        .anySatisfy(s -> assertThat(s.getSpanId()).isEqualTo(operation.getParentSpanId()));
    assertThat(services.stream().flatMap(s -> s.getEvents().stream()))
        .singleElement()
        .satisfies(event -> assertThat(event.getName()).isEqualTo("allReduce"));
  }

  @GridTest(nodes = 2)
  void aFailureThatNoCallerObservesIsASpan(Node node, FailureLog failures)
      throws InterruptedException {
    var worker = ActiveObjects.on(node).create(Worker.class);
    ActiveObjects.ref(worker).terminate().join();
    worker.step();

    Polling.until("a failure", () -> names().stream().anyMatch(n -> n.contains("failure")));
    var span =
        spans.getFinishedSpanItems().stream()
            .filter(s -> s.getName().startsWith("failure"))
            .findFirst();
    assertThat(span.orElseThrow().getAttributes().get(ERROR))
        .isEqualTo("org.troupe.activeobjects.ObjectTerminatedException");
    assertThat(failures.take().call()).contains("step");
  }

  @GridTest(nodes = 2)
  void callsAndServicesAreMeasuredByMethodOnly(Node node) {
    var worker = ActiveObjects.on(node).create(Worker.class);
    worker.count();
    worker.count();
    worker.step();
    worker.count();

    for (var name : List.of("rpc.client.call.duration", "rpc.server.call.duration")) {
      var metric =
          metrics.collectAllMetrics().stream().filter(m -> m.getName().equals(name)).findFirst();
      assertThat(metric).as(name).isPresent();
      assertThat(metric.get().getUnit()).isEqualTo("s");
      HistogramPointData point = metric.get().getHistogramData().getPoints().iterator().next();
      assertThat(point.getCount()).isEqualTo(3);
      assertThat(point.getBoundaries().getFirst()).isLessThan(1e-5); // not the conventional 5 ms
      assertThat(point.getAttributes().asMap().keySet())
          .extracting(AttributeKey::getKey)
          .containsExactlyInAnyOrder("rpc.system.name", "rpc.method", "rpc.status_code");
    }
  }

  @GridTest(nodes = 2)
  void callsArePendingUntilTheirResultsArrive(Node node) {
    var worker = ActiveObjects.on(node).create(Worker.class);

    var result = worker.slow("pending");

    assertThat(pending()).isEqualTo(1);
    Worker.gate("pending").countDown();
    assertThat(result).containsExactly("done");
    Polling.until("no call is pending", () -> pending() == 0);
  }

  private long pending() {
    return metrics.collectAllMetrics().stream()
        .filter(metric -> metric.getName().equals("troupe.client.pending.calls"))
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .mapToLong(LongPointData::getValue)
        .sum();
  }
}
