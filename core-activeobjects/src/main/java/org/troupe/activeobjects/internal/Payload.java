package org.troupe.activeobjects.internal;

import org.troupe.activeobjects.spi.Frame;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.TypeTable;

/**
 * Encoded values with what is needed to decode them here. Immutable; may be decoded several times,
 * each time giving new copies.
 *
 * @param values the values; the side table holds {@link Reference}s and {@link FutureToken}s of
 *     this JVM
 * @param types what the type ids mean
 */
record Payload(Encoded values, TypeTable types) {

  Object[] decode(NodeRuntime node) {
    return node.serializer().decode(values.withArraysCopied(), types, node::objectFor);
  }

  /** The same, for the last time and by the only one who has this: large arrays are not copied. */
  Object[] decodeLast(NodeRuntime node) {
    return node.serializer().decode(values, types, node::objectFor);
  }

  /** The body of a frame for these values. */
  Frame frame(byte[] header) {
    return new Frame(header, values.bytes(), values.arrays());
  }
}
