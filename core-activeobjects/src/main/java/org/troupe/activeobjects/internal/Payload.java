package org.troupe.activeobjects.internal;

import org.troupe.activeobjects.spi.Frame;
import org.troupe.serialization.CallCodec;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.TypeTable;

/**
 * Encoded values with what is needed to decode them here. Immutable; may be decoded several times,
 * each time giving new copies.
 *
 * @param values the values; the side table holds {@link Reference}s and {@link FutureToken}s of
 *     this JVM
 * @param types what the type ids mean
 * @param codec of the method whose arguments or result these are, or {@code null}
 */
record Payload(Encoded values, TypeTable types, CallCodec codec) {

  Object[] decode(NodeRuntime node) {
    return decode(node, values.withArraysCopied(), null);
  }

  /** The same, for the last time and by the only one who has this: large arrays are not copied. */
  Object[] decodeLast(NodeRuntime node) {
    return decode(node, values, null);
  }

  /** The same again, into the objects of the call before as far as these are declared so. */
  Object[] decodeLast(NodeRuntime node, CallCodec.Previous previous) {
    return decode(node, values, previous);
  }

  private Object[] decode(NodeRuntime node, Encoded encoded, CallCodec.Previous previous) {
    return codec == null
        ? node.serializer().decode(encoded, types, node::objectFor)
        : codec.decode(encoded, types, node::objectFor, previous);
  }

  /** Says whether there may be something that a call before has left to be read into. */
  boolean reuses() {
    return codec != null && codec.reuses();
  }

  /** The body of a frame for these values. */
  Frame frame(byte[] header) {
    return new Frame(header, values.bytes(), values.arrays());
  }
}
