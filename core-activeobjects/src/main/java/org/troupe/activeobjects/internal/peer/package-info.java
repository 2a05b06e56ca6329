/**
 * The connection to one other node, and what goes over it.
 *
 * <p>{@link OutgoingCalls} gives a call to the {@link Outbox}, which numbers it, keeps it in the
 * {@link SendWindow} until it is acknowledged, and sends it by the {@link PeerConnection}; the
 * other node's {@link Inbox} takes frames in order and hands messages to {@link IncomingCalls} and
 * the other parts. Begin with {@link Peer}, then {@link Message}. This room knows the grid only as
 * {@link Membership}, which decides who is lost.
 */
package org.troupe.activeobjects.internal.peer;
