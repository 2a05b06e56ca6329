/**
 * Stealing between nodes. Exported to the models only.
 *
 * <p>{@code GridTasks} is the part in the program: it creates a {@code TaskHost}, an active object,
 * on each node of a live set, and tells all of them which others there are. A host attaches a
 * {@code TaskNode} to its node, which takes jobs from other nodes for the workers of its engine,
 * and gives jobs to them, by packets that bypass the queues of objects. Read {@code TaskNode}
 * first.
 */
@NullMarked
package org.troupe.tasks.nodes;

import org.jspecify.annotations.NullMarked;
