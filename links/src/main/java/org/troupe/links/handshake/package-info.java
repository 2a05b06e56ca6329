/**
 * Authentication of two ports and their choice of a driver, as exchanges of small messages over a
 * connected socket.
 *
 * <p>{@link org.troupe.links.handshake.Handshake} proves the shared secret and agrees on a wire
 * version; {@link org.troupe.links.handshake.DriverNegotiation} then picks one of the drivers that
 * {@link org.troupe.links.handshake.DriverPreferences} permits. {@link
 * org.troupe.links.handshake.HandshakeLimits} bounds what unauthenticated peers can cost. Read
 * {@code Handshake} first. Opens no connection and creates no link.
 */
@NullMarked
package org.troupe.links.handshake;

import org.jspecify.annotations.NullMarked;
