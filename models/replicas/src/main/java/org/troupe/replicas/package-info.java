/**
 * Replicated objects: a copy on each node, local reads, and writes in one total order.
 *
 * <p>{@link org.troupe.replicas.Replicas} makes a {@link org.troupe.replicas.Replicated} object,
 * whose stub on each node leads to the {@code Replica} there. A read is a local call. A write gets
 * its number from the sequencer by {@code WriteOrder}, the protocol, and every node applies it when
 * its turn has come, by {@code OrderDriver}, which has the threads. {@code ReplicaHost} is the
 * active object by which the members talk. Read {@code WriteOrder} first.
 *
 * <p>The package must not know groups or tasks.
 */
@NullMarked
package org.troupe.replicas;

import org.jspecify.annotations.NullMarked;
