/**
 * The members of a grid: the coordinator decides who is one, members follow its decisions, and each
 * node suspects peers that are silent.
 *
 * <p>Read {@link GridMembership} first, which assembles the parts of one membership. {@link
 * FrameRouter} passes each received frame to its sender's inbox, and {@link Heartbeat} notices
 * silent peers. Suspicions travel to the coordinator ({@link CoordinatorClient}), which decides
 * ({@link CoordinatorRole}); each node applies the decisions to its {@link MemberTable}. The calls
 * between members are those of {@link NodeService}. {@link LiveNodes} shows users the members, and
 * {@link Memberships} lists the grids of a node.
 *
 * <p>This package knows the node only as {@link LocalNode}, and nothing of typed groups.
 */
@NullMarked
package org.troupe.activeobjects.internal.membership;

import org.jspecify.annotations.NullMarked;
