package org.troupe.opentelemetry.internal;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The context of a trace, as it travels with a call. */
final class TraceContext {

  /*
   * Form: a version, the trace id, the span id and the flags, as in W3C's traceparent, in 26 bytes; then, each behind its length in
   * two bytes, the texts of tracestate and baggage, if there are any. Both are bounded here and where they are read, and are
   * left out if they are longer: a context must never cost more than the call.
   */
  static final byte[] NOT_TRACED = {};

  static final int TRACE_PARENT_BYTES = 26;
  static final int MOST_STATE_BYTES = 256;
  static final int MOST_BAGGAGE_BYTES = 512;

  private static final byte VERSION = 0;
  private static final String TRACE_STATE = "tracestate";
  private static final String BAGGAGE = "baggage";

  /** Marks a context in which no call is to begin a trace. */
  private static final ContextKey<Boolean> UNTRACED = ContextKey.named("troupe-untraced");

  private static final TextMapGetter<Map<String, String>> FROM_MAP =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // which is abstract nevertheless
        public Iterable<String> keys(Map<String, String> carrier) {
          return carrier.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> carrier, String key) {
          return carrier == null ? null : carrier.get(key);
        }
      };

  private TraceContext() {}

  /** Returns a context in which no call begins a trace. */
  static Context untraced(Context context) {
    return context.with(UNTRACED, true);
  }

  /** Returns whether calls in a context begin no trace. */
  static boolean isUntraced(Context context) {
    return context.get(UNTRACED) != null;
  }

  /**
   * Encodes the span of a context; a span that is not sampled is not traced.
   *
   * @param hasBaggage whether the baggage travels, too
   */
  static byte[] encoded(Context context, boolean hasBaggage) {
    var span = Span.fromContext(context).getSpanContext();
    if (!span.isSampled()) {
      return NOT_TRACED;
    }
    var state = span.getTraceState().isEmpty() ? NOT_TRACED : state(context);
    var baggage = hasBaggage ? baggage(context) : NOT_TRACED;
    var isLong = state.length + baggage.length > 0;
    var out =
        ByteBuffer.allocate(
            TRACE_PARENT_BYTES + (isLong ? 2 * Short.BYTES + state.length + baggage.length : 0));
    out.put(VERSION)
        .put(span.getTraceIdBytes())
        .put(span.getSpanIdBytes())
        .put(span.getTraceFlags().asByte());
    if (isLong) {
      out.putShort((short) state.length).put(state);
      out.putShort((short) baggage.length).put(baggage);
    }
    return out.array();
  }

  private static byte[] state(Context context) {
    Map<String, String> headers = new HashMap<>();
    W3CTraceContextPropagator.getInstance().inject(context, headers, TraceContext::set);
    return bounded(headers.get(TRACE_STATE), MOST_STATE_BYTES);
  }

  private static byte[] baggage(Context context) {
    Map<String, String> headers = new HashMap<>();
    W3CBaggagePropagator.getInstance().inject(context, headers, TraceContext::set);
    return bounded(headers.get(BAGGAGE), MOST_BAGGAGE_BYTES);
  }

  private static void set(@Nullable Map<String, String> headers, String key, String value) {
    if (headers != null) {
      headers.put(key, value);
    }
  }

  private static byte[] bounded(@Nullable String text, int most) {
    if (text == null) {
      return NOT_TRACED;
    }
    var bytes = text.getBytes(StandardCharsets.US_ASCII);
    return bytes.length > most ? NOT_TRACED : bytes;
  }

  /** Returns the span of an encoded context; an invalid one if the bytes are not of this form. */
  static SpanContext span(byte[] encoded) {
    if (encoded.length < TRACE_PARENT_BYTES || encoded[0] != VERSION) {
      return SpanContext.getInvalid();
    }
    var hex = HexFormat.of();
    return SpanContext.createFromRemoteParent(
        hex.formatHex(encoded, 1, 17),
        hex.formatHex(encoded, 17, 25),
        TraceFlags.fromByte(encoded[25]),
        stateOf(encoded));
  }

  private static TraceState stateOf(byte[] encoded) {
    var text = text(encoded, TRACE_PARENT_BYTES, MOST_STATE_BYTES);
    if (text.isEmpty()) {
      return TraceState.getDefault();
    }
    var headers =
        Map.of(
            "traceparent",
            "00-00000000000000000000000000000001-0000000000000001-00",
            TRACE_STATE,
            text);
    var parsed = W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, FROM_MAP);
    return Span.fromContext(parsed).getSpanContext().getTraceState();
  }

  /** Returns a context with the baggage of an encoded one. */
  static Context withBaggage(Context context, byte[] encoded) {
    var behind =
        TRACE_PARENT_BYTES + Short.BYTES + length(encoded, TRACE_PARENT_BYTES, MOST_STATE_BYTES);
    var text = text(encoded, behind, MOST_BAGGAGE_BYTES);
    return text.isEmpty()
        ? context
        : W3CBaggagePropagator.getInstance().extract(context, Map.of(BAGGAGE, text), FROM_MAP);
  }

  private static int length(byte[] encoded, int at, int most) {
    if (at + Short.BYTES > encoded.length) {
      return 0;
    }
    var length = ByteBuffer.wrap(encoded).getShort(at);
    return length < 0 || length > most || at + Short.BYTES + length > encoded.length ? 0 : length;
  }

  private static String text(byte[] encoded, int at, int most) {
    var length = length(encoded, at, most);
    return length == 0
        ? ""
        : new String(encoded, at + Short.BYTES, length, StandardCharsets.US_ASCII);
  }
}
