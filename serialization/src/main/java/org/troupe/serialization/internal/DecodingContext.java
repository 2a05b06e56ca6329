package org.troupe.serialization.internal;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.resources.SerializationCounters;
import org.troupe.serialization.internal.resources.SpareThreads;
import org.troupe.serialization.internal.resources.StripedPool;

/** The settings and pooled decoders shared by all decodings of one serializer. */
public final class DecodingContext {

  private final GraphLimits limits;
  private final UnaryOperator<Runnable> carrier;
  private final @Nullable SerializationCounters counters; // or null
  private final StripedPool<Decoder> decoders = new StripedPool<>();

  /**
   * Creates the context of a serializer's decodings.
   *
   * @param carrier wraps a task of another thread in the context of the decoding thread
   * @param counters or null
   */
  public DecodingContext(
      GraphLimits limits,
      UnaryOperator<Runnable> carrier,
      @Nullable SerializationCounters counters) {
    this.limits = limits;
    this.carrier = carrier;
    this.counters = counters;
  }

  /** Decodes all roots. */
  public Object[] decode(EncodedGraph body, Decoder.ForeignTypes types, TokenResolver resolver) {
    return Decoder.decode(this, body, types, resolver);
  }

  Object[] decode(
      EncodedGraph body,
      Decoder.ForeignTypes types,
      TokenResolver resolver,
      FieldCodec marshaller,
      int count,
      @Nullable ReusableValues previous,
      CallSite site) {
    return Decoder.decode(this, body, types, resolver, marshaller, count, previous, site);
  }

  /** Decodes on a platform thread, so that user code occupies no carrier of virtual threads. */
  Object @Nullable [] elsewhere(SpareThreads.Walk<Object[]> decoding) {
    try {
      return SpareThreads.run(decoding, carrier, "code for the arguments of a call");
    } catch (Throwable t) {
      throw CodecFailure.of(t);
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
    decoders.put(decoder);
  }
}
