/**
 * Combines many small messages into few large ones on a port, and splits them at the receiver.
 *
 * <p>{@code MessageCombiner} collects {@code CombinedWriteMessage}s in memory and sends them as one
 * byte array, whose format {@code PartPacking} defines; {@code MessageSplitter} turns each into
 * {@code SplitReadMessage}s again. The package uses only the published interfaces of {@code
 * ibis.ipl} and {@code ibis.io}.
 */
@NullMarked
package ibis.ipl.util.messagecombining;

import org.jspecify.annotations.NullMarked;
