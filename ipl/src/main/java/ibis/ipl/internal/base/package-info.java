/**
 * Common ground of registries and ports: identifiers of instances, their locations, settings, links
 * that carry messages with a length, and the threads for work that waits for the network.
 *
 * <p>{@code InstanceIdentifier} is the class to read first. {@code IplSettings} turns properties
 * into addresses, secrets and an open port; {@code FramedLink} reads and writes messages of bounded
 * size. The package knows neither registries nor ports.
 */
@NullMarked
package ibis.ipl.internal.base;

import org.jspecify.annotations.NullMarked;
