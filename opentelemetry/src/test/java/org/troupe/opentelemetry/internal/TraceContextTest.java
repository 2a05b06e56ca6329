package org.troupe.opentelemetry.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.spi.Observer;

class TraceContextTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  private static Context context(TraceFlags flags, TraceState state) {
    return Context.root().with(Span.wrap(SpanContext.create(TRACE, SPAN, flags, state)));
  }

  private static Context sampled() {
    return context(TraceFlags.getSampled(), TraceState.getDefault());
  }

  @Test
  void isOfTwentySixBytes() {
    var encoded = TraceContext.encoded(sampled(), true);

    assertThat(encoded).hasSize(26);
    var span = TraceContext.span(encoded);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getSpanId()).isEqualTo(SPAN);
    assertThat(span.isSampled()).isTrue();
    assertThat(span.isRemote()).isTrue();
  }

  @Test
  void isEmptyIfTheSpanIsNotSampled() {
    var context = context(TraceFlags.getDefault(), TraceState.getDefault());

    assertThat(TraceContext.encoded(context, true)).isEmpty();
    assertThat(TraceContext.encoded(Context.root(), true)).isEmpty();
  }

  @Test
  void carriesTheTraceStateAndTheBaggage() {
    var state = TraceState.builder().put("vendor", "value").build();
    var context =
        context(TraceFlags.getSampled(), state).with(Baggage.builder().put("user", "me").build());
    var encoded = TraceContext.encoded(context, true);

    assertThat(TraceContext.span(encoded).getTraceState().get("vendor")).isEqualTo("value");
    var received = TraceContext.withBaggage(Context.root(), encoded);
    assertThat(Baggage.fromContext(received).getEntryValue("user")).isEqualTo("me");
    assertThat(TraceContext.encoded(sampled().with(Baggage.builder().put("a", "b").build()), false))
        .as("without baggage unless it is asked for")
        .hasSize(26);
  }

  @Test
  void leavesOutWhatIsTooLong() {
    var state = TraceState.builder();
    for (var i = 0; i < 20; i++) {
      state.put("vendor" + i, "a value of some length");
    }
    var baggage = Baggage.builder().put("user", "x".repeat(600)).build();
    var context = context(TraceFlags.getSampled(), state.build()).with(baggage);

    assertThat(TraceContext.encoded(context, true)).hasSize(26);
    assertThat(26 + 4 + TraceContext.MOST_STATE_BYTES + TraceContext.MOST_BAGGAGE_BYTES)
        .isLessThan(Observer.LONGEST_CONTEXT);
  }

  /** Bytes of a foreign or damaged peer give an invalid span, or another one, but no exception. */
  @Test
  void survivesDamagedBytes() {
    var state = TraceState.builder().put("vendor", "value").build();
    var context =
        context(TraceFlags.getSampled(), state).with(Baggage.builder().put("user", "me").build());
    var encoded = TraceContext.encoded(context, true);
    for (var at = 0; at < encoded.length; at++) {
      for (var value : new byte[] {0, 1, 0x7f, (byte) 0x80, (byte) 0xff}) {
        var damaged = encoded.clone();
        damaged[at] = value;
        read(damaged);
      }
      read(Arrays.copyOf(encoded, at));
    }
    assertThat(TraceContext.span(new byte[0]).isValid()).isFalse();
    assertThat(TraceContext.span(new byte[26]).isValid()).isFalse();
  }

  private static void read(byte[] bytes) {
    TraceContext.span(bytes);
    TraceContext.withBaggage(Context.root(), bytes);
  }
}
