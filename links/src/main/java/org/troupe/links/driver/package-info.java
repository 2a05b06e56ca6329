/**
 * The implementations of {@link org.troupe.links.Link}: TCP and Unix domain sockets ({@code
 * ChannelLink}), TLS ({@code TlsLink}) and shared memory ({@code RingLink} over two {@code Ring}s).
 *
 * <p>{@link org.troupe.links.driver.LinkFactory}, to be read first, turns an authenticated
 * connection into a link of the driver that both sides agreed on. Knows nothing of ports, services
 * or routes. The drivers are a closed set, see {@link org.troupe.links.Driver}.
 */
@NullMarked
package org.troupe.links.driver;

import org.jspecify.annotations.NullMarked;
