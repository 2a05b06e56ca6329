/**
 * The entry to links: a {@link org.troupe.links.port.Port} listens for a JVM, serves named services
 * and connects to those of other ports. Read {@code Port} first.
 *
 * <p>An accepted connection passes through {@code ConnectionAcceptor} (handshake), {@code
 * LinkAgreement} (choice of a driver) and the handler of its service. An outgoing one passes
 * through {@link org.troupe.links.connect.PortDialler} and {@link
 * org.troupe.links.driver.LinkFactory}. This package stands above all others of the module; none of
 * them may depend on it.
 */
@NullMarked
package org.troupe.links.port;

import org.jspecify.annotations.NullMarked;
