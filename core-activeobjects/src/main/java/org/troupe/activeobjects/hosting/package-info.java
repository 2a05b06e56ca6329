/**
 * The interface by which a launcher or a node process takes part in a grid.
 *
 * <p>Read {@link org.troupe.activeobjects.hosting.GridMember} first. The launcher opens a member
 * and makes it the coordinator; each node process opens one and joins with the coordinator's
 * contact ({@code NodeContact}). Reports on processes that have ended, requests for further nodes
 * and orderly leaves pass through the coordinator's member. {@code NodeReport} is a node's answer
 * to the question for its resources, {@code ObjectReport} that to an {@code ObjectQuery} for its
 * active objects, and {@code MiddlewareObject} marks active objects of the launching software.
 * {@code ProgramClassPath} lists the archives and folders that a JVM was started with.
 *
 * <p>The runtime implements the interface and is found by the service loader. This package knows
 * none of the runtime's packages, and nothing of how processes are started.
 */
@NullMarked
package org.troupe.activeobjects.hosting;

import org.jspecify.annotations.NullMarked;
