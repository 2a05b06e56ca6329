/**
 * SPMD groups: members that run the same program in step, with barriers, collective operations and
 * point-to-point messages. Read {@link org.troupe.groups.spmd.Spmd} first.
 *
 * <p>Each member holds a {@code Communicator}, carried to it by a {@code CommunicatorExtension}
 * that {@code CommunicatorFactory} attaches. A method of {@code Spmd} runs a {@code
 * CollectiveOperation} with one of the algorithms in {@code ObjectCollectives}, {@code
 * ArrayCollectives} and {@code BlockCollectives}; they send packets to the communicators of other
 * members, which put them into a {@code Mailbox}, a {@code BarrierTable} or {@code PointToPoint},
 * and the waiting thread takes them from there. The {@code HierarchyLevel}s of the {@code
 * MemberHierarchy} keep traffic between hosts and clusters small. Among the members on a host,
 * {@code BoardCollectives} move numbers through a {@code Board}, which {@code BoardSetUp} opens.
 *
 * <p>Stands above {@code groups} and {@code groups.board}. The communicator and the parts that it
 * routes packets to name each other, because waiting, loss and warnings concern all of them.
 */
@NullMarked
package org.troupe.groups.spmd;

import org.jspecify.annotations.NullMarked;
