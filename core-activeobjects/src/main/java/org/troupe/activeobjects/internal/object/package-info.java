/**
 * Active objects, and the calls on them, within one node.
 *
 * <p>A stub calls its {@link Reference}; {@link CallDispatcher} puts a {@link CallRequest} into the
 * queue of a {@link Body}, or hands the call to the {@link RemoteNode} where the object lives; the
 * body serves the request and answers through {@link ReplyTo} to the {@link CallResult}. What the
 * objects of a node share is {@link NodeObjects}. Begin with {@link Body}. This room knows other
 * nodes only as {@code RemoteNode}: no peers, no grids.
 */
package org.troupe.activeobjects.internal.object;
