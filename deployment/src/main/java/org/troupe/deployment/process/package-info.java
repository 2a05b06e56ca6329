/**
 * Processes of nodes and the machines on which commands run, on this machine or another. Read
 * {@link org.troupe.deployment.process.NodeProcess} first: the grid's view of a node's process,
 * over a {@code StartedProcess} that a launcher returns.
 *
 * <p>Settings flow down into the process's input, lines of output flow up through the {@code
 * OutputTail}, and the end becomes an exit report. {@code DeferredProcess} stands for a process
 * whose start takes time. This package knows neither ssh nor batch systems; those implement {@code
 * Machine} and {@code RemoteProcess} above it.
 */
@NullMarked
package org.troupe.deployment.process;

import org.jspecify.annotations.NullMarked;
