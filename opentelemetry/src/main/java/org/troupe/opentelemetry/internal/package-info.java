/**
 * The observer that makes spans and measurements of calls, services, waits and failures.
 *
 * <p>Read {@link TelemetryObserver} first. {@link TraceSampling} decides which calls begin a trace,
 * {@link TraceContext} carries a trace from node to node, {@link MethodTelemetry} has what depends
 * on the method only, and {@link SemanticConventions} all names.
 */
@NullMarked
package org.troupe.opentelemetry.internal;

import org.jspecify.annotations.NullMarked;
