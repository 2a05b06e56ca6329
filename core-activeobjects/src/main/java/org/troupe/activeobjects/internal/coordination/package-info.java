/**
 * The coordinator of a grid: its decisions on members and on their objects, and how each node asks
 * for them.
 *
 * <p>Read {@link org.troupe.activeobjects.internal.coordination.CoordinatorRole} first. It decides
 * which nodes are members, and announces each change of the {@code MemberTable}, of which every
 * member has a copy. A {@code CoordinatorClient} is the way of a member to the coordinator; {@code
 * GridCoordinator} hides whether it is this node. {@code LiveNodes} shows the members to users.
 * {@code SavePoints}, {@code CycleCollector} and {@code LossStatements} are the tasks in which all
 * members take part under the lead of the coordinator.
 *
 * <p>This package neither sends nor receives frames, and does not move objects.
 */
@NullMarked
package org.troupe.activeobjects.internal.coordination;

import org.jspecify.annotations.NullMarked;
