/**
 * Authenticated byte links between processes: one listening port per JVM, many services behind it.
 * This package holds the values at the bottom of the module; {@link org.troupe.links.port.Port} is
 * its entry and the class to read first.
 *
 * <p>The JVMs of one deployment share a {@link org.troupe.links.Secret}. Each opens a {@link
 * org.troupe.links.port.Port}, publishes its {@link org.troupe.links.Address}, serves named
 * services and connects to those of others. A service gets a connection only after both sides have
 * proved to each other that they know the secret and have agreed on a wire version. Until then a
 * port reads only messages of fixed size from its peer.
 *
 * <p><b>Packages.</b> From the bottom: this one (values, and the attributes of files that only the
 * user may open), {@code host} (facts of the machine), {@code handshake} (authentication, choice of
 * a driver), {@code connect} (routes to a peer, relay), {@code driver} (implementations of {@link
 * org.troupe.links.Link}), {@code port} (the entry). A package may use those before it, and none
 * behind it.
 *
 * <p><b>Routes.</b> The address of a port that listens on all interfaces lists them all. A caller
 * tries them in the order of their apparent distance, each with a short head start over the next,
 * and takes the first whose handshake succeeds. The peer has to prove the identity in its address,
 * so an address that leads to another host from here does no harm. A route may be a tunnel, such as
 * one of ssh. The last resort is the relay, a port that every JVM can dial: a port that registered
 * there is called over that connection and dials back. Caller and port run a handshake of their
 * own, so the relay only forwards bytes.
 *
 * <p><b>Drivers.</b> A service is handed a {@link org.troupe.links.Link} over the best {@link
 * org.troupe.links.Driver} that both sides have, or a socket for libraries that require one. Each
 * port offers a list of drivers, which the system property {@code troupe.links} may set ({@code
 * shm,uds,tcp}, best first). The called port takes the first driver of the caller's list that it
 * offers as well, and falls back to the next if that one fails between the two. Without the
 * property:
 *
 * <ul>
 *   <li>{@code shm}, memory mapped by both, for processes of one user on one host whose JVMs were
 *       started with {@code --enable-native-access} for this module (or {@code ALL-UNNAMED}, on the
 *       class path);
 *   <li>{@code uds}, a Unix domain socket, for processes of one user on one host;
 *   <li>{@code tcp} for other connections within the machine;
 *   <li>{@code tls}, TLS 1.3, for connections that leave the machine.
 * </ul>
 *
 * <p>The drivers are a closed set, negotiated by code. To carry frames between nodes over another
 * medium, do not extend this module: implement the interface {@code Transport} of {@code
 * core-activeobjects}, with {@code transport-rmi} as the template (see CONTRIBUTING.md, "Add a
 * transport").
 *
 * <p><b>Security.</b> Two processes are on one host if they share the boot of the system and its
 * namespaces; a container is a host of its own. Connections over the relay or a tunnel count as
 * leaving the machine. TLS needs no certificate authority: each process creates a certificate, and
 * the two sides sign both certificates with the secret. Connections are authenticated but not
 * encrypted where the kernel delivers the bytes, in a network that the {@link
 * org.troupe.links.port.PortOptions} of both sides trust by the same name, and wherever {@code tcp}
 * stands in the property of both sides.
 *
 * <p><b>Shared memory.</b> A link in shared memory wakes its peer by a system call, and makes none
 * while no thread waits; it never spins. No file remains, however a process ends: the memory is
 * anonymous, and the socket folder of a killed process is removed by the next port that opens one.
 */
@NullMarked
package org.troupe.links;

import org.jspecify.annotations.NullMarked;
