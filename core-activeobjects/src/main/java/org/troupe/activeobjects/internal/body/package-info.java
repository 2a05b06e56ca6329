/**
 * Bodies: the queue, the service and the life of each active object.
 *
 * <p>Read {@link Body} first. {@link BodyFactory} chooses one of its kinds: {@link FifoBody},
 * {@link ConcurrentBody} or {@link ServiceBody}; a {@link LoggedBody} is a {@code FifoBody} with a
 * {@link CallLog}. A body serves each {@link CallRequest} under a {@link ServiceContext}, as far as
 * its {@link RequestGates} admit it, and the outcome goes to the request's {@link ReplyTo}. {@link
 * QueueMemory} limits the memory of the queues of a node; {@link FailureReporter} reports failures
 * that no caller can observe.
 *
 * <p>{@link Body}, its requests, gates and extensions, and the context refer to each other, since
 * each is a part of one state, the service of a body at a moment.
 *
 * <p>This package knows its node only as a {@link BodyHost} and another node only as a {@link
 * CapacityPeer}: it knows neither references nor the dispatch of calls.
 */
@NullMarked
package org.troupe.activeobjects.internal.body;

import org.jspecify.annotations.NullMarked;
