/**
 * Authenticated byte links between processes: one listening port per JVM, many services behind it.
 *
 * <p>The JVMs of one deployment share a {@link org.troupe.links.Secret}. Each opens a {@link
 * org.troupe.links.Port}, reports its {@link org.troupe.links.Address}, serves named services
 * behind it and connects to those of others. A connection is given to a service only after both
 * sides have proved to each other that they know the secret, and have agreed on a wire version;
 * until then nothing that a peer sends is interpreted, beyond messages of fixed size.
 *
 * <p>A port that listens on all addresses of its machine is known by all of them. Whoever connects
 * tries them, those that look nearest first, each with a short head start over the next, and takes
 * the first whose handshake ends well; what answers has to prove the identity that the address
 * tells, so an address that means another host from here does no harm. One of the ways may be a
 * tunnel that somebody else has laid, such as ssh. The last resort is the relay, a port that
 * everybody can dial: a port that was told of it keeps a connection there, over which it is called
 * to come and fetch a peer; the two begin with a handshake of their own, of which the relay sees
 * nothing but bytes that it passes on.
 *
 * <p>What a service is given is a {@link org.troupe.links.Link}, over the best {@link
 * org.troupe.links.Driver} that both sides have; or, for libraries that know nothing else, a
 * socket. Each port offers a list of drivers, which the system property {@code troupe.links} may
 * set ({@code shm,uds,tcp}, best first); the port that is called takes the first of the caller's
 * that it has too, and goes on to the next if that one fails between them. Without the property:
 *
 * <ul>
 *   <li>{@code shm}, memory that both have mapped, if they belong to one user on one host and both
 *       JVMs were started with {@code --enable-native-access} for this module (or {@code
 *       ALL-UNNAMED}, on the class path);
 *   <li>{@code uds}, a Unix domain socket, if they belong to one user on one host;
 *   <li>{@code tcp} for whatever else does not leave the machine;
 *   <li>{@code tls}, TLS 1.3, for whatever does.
 * </ul>
 *
 * <p>One host means: the same boot of the same system, the same namespaces (a container is a host
 * of its own). What goes over the relay or a tunnel leaves the machine, whatever the system says.
 * TLS needs no certificates from anybody: each process makes its own, and the two sides sign both
 * with the secret. Authentication without encryption is enough where the kernel delivers the bytes,
 * and in a network that the {@link org.troupe.links.PortOptions} of both sides trust by the same
 * name; {@code tcp} in the property of both sides trusts any.
 *
 * <p>A link in shared memory wakes its other side by a call of the system, and makes none while
 * nobody waits; it never spins. Neither of the two leaves a file behind, however it ends: the
 * memory has no name, and the folder of a Unix domain socket whose process was killed is removed by
 * the next port that looks.
 */
@NullMarked
package org.troupe.links;

import org.jspecify.annotations.NullMarked;
