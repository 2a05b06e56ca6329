/**
 * Opens connections to other ports, over whatever route leads there.
 *
 * <p>{@link org.troupe.links.connect.PortDialler} knows the routes of a peer and remembers which
 * one worked; a {@code ConnectionRace} tries them with staggered starts, as RFC 8305 does; {@link
 * org.troupe.links.connect.Relay} and {@link org.troupe.links.connect.RelayRegistration} connect
 * peers that cannot reach each other. Read {@code PortDialler} first. Uses handshakes, and knows
 * neither drivers nor ports.
 */
@NullMarked
package org.troupe.links.connect;

import org.jspecify.annotations.NullMarked;
