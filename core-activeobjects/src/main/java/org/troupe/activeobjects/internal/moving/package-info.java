/**
 * Objects that move between the nodes of a grid: the messages to them, the answers to their
 * callers, and their ends.
 *
 * <p>{@link org.troupe.activeobjects.internal.moving.MovedObjects} is the table of a node, and the
 * class to read first; {@code HostedObjects} records the steps of moves in it. For each object that
 * has moved it has one {@code MovedObject}, which drives the protocol of the package {@code
 * relocation}. A {@code Guest} is the body of an object on this node in one epoch: it takes
 * messages, and forwards them when the object has left. The steps of a move belong to the package
 * {@code mobility}, which this one must not know.
 */
@NullMarked
package org.troupe.activeobjects.internal.moving;

import org.jspecify.annotations.NullMarked;
