/**
 * The launch tree: nodes that have joined start the nodes of further hosts, since one launcher can
 * log in to only so many at a time. Read {@link org.troupe.deployment.tree.LaunchTree} first.
 *
 * <p>A {@code Branch} is an active object on such a node; it logs in with signatures that {@code
 * RemoteKeys} request from the launcher's {@code SigningService}, so private keys never leave the
 * launcher. {@code BranchMachine} and {@code BranchProcess} are the launcher's view of a branch's
 * machines and processes. Branches are used by package {@code launch} alone.
 */
@NullMarked
package org.troupe.deployment.tree;

import org.jspecify.annotations.NullMarked;
