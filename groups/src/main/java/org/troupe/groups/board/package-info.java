/**
 * The memory through which the members of an SPMD group on one host talk: {@link
 * org.troupe.groups.board.Board} has slots, areas and sequence numbers for each member, and wakes
 * waiting threads of other JVMs; {@link org.troupe.groups.board.BarrierBoard} has announcements of
 * barriers, {@link org.troupe.groups.board.MessageBoard} point-to-point messages. Read the first
 * class first.
 *
 * <p>Data flows one way: a member writes into its own part and publishes a sequence number; others
 * wait for the number and read. Knows nothing of collective operations, groups or exceptions.
 */
@NullMarked
package org.troupe.groups.board;

import org.jspecify.annotations.NullMarked;
