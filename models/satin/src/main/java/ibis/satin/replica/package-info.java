/**
 * Shared objects over nodes: a replica on each node that needs it, and the one order of their
 * writes.
 *
 * <p>{@code SharedReplicas} holds the replicas of this JVM. {@code SharedHub}, an active object of
 * the program's node, applies each write to a replica of its own and passes it on to the {@code
 * SharedHost} of each other node. In a job a shared object is a {@code SharedReference}. Read
 * {@code SharedHub} first.
 */
@NullMarked
package ibis.satin.replica;

import org.jspecify.annotations.NullMarked;
