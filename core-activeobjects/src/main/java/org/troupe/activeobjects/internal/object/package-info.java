/**
 * Active objects and the calls on them, within one node.
 *
 * <p>Read {@link Body} first. A stub passes a call to its {@link Reference}; {@link CallDispatcher}
 * adds a {@link CallRequest} to the queue of a {@link Body}, or passes the call to the {@link
 * RemoteNode} on which the object lives. The body serves the request and sends the outcome through
 * {@link ReplyTo} to the {@link CallResult}. {@link NodeObjects} holds what the objects of a node
 * share. {@link QueueCapacity} and {@link QueueMemory} hold callers back while queues are full.
 *
 * <p>This package knows other nodes only as {@code RemoteNode}: it knows neither peers nor grids.
 */
package org.troupe.activeobjects.internal.object;
