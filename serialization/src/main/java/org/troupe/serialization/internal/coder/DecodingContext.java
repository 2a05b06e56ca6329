package org.troupe.serialization.internal.coder;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.keys.KeyClasses;
import org.troupe.serialization.internal.resources.SerializationCounters;
import org.troupe.serialization.internal.resources.SpareThreads;
import org.troupe.serialization.internal.resources.StripedPool;

/** The settings and pooled decoders shared by all decodings of one serializer. */
public final class DecodingContext {

  private final GraphLimits limits;
  private final UnaryOperator<Runnable> carrier;
  private final KeyClasses keyClasses;
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
      KeyClasses keyClasses,
      @Nullable SerializationCounters counters) {
    this.limits = limits;
    this.carrier = carrier;
    this.keyClasses = keyClasses;
    this.counters = counters;
  }

  /** A use of a decoder, which returns decoded objects. */
  public interface Decoding {
    Object[] by(Decoder decoder) throws Throwable;
  }

  /** Decodes all roots. */
  public Object[] decode(EncodedGraph body, ForeignTypes types, TokenResolver resolver) {
    return decode(
        decoder -> {
          if (decoder.begin(body, types, resolver)) {
            throw new CodecFailure(
                "these are the arguments of a call, whose types only the CallCodec of its method knows; decode them by that");
          }
          return decoder.readRoots();
        });
  }

  /** Lends a decoder; throws {@link CodecFailure}. */
  public Object[] decode(Decoding decoding) {
    Decoder decoder = decoders.take();
    if (decoder == null) {
      decoder = new Decoder(limits, carrier, keyClasses);
    }
    try {
      return decoding.by(decoder);
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    } finally {
      give(decoder);
    }
  }

  /** Decodes on a platform thread, so that user code occupies no carrier of virtual threads. */
  public Object @Nullable [] elsewhere(SpareThreads.Walk<Object[]> decoding) {
    try {
      return SpareThreads.run(decoding, carrier, "code for the arguments of a call");
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    }
  }

  private void give(Decoder decoder) {
    if (counters != null) {
      counters.addObjectsReused(decoder.reuse().count());
    }
    decoder.reset();
    decoders.put(decoder);
  }
}
