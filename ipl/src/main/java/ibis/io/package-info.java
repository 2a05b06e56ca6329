/**
 * The published serialization streams of the Ibis Portability Layer, for programs that serialize
 * without ports.
 *
 * <p>{@code SerializationFactory} creates a {@code SerializationInput} or {@code
 * SerializationOutput} by the name of a serialization (byte, data, ibis, sun, object) over a {@code
 * DataInputStream} or {@code DataOutputStream}; {@code BufferedArrayInputStream} and {@code
 * BufferedArrayOutputStream} connect those to streams of {@code java.io}. Object graphs are encoded
 * by {@code org.troupe.serialization}. The package knows nothing of instances, pools and ports.
 * Read {@code SerializationFactory} first.
 */
@NullMarked
package ibis.io;

import org.jspecify.annotations.NullMarked;
