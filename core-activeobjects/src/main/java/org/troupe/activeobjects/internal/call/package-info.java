/**
 * The calls of a class: its methods, the kind of each call, the scheduling of its requests; and
 * small tables that several packages above use.
 *
 * <p>{@link ActiveType} describes a class once per JVM; read it first. A stub passes a call as a
 * {@link CallMethod} with its arguments; {@link CallKind} decides whether the caller waits, and
 * {@link ServicePolicy} in which order the body serves it. {@link CallRecorder} turns the lambda of
 * {@code ask} and {@code tell} into a call.
 *
 * <p>This package knows neither objects nor queues nor nodes.
 */
@NullMarked
package org.troupe.activeobjects.internal.call;

import org.jspecify.annotations.NullMarked;
