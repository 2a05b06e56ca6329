/**
 * From a descriptor to running nodes: {@link org.troupe.deployment.Grid#deploy} starts the JVMs
 * that a descriptor asks for, watches them, and ends them. Read {@link org.troupe.deployment.Grid}
 * first.
 *
 * <p>A {@code Plan} asks one launcher for each infrastructure element for its nodes; the grid
 * starts them, gives them their settings, and learns of their ends from {@code NodeProcess}. This
 * package is the top of the module: no other package of it may import this one. The values that
 * programs see are in {@code model}.
 */
@NullMarked
package org.troupe.deployment;

import org.jspecify.annotations.NullMarked;
