package org.troupe.serialization.internal;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.Encoded;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Resolver;

/** What all decodings by one serializer have in common. */
public final class Receiver {

  private final Limits limits;
  private final UnaryOperator<Runnable> carrier;
  private final @Nullable Counters counters; // or null
  private final Pool<Decoder> decoders = new Pool<>();

  /**
   * Creates what a serializer's decodings need.
   *
   * @param carrier gives what runs on another thread whatever belongs to the decoding thread
   * @param counters or null
   */
  public Receiver(Limits limits, UnaryOperator<Runnable> carrier, @Nullable Counters counters) {
    this.limits = limits;
    this.carrier = carrier;
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
      @Nullable Reusable previous,
      CallSite site) {
    return Decoder.decode(this, body, types, resolver, marshaller, count, previous, site);
  }

  /** Decodes on a thread that is no carrier of virtual threads. */
  Object @Nullable [] elsewhere(SpareThreads.Walk<Object[]> decoding) {
    try {
      return SpareThreads.run(decoding, carrier, "code for the arguments of a call");
    } catch (Throwable t) {
      throw Failure.of(t);
    }
  }

  Decoder take() {
    Decoder decoder = decoders.take();
    return decoder == null ? new Decoder(limits, carrier) : decoder;
  }

  void give(Decoder decoder) {
    if (counters != null) {
      counters.addObjectsReused(decoder.objectsReused());
    }
    decoder.reset();
    decoders.give(decoder);
  }
}
