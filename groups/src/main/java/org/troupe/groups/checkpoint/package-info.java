/**
 * Checkpoints of groups in step as stores hold them, and the restoration of groups from them.
 *
 * <p>Read {@link org.troupe.groups.checkpoint.Generation} first: a checkpoint is one image of each
 * member, and the names of the images say which belong together. {@code StoredGenerations} finds
 * them in a store. {@code GroupRestoration} makes the members again, by a {@code MemberRestorer} on
 * the node of each.
 *
 * <p>This room does not know how members agree on a checkpoint, nor the internals of a group in
 * step.
 */
@NullMarked
package org.troupe.groups.checkpoint;

import org.jspecify.annotations.NullMarked;
