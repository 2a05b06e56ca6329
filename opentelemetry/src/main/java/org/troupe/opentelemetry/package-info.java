/**
 * Traces and metrics of calls of active objects, by the interface of OpenTelemetry.
 *
 * <p>A program need not use this package: with the module on its path, calls are traced and
 * measured as soon as there is a global {@code OpenTelemetry}. {@link Telemetry} sets another one.
 */
@NullMarked
package org.troupe.opentelemetry;

import org.jspecify.annotations.NullMarked;
