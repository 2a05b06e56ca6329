/**
 * Replicated objects: a copy on each node, local reads, and writes in one total order.
 *
 * <p>{@link org.troupe.replicas.Replicas} makes a {@link org.troupe.replicas.Replicated} object,
 * whose stub on each node leads to the replica there. A read is a local call. A write goes from the
 * stub to {@code Replica}, gets its place from the sequencer by {@code WriteOrder}, and is applied
 * by every node in that place. {@code ReplicaHost} is the active object by which the members talk.
 * Read {@code WriteOrder} first.
 *
 * <p>The package must not know groups or tasks.
 */
@NullMarked
package org.troupe.replicas;

import org.jspecify.annotations.NullMarked;
