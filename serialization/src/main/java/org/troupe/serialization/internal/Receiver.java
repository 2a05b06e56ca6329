package org.troupe.serialization.internal;

import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Resolver;

/** What all decodings by one serializer have in common. */
public final class Receiver {

  private final Limits limits;
  private final Counters counters; // or null
  private final Pool<Decoder> decoders = new Pool<>();

  /**
   * Creates what a serializer's decodings need.
   *
   * @param counters or null
   */
  public Receiver(Limits limits, Counters counters) {
    this.limits = limits;
    this.counters = counters;
  }

  /** Decodes all roots. */
  public Object[] decode(Encoded body, Decoder.ForeignTypes types, Resolver resolver) {
    return Decoder.decode(this, body, types, resolver);
  }

  Object[] decode(
      Encoded body,
      Decoder.ForeignTypes types,
      Resolver resolver,
      FieldCodec marshaller,
      int count,
      Reusable previous) {
    return Decoder.decode(this, body, types, resolver, marshaller, count, previous);
  }

  Decoder take() {
    Decoder decoder = decoders.take();
    return decoder == null ? new Decoder(limits) : decoder;
  }

  void give(Decoder decoder) {
    if (counters != null) {
      counters.addObjectsReused(decoder.objectsReused());
    }
    decoder.reset();
    decoders.give(decoder);
  }
}
