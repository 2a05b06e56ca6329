package org.troupe.opentelemetry.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.troupe.activeobjects.Node;
import org.troupe.activeobjects.spi.Observer;

/** Which calls are traced, and what is recorded of the others. */
class TraceSamplingTest {

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .build();

  /** Begins no trace. */
  private final TelemetryObserver none = observer(0);

  private final TelemetryObserver all = observer(1);

  @BeforeEach
  void use() {
    Instruments.use(telemetry);
  }

  @AfterEach
  void close() {
    telemetry.close();
  }

  private static TelemetryObserver observer(double ratio) {
    return new TelemetryObserver(new TraceSampling(ratio), false, false);
  }

  private static Method method() {
    return Runnable.class.getMethods()[0];
  }

  private record OneCall(boolean isOneWay) implements Observer.Call {
    @Override
    public Class<?> type() {
      return Runnable.class;
    }

    @Override
    public Method method() {
      return TraceSamplingTest.method();
    }

    @Override
    public int members() {
      return -1;
    }

    @Override
    public String nodeName() {
      return "node";
    }

    @Override
    public Optional<Node> node() {
      return Optional.empty();
    }

    @Override
    public String driver() {
      return "";
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record OneService(byte @Nullable [] context) implements Observer.Service {
    @Override
    public Class<?> type() {
      return Runnable.class;
    }

    @Override
    public Method method() {
      return TraceSamplingTest.method();
    }

    @Override
    public boolean isOneWay() {
      return false;
    }

    @Override
    public String nodeName() {
      return "node";
    }

    @Override
    public String callerNodeName() {
      return "caller";
    }

    @Override
    public long number() {
      return 1;
    }
  }

  private static Context within(TraceFlags flags) {
    var span =
        SpanContext.create(
            "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", flags, TraceState.getDefault());
    return Context.root().with(Span.wrap(span));
  }

  @Test
  void continuesATraceWhateverTheRatio() {
    try (var _ = within(TraceFlags.getSampled()).makeCurrent()) {
      assertThat(none.called(new OneCall(false)).context()).hasSize(26);
    }
  }

  @Test
  void tracesNothingWithinASpanThatIsNotSampled() {
    try (var _ = within(TraceFlags.getDefault()).makeCurrent()) {
      assertThat(all.called(new OneCall(false)).context()).isEmpty();
    }
  }

  @Test
  void takesTheCallersDecision() {
    var service = all.serves(new OneService(new byte[0]));
    assertThat(all.called(new OneCall(false)).context()).as("a call of the service").isEmpty();
    service.ended(null);

    assertThat(spans.getFinishedSpanItems()).isEmpty();
    assertThat(all.called(new OneCall(false)).context()).as("a call outside of it").hasSize(26);
  }

  @Test
  void beginsATraceAtTheServiceIfTheCallerHasNoObserver() {
    all.serves(new OneService(null)).ended(null);

    assertThat(spans.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactly("java.lang.Runnable/run");
  }

  @Test
  void beginsATracePerTypeAndMinuteAtLeast() {
    var sampling = new TraceSampling(Double.MIN_VALUE);
    var method = MethodTelemetry.of(Comparable.class, Comparable.class.getMethods()[0]);
    var now = System.nanoTime();

    assertThat(sampling.begins(method, now)).isTrue();
    assertThat(sampling.begins(method, now + 1)).isFalse();
    assertThat(sampling.begins(method, now + TraceSampling.LONGEST_PAUSE_NANOS)).isTrue();
    assertThat(new TraceSampling(0).begins(method, now + Long.MAX_VALUE / 2)).isFalse();
  }

  @Test
  void recordsFailuresOfServicesThatAreNotTraced() {
    none.serves(new OneService(null)).ended(new Observer.Failure("a.Failure", "why"));

    assertThat(spans.getFinishedSpanItems())
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.getName()).isEqualTo("failure java.lang.Runnable/run");
              assertThat(span.getStartEpochNanos()).isEqualTo(span.getEndEpochNanos());
            });
  }

  @Test
  void recordsWaitsOfMoreThanASecondInAnyCase() {
    none.waited(new Observer.Wait("a result", null, 2_000_000));
    none.waited(new Observer.Wait("a result", null, 1_500_000_000));

    assertThat(spans.getFinishedSpanItems())
        .singleElement()
        .satisfies(span -> assertThat(span.getName()).isEqualTo("wait"));
  }

  @Test
  void boundsWhatItRecordsOfCallsThatAreNotTraced() {
    var budget = new EventBudget(2);

    assertThat(budget.take(1)).isTrue();
    assertThat(budget.take(2)).isTrue();
    assertThat(budget.take(3)).isFalse();
    assertThat(budget.take(1_000_000_001)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "-0.1", "1.5", "NaN", ""})
  void refusesARatioThatIsNoShare(String text) {
    assertThatThrownBy(() -> TraceSampling.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("troupe.trace.ratio=" + text)
        .hasMessageContaining("from 0 to 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"troupe.trace.oneWay", "troupe.trace.baggage"})
  void refusesAValueThatItDoesNotKnow(String property) {
    System.setProperty(property, "yes");
    try {
      assertThatThrownBy(TelemetryObserver::new)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(property + "=yes is neither ");
    } finally {
      System.clearProperty(property);
    }
  }
}
