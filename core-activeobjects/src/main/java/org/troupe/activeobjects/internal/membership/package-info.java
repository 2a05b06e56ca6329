/**
 * The membership of a node in a grid: how it joins and leaves, how silent peers are noticed, and
 * how the node answers the others.
 *
 * <p>Read {@link GridMembership} first, which assembles the parts of one membership; {@link
 * Memberships} lists those of a node. {@link FrameRouter} passes each received frame to its
 * sender's inbox, and {@link Heartbeat} notices silent peers. Suspicions travel to the coordinator
 * (package {@code coordination}), and each node applies its decisions. {@link LocalNodeService}
 * answers the calls of other nodes. {@link MemberNode} is a node as programs use it. The reports on
 * a node begin with {@link ActivityReporter} and {@link ObjectListing}.
 *
 * <p>This package knows the node only as {@link LocalNode}, and nothing of typed groups.
 */
@NullMarked
package org.troupe.activeobjects.internal.membership;

import org.jspecify.annotations.NullMarked;
