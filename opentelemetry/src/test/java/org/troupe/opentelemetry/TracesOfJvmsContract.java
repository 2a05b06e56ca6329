package org.troupe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Nodes;
import org.troupe.junit.GridTest;
import org.troupe.opentelemetry.OtlpReceiver.Received;
import org.troupe.testing.Polling;

/**
 * A trace goes through several JVMs, each of which exports its spans. With {@code
 * -Dtroupe.otlp=http://127.0.0.1:4318} they go to a collector there, and only that they are made is
 * tested.
 */
abstract class TracesOfJvmsContract {

  private static final String COLLECTOR = System.getProperty("troupe.otlp", "");

  private final Map<String, String> properties;
  private final OtlpReceiver receiver;

  TracesOfJvmsContract(String transport) throws IOException {
    Telemetry.use(OpenTelemetry.noop()); // in this JVM; the properties are for the nodes
    receiver = new OtlpReceiver();
    properties =
        Map.of(
            "troupe.transport", transport,
            "otel.java.global-autoconfigure.enabled", "true",
            "otel.exporter.otlp.endpoint", COLLECTOR.isEmpty() ? receiver.address() : COLLECTOR,
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.logs.exporter", "none",
            "otel.bsp.schedule.delay", "50",
            "otel.metric.export.interval", "1000");
    properties.forEach(System::setProperty);
  }

  @AfterEach
  void end() {
    properties.keySet().forEach(System::clearProperty);
    receiver.close();
  }

  private Received one(String name, long kind) {
    Polling.until(() -> name + " in " + receiver.spans(), () -> !all(name, kind).isEmpty());
    assertThat(all(name, kind)).hasSize(1);
    return all(name, kind).getFirst();
  }

  private List<Received> all(String name, long kind) {
    return receiver.spans().stream()
        .filter(s -> s.name().equals(name) && s.kind() == kind)
        .toList();
  }

  @GridTest(jvms = 2)
  void aTraceGoesThroughThreeJvms(Nodes nodes) {
    var configured =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesCustomizer(_ -> Map.of("otel.metrics.exporter", "none")) // the nodes' do
            .build();
    try (var sdk = configured.getOpenTelemetrySdk()) {
      Telemetry.use(sdk);
      var inner = ActiveObjects.on(nodes.get(1)).create(Worker.class);
      var outer = ActiveObjects.on(nodes.get(0)).create(Worker.class);

      assertThat(outer.hasTelemetry()).isTrue();
      assertThat(outer.countOf(inner)).isZero();
      outer.stepOf(inner);
      if (!COLLECTOR.isEmpty()) {
        return;
      }
      var call = one("org.troupe.opentelemetry.Worker/countOf", OtlpReceiver.CLIENT);
      var service = one("org.troupe.opentelemetry.Worker/countOf", OtlpReceiver.SERVER);
      var innerCall = one("org.troupe.opentelemetry.Worker/count", OtlpReceiver.CLIENT);
      var innerService = one("org.troupe.opentelemetry.Worker/count", OtlpReceiver.SERVER);
      assertThat(List.of(service.trace(), innerCall.trace(), innerService.trace()))
          .containsOnly(call.trace());
      assertThat(service.parent()).isEqualTo(call.span());
      assertThat(innerCall.parent()).isEqualTo(service.span());
      assertThat(innerService.parent()).isEqualTo(innerCall.span());

      var send = one("send org.troupe.opentelemetry.Worker/step", OtlpReceiver.PRODUCER);
      var process = one("process org.troupe.opentelemetry.Worker/step", OtlpReceiver.CONSUMER);
      assertThat(process.links()).containsExactly(send.span());
      Polling.until(
          () -> "a metric of a node in " + receiver.metrics(),
          () -> receiver.metrics().contains("rpc.server.call.duration"));
    }
  }
}
