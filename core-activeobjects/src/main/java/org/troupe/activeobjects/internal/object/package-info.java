/**
 * References to active objects, and the calls made through them, within one node.
 *
 * <p>Read {@link Reference} first. A stub passes a call to its reference; {@link CallDispatcher}
 * adds a request to the queue of a body, or passes the call to the {@link RemoteNode} on which the
 * object lives. The outcome arrives at the {@link CallResult}. {@link NodeObjects} holds what the
 * objects of a node share.
 *
 * <p>This package knows other nodes only as {@code RemoteNode}: it knows neither peers nor grids.
 */
@NullMarked
package org.troupe.activeobjects.internal.object;

import org.jspecify.annotations.NullMarked;
