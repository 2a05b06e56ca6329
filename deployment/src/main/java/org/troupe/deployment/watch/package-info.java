/**
 * The activity of a grid, as a stream of records for other processes: the collector that asks nodes
 * for reports while a client watches, and the records with their form as lines of JSON.
 *
 * <p>Read {@link org.troupe.deployment.watch.WatchRecord} first: the records are all that a client
 * needs to know. {@code ActivityCollector} keeps the last state of each row, with the number of the
 * round in which it changed, so that a client gets what has changed since its cursor. {@code
 * docs/observe.md} describes the stream for clients in other languages.
 *
 * <p>This package knows a grid only as {@code WatchedGrid}, and neither sockets nor processes.
 */
@NullMarked
package org.troupe.deployment.watch;

import org.jspecify.annotations.NullMarked;
