/**
 * The server of pools, for programs that embed it or talk to one in another process.
 *
 * <p>{@code Server} runs a server in this process, {@code ServerConnection} asks or ends one in
 * another process, and {@code ServerCommand} is the command line of {@code ./troupe ibis-server}.
 * {@code ServerProperties} names the properties. The pools themselves are kept by {@code
 * ibis.ipl.internal.registry}. Read {@code Server} first.
 */
@NullMarked
package ibis.ipl.server;

import org.jspecify.annotations.NullMarked;
