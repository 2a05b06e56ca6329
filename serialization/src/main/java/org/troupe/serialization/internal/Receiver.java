package org.troupe.serialization.internal;

import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Resolver;

/** What all decodings by one serializer have in common. */
public final class Receiver {

  private final Limits limits;
  private final Pool<Decoder> decoders = new Pool<>();

  /** Creates what a serializer's decodings need. */
  public Receiver(Limits limits) {
    this.limits = limits;
  }

  /** Decodes all roots. */
  public Object[] decode(Encoded body, Decoder.ForeignTypes types, Resolver resolver) {
    return Decoder.decode(decoders, limits, body, types, resolver);
  }

  Object[] decode(
      Encoded body,
      Decoder.ForeignTypes types,
      Resolver resolver,
      FieldCodec marshaller,
      int count,
      Reusable previous) {
    return Decoder.decode(decoders, limits, body, types, resolver, marshaller, count, previous);
  }
}
