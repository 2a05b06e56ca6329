/**
 * Authenticated byte links between processes: one listening port per JVM, many services behind it.
 *
 * <p>The JVMs of one deployment share a {@link org.troupe.links.Secret}. Each opens a {@link
 * org.troupe.links.Port}, reports its {@link org.troupe.links.Address}, serves named services
 * behind it and connects to those of others. A connection is given to a service only after both
 * sides have proved to each other that they know the secret, and have agreed on a wire version;
 * until then nothing that a peer sends is interpreted, beyond messages of fixed size.
 *
 * <p>This is authentication, not encryption. On loopback that is enough: the kernel delivers the
 * bytes, and nobody without privileges can read or change them on the way. Between hosts it is
 * enough only on a network that is trusted; confidentiality there, and protection against somebody
 * on the way, come with TLS.
 */
package org.troupe.links;
