/**
 * The members of a grid: the coordinator decides who is one, members follow its decisions, and each
 * node suspects peers that are silent.
 *
 * <p>Read {@link GridMembership} first. Suspicions travel to the coordinator, and its decisions to
 * all members, as calls on the {@link NodeService} of each node, the protocol between members.
 * {@link LiveNodes} shows users the members, and {@link Memberships} lists the grids of a node.
 *
 * <p>This package knows the node only as {@link LocalNode}, and nothing of typed groups.
 */
package org.troupe.activeobjects.internal.membership;
