/**
 * Recordings of a grid: traces of its calls, one by one, and recordings of its JVMs by the JDK
 * Flight Recorder, as records that its program sends, and as the files that are made of them.
 *
 * <p>Read {@link org.troupe.deployment.trace.TraceRecord} first: the records are all that the
 * writers know. A {@code TraceWriter} turns them into a file as they come, in one of the forms of
 * {@code TraceFormat}; {@code TraceTracks} decides where a service or wait is drawn. {@link
 * org.troupe.deployment.trace.FlightRecord} and {@code FlightArchive} are the counterparts for the
 * flight recorder.
 *
 * <p>This package knows neither grids nor sockets. {@code docs/observe.md} describes the records
 * for clients in other languages.
 */
@NullMarked
package org.troupe.deployment.trace;

import org.jspecify.annotations.NullMarked;
