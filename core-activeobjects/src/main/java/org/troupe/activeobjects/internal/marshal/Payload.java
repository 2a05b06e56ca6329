package org.troupe.activeobjects.internal.marshal;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.flight.FlightEvents;
import org.troupe.activeobjects.internal.flight.FlightSwitch;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.graph.CallCodec;
import org.troupe.serialization.graph.TypeTable;

/**
 * Encoded values, with all that is needed to decode them on this node. Immutable; each decoding
 * makes new copies.
 *
 * @param values the values; the side table holds {@code Reference}s and {@link FutureToken}s of
 *     this JVM
 * @param types the meaning of the type ids
 * @param codec the codec of the method whose arguments or result these are, or {@code null}
 * @param shared the values that several holders have in common; {@code null} for a single holder.
 *     None of several may take over the arrays
 */
public record Payload(
    EncodedGraph values,
    TypeTable types,
    @Nullable CallCodec codec,
    @Nullable SharedValues shared) {

  private static final int[] NO_TYPES = {}; // the receiver knows the types by their definitions

  public Payload(EncodedGraph values, TypeTable types, @Nullable CallCodec codec) {
    this(values, types, codec, null);
  }

  /** Returns the payload of a frame, with the side table from its header. */
  public static Payload received(Frame frame, TypeTable types, List<Object> side) {
    return new Payload(new EncodedGraph(frame.body(), NO_TYPES, side, frame.arrays()), types, null);
  }

  /** Returns this payload to be decoded by the codec of a method, or without one. */
  public Payload with(@Nullable CallCodec other) {
    return new Payload(values, types, other, shared);
  }

  /** Returns this payload for several holders, each of which decodes it once. */
  public Payload forSeveral() {
    return new Payload(values, types, codec, new SharedValues());
  }

  public Object[] decode(Marshaller marshaller) {
    return decode(marshaller, values.withArraysCopied(), null);
  }

  /** Decodes the values for the last time, by their only holder: large arrays are not copied. */
  public Object[] decodeLast(Marshaller marshaller) {
    return decodeLast(marshaller, null);
  }

  /**
   * Decodes the values for the last time, into the objects of an earlier call where they are
   * declared reusable.
   */
  public Object[] decodeLast(Marshaller marshaller, CallCodec.@Nullable Previous previous) {
    if (shared == null) {
      return decode(marshaller, values, previous);
    }
    var known = shared.known();
    if (known != null) {
      return known;
    }
    var decoded = decode(marshaller, values.withArraysCopied(), previous);
    if (previous == null) {
      shared.decoded(decoded, marshaller);
    }
    return decoded;
  }

  private Object[] decode(
      Marshaller marshaller, EncodedGraph encoded, CallCodec.@Nullable Previous previous) {
    if (!FlightSwitch.isOn()) {
      return decodeNow(marshaller, encoded, previous);
    }
    var span = FlightEvents.coding();
    var decoded = decodeNow(marshaller, encoded, previous);
    span.ended(Marshaller.typeOfFirst(decoded), true, bytes());
    return decoded;
  }

  private Object[] decodeNow(
      Marshaller marshaller, EncodedGraph encoded, CallCodec.@Nullable Previous previous) {
    return codec == null
        ? marshaller.serializer().decode(encoded, types, marshaller::objectFor)
        : Objects.requireNonNull(
            codec.decode(encoded, types, marshaller::objectFor, previous), "the decoded values");
  }

  /**
   * Returns this payload with copies of its large arrays, so that later changes do not affect it.
   */
  public Payload withArraysCopied() {
    return new Payload(values.withArraysCopied(), types, codec, shared);
  }

  /** Returns whether the values may be decoded into objects of an earlier call. */
  public boolean reuses() {
    return codec != null && codec.reuses();
  }

  /** Returns the approximate size in bytes. */
  public long bytes() {
    var bytes = (long) values.bytes().length;
    for (var array : values.arrays()) {
      bytes += Frame.bytes(array);
    }
    return bytes;
  }

  /** Returns a frame with the header and these values. */
  public Frame frame(byte[] header) {
    return new Frame(header, values.bytes(), values.arrays());
  }
}
