package org.troupe.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import org.troupe.opentelemetry.internal.Instruments;

/** Chooses the {@code OpenTelemetry} by which calls are traced and measured. */
public final class Telemetry {

  private Telemetry() {}

  /**
   * Sets the instance for all calls of this JVM from now on, instead of the global one.
   *
   * <p>A program that uses the global instance need not call this. Each node has an instance of its
   * own, which its JVM configures; this method changes that of the calling JVM only.
   */
  public static void use(OpenTelemetry telemetry) {
    Instruments.use(telemetry);
  }
}
