/**
 * Pools: joining, leaving, elections, signals and the death of members.
 *
 * <p>{@code RegistryFactory} chooses the implementation by the properties. {@code CentralRegistry}
 * is the member of a pool that a {@code RegistryServer} keeps, each pool as a {@code ServerPool},
 * over a {@code ServerSession} that survives broken links. {@code GossipRegistry} needs the server
 * only to find the first member, and {@code NullRegistry} needs none. {@code PoolView} is what a
 * member knows of its pool. Read {@code RegistryProtocol} first.
 *
 * <p>The package knows nothing of ports.
 */
@NullMarked
package ibis.ipl.internal.registry;

import org.jspecify.annotations.NullMarked;
