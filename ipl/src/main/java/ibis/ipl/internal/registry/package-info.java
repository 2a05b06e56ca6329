/**
 * Pools: joining, leaving, elections, signals and the death of members.
 *
 * <p>{@code RegistryFactory} chooses the implementation by the properties. {@code CentralRegistry}
 * is the member of a pool that a {@code RegistryServer} keeps, each pool as a {@code ServerPool},
 * over a {@code ServerSession} that survives broken links; {@code MemberMonitor} detects failed
 * members. {@code GossipRegistry} needs the server only to find other members, with which it
 * exchanges its {@code GossipKnowledge}; {@code NullRegistry} needs no server. {@code PoolView} is
 * the part of a member's registry that the program sees. Read {@code RegistryProtocol} first.
 *
 * <p>The package knows nothing of ports.
 */
@NullMarked
package ibis.ipl.internal.registry;

import org.jspecify.annotations.NullMarked;
