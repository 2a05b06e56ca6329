/**
 * The contents of messages: primitive data, arrays and object graphs in chunks.
 *
 * <p>{@code SerializationKind} names the kinds that a port type can have. A sender writes into a
 * {@code ChunkOutput}, objects by a {@code GraphEncoder}; a receiver reads from a {@code
 * ChunkInput}, objects by a {@code GraphDecoder}, which admits only {@code AllowedClasses}. Read
 * {@code MessageChunk} first. The package knows nothing of connections.
 */
@NullMarked
package ibis.ipl.internal.message;

import org.jspecify.annotations.NullMarked;
