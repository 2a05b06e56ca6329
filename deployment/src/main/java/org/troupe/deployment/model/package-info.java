/**
 * The values in which a grid describes itself to programs and to the tools: planned nodes, states
 * of nodes, lines of output, distances between clusters. Records only; every other package of the
 * module may use them, and they use none. Read {@link org.troupe.deployment.model.NodeStatus}
 * first.
 */
@NullMarked
package org.troupe.deployment.model;

import org.jspecify.annotations.NullMarked;
