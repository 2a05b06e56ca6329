/**
 * The connection to one other node, and the messages over it.
 *
 * <p>Read {@link Peer} first, then {@link Message}. {@link OutgoingCalls} passes a call to the
 * {@link Outbox}, which numbers its frame and keeps it in the {@link SendWindow} until it is
 * acknowledged; the {@link PeerConnection} sends it. A call whose caller waits goes by one of the
 * {@link CallExchanges}, if there is a place. On the other node, the {@link Inbox} takes frames in
 * order, and the {@link MessageDispatcher} passes their messages to {@link IncomingCalls}, {@link
 * OutgoingCalls}, {@link ForwardedFutures} and the bodies. A {@link Peer} creates these parts, each
 * from the parts below it: {@link ReceiveStatus}, which frames in both directions share, the
 * outbox, the calls, the dispatcher, and the inbox on top.
 *
 * <p>This package knows a grid only as {@link Membership}, which decides whether a node is lost. It
 * knows neither how nodes join nor how deadlocks are detected.
 */
@NullMarked
package org.troupe.activeobjects.internal.peer;

import org.jspecify.annotations.NullMarked;
