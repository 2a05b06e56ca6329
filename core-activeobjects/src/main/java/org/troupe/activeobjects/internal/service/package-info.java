/**
 * The service that each node of a grid offers to the others: its protocol, and the calls of it.
 *
 * <p>{@link org.troupe.activeobjects.internal.service.NodeService} is the protocol, as the
 * interface of an active object, and the class to read first. A {@code NodeServiceClient} calls the
 * service of one node; {@code NodeServices} gives those of the members of a grid. The other types
 * are the data of these calls, and helpers for questions to many nodes.
 *
 * <p>This package does not know how a node answers, nor which node coordinates a grid.
 */
@NullMarked
package org.troupe.activeobjects.internal.service;

import org.jspecify.annotations.NullMarked;
