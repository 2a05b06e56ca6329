/**
 * The capacity of request queues, and the callers that wait for it.
 *
 * <p>Read {@link QueueCapacity} first. Before a call is sent, its {@link CapacityNeed} of a {@link
 * CallQueue} is acquired there; the serving body releases it when it takes the request. While a
 * queue is full, the call stands in the {@link AdmissionTable} with a {@link CapacityWait}, whose
 * sources are the {@linkplain QueueVacancy vacancies} that the deadlock detector follows.
 *
 * <p>This package knows bodies, and other nodes as {@code CapacityPeer}; it knows neither
 * references nor how calls are sent.
 */
@NullMarked
package org.troupe.activeobjects.internal.capacity;

import org.jspecify.annotations.NullMarked;
