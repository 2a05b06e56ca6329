/**
 * One launcher for each kind of infrastructure: checks before the start, the planned nodes, and the
 * start itself. Read {@link org.troupe.deployment.launch.Launcher} first.
 *
 * <p>A launcher combines the packages below it: {@code MachineRegistry} holds the machines of one
 * deployment, {@code staging} brings the program there, {@code ssh}, {@code tree} and {@code batch}
 * start it. The result is a {@code StartedProcess}, wherever that runs: its input carries the
 * node's settings and stays open for as long as the launcher lives, its end is the end of the node.
 * A new kind of infrastructure is a new {@code Launcher} and a case in {@code Launcher.of}.
 * Launchers do not know the grid.
 */
@NullMarked
package org.troupe.deployment.launch;

import org.jspecify.annotations.NullMarked;
