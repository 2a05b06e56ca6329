package org.troupe.opentelemetry.internal;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Decides which calls begin a trace, of those that are made outside of any. Thread-safe. */
final class TraceSampling {

  /*
   * Design: two samplers
   *
   * The SDK has a sampler, too, which is the user's. This one comes first, so that a call that is not traced makes no span
   * at all; the SDK's decides about those that are left, and its usual one takes all. A share of calls alone would miss
   * types that are seldom called, hence the trace per type and minute.
   */
  static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  static final String RATIO = "troupe.trace.ratio";
  private static final double STANDARD = 0.01;

  private final double ratio;

  TraceSampling(double ratio) {
    this.ratio = ratio;
  }

  /**
   * Returns the sampling that a property sets.
   *
   * @param text the value of the property, or {@code null}
   * @throws IllegalArgumentException if it is no share
   */
  static TraceSampling of(@Nullable String text) {
    if (text == null) {
      return new TraceSampling(STANDARD);
    }
    try {
      var ratio = Double.parseDouble(text);
      if (ratio >= 0 && ratio <= 1) {
        return new TraceSampling(ratio);
      }
    } catch (NumberFormatException e) {
      // The message is the same.
    }
    throw new IllegalArgumentException(
        RATIO + "=" + text + " is no share of calls; give a number from 0 to 1, such as 0.01");
  }

  /** Returns whether a call of a method begins a trace now. */
  boolean begins(MethodTelemetry method, long nowNanos) {
    var last = method.lastTraceNanos().get();
    if (ratio > 0 && ThreadLocalRandom.current().nextDouble() < ratio) {
      method.lastTraceNanos().set(nowNanos);
      return true;
    }
    return ratio > 0
        && nowNanos - last >= LONGEST_PAUSE_NANOS
        && method.lastTraceNanos().compareAndSet(last, nowNanos);
  }
}
