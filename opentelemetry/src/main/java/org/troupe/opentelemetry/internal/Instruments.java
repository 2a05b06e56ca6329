package org.troupe.opentelemetry.internal;

import static org.troupe.opentelemetry.internal.SemanticConventions.BOUNDARIES;
import static org.troupe.opentelemetry.internal.SemanticConventions.SECONDS;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * The tracer and the instruments of the {@code OpenTelemetry} that this JVM uses.
 *
 * @param clientDuration how long calls take at their callers
 * @param serverDuration how long services of calls take
 * @param processDuration how long services of one-way calls take
 * @param sent counts one-way calls
 * @param pending how many results of calls have not arrived
 */
public record Instruments(
    Tracer tracer,
    DoubleHistogram clientDuration,
    DoubleHistogram serverDuration,
    DoubleHistogram processDuration,
    LongCounter sent,
    LongUpDownCounter pending) {

  private static final String SCOPE = "org.troupe";
  private static final String AUTOCONFIGURE = "otel.java.global-autoconfigure.enabled";

  private static volatile @Nullable Instruments current; // written under the class

  /** Uses an instance from now on. */
  public static synchronized void use(OpenTelemetry telemetry) {
    current = of(telemetry);
  }

  /**
   * Returns the instruments in use; {@code null} as long as the program has no instance. The global
   * one is not asked for before it is set, since that would set it to one that does nothing.
   */
  static @Nullable Instruments current() {
    var known = current;
    return known != null ? known : ofGlobal();
  }

  private static @Nullable Instruments ofGlobal() {
    if (!GlobalOpenTelemetry.isSet() && !Autoconfiguration.IS_ASKED_FOR) {
      return null;
    }
    synchronized (Instruments.class) {
      var known = current;
      if (known == null) {
        known = of(GlobalOpenTelemetry.get());
        current = known;
      }
      return known;
    }
  }

  /** Whether the global instance makes itself when it is asked for; as its documentation says. */
  private static final class Autoconfiguration {
    static final boolean IS_ASKED_FOR =
        Boolean.getBoolean(AUTOCONFIGURE)
            || "true".equals(System.getenv("OTEL_JAVA_GLOBAL_AUTOCONFIGURE_ENABLED"));
  }

  private static Instruments of(OpenTelemetry telemetry) {
    var tracer = telemetry.tracerBuilder(SCOPE).setSchemaUrl(SemanticConventions.SCHEMA).build();
    var meter = telemetry.meterBuilder(SCOPE).setSchemaUrl(SemanticConventions.SCHEMA).build();
    return new Instruments(
        tracer,
        duration(meter, SemanticConventions.CLIENT_DURATION, "Duration of calls at the caller"),
        duration(meter, SemanticConventions.SERVER_DURATION, "Duration of services of calls"),
        duration(
            meter, SemanticConventions.PROCESS_DURATION, "Duration of services of one-way calls"),
        meter
            .counterBuilder(SemanticConventions.SENT_MESSAGES)
            .setUnit("{message}")
            .setDescription("One-way calls that were sent")
            .build(),
        meter
            .upDownCounterBuilder(SemanticConventions.PENDING_CALLS)
            .setUnit("{call}")
            .setDescription("Calls whose results have not arrived")
            .build());
  }

  private static DoubleHistogram duration(Meter meter, String name, String description) {
    return meter
        .histogramBuilder(name)
        .setUnit(SECONDS)
        .setDescription(description)
        .setExplicitBucketBoundariesAdvice(BOUNDARIES)
        .build();
  }
}
