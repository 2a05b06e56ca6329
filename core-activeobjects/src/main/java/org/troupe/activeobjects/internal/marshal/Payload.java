package org.troupe.activeobjects.internal.marshal;

import org.troupe.activeobjects.transport.Frame;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.TypeTable;

/**
 * Encoded values with what is needed to decode them here. Immutable; may be decoded several times,
 * each time giving new copies.
 *
 * @param values the values; the side table holds {@code Reference}s and {@link FutureToken}s of
 *     this JVM
 * @param types what the type ids mean
 * @param codec of the method whose arguments or result these are, or {@code null}
 * @param isShared whether who decodes it last for itself is not the only one
 */
public record Payload(Encoded values, TypeTable types, CallCodec codec, boolean isShared) {

  public Payload(Encoded values, TypeTable types, CallCodec codec) {
    this(values, types, codec, false);
  }

  /** The same for several who decode it, each of them once. */
  public Payload shared() {
    return new Payload(values, types, codec, true);
  }

  public Object[] decode(Marshaller copies) {
    return decode(copies, values.withArraysCopied(), null);
  }

  /** The same, for the last time and by the only one who has this: large arrays are not copied. */
  public Object[] decodeLast(Marshaller copies) {
    return isShared ? decode(copies) : decode(copies, values, null);
  }

  /** The same again, into the objects of the call before as far as these are declared so. */
  public Object[] decodeLast(Marshaller copies, CallCodec.Previous previous) {
    return decode(copies, isShared ? values.withArraysCopied() : values, previous);
  }

  private Object[] decode(Marshaller copies, Encoded encoded, CallCodec.Previous previous) {
    return codec == null
        ? copies.serializer().decode(encoded, types, copies::objectFor)
        : codec.decode(encoded, types, copies::objectFor, previous);
  }

  /** The same with copies of large arrays: they stay as they are now. */
  public Payload withArraysCopied() {
    return new Payload(values.withArraysCopied(), types, codec, isShared);
  }

  /** Says whether there may be something that a call before has left to be read into. */
  public boolean reuses() {
    return codec != null && codec.reuses();
  }

  /** How much it takes, about. */
  public long bytes() {
    var bytes = (long) values.bytes().length;
    for (var array : values.arrays()) {
      bytes += Frame.bytes(array);
    }
    return bytes;
  }

  /** The body of a frame for these values. */
  public Frame frame(byte[] header) {
    return new Frame(header, values.bytes(), values.arrays());
  }
}
