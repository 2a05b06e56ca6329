package org.troupe.serialization.internal.registry;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.DecodingContext;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.EncodingContext;
import org.troupe.serialization.internal.coder.ForeignTypes;
import org.troupe.serialization.internal.coder.ReusableValues;
import org.troupe.serialization.internal.fields.CodecGenerator;
import org.troupe.serialization.internal.fields.FieldCodec;
import org.troupe.serialization.internal.fields.InterpretedArguments;
import org.troupe.serialization.internal.fields.SharingAnalysis;
import org.troupe.serialization.internal.resources.SpareThreads;

/** Encodes and decodes the arguments of one method, by one codec for all of them. */
public final class CallSite {

  /*
   * Profile-guided specialisation. A marshaller is a codec whose fields are the elements of the
   * argument array. The first marshaller is an interpreter, since most methods that a program calls
   * at its start are called a few times only. After CALLS_TO_LEARN_FROM calls one is generated, like
   * any other codec, which expects the classes seen in them. Expectations do not affect the wire
   * format: for an argument of another class a guard falls back to a look-up of its codec.
   */

  private static final int CALLS_TO_LEARN_FROM = 32;
  private static final Class<?> VARIOUS = void.class;

  /** The number of switches to other threads above which later decodings are moved to one. */
  private static final int FEW_DEPARTURES = 4;

  private final Class<?>[] types;
  private final boolean[] acyclic;
  private final Class<?>[] seen;
  private int calls; // about so many; lost updates do not matter
  private volatile FieldCodec marshaller;

  /** Whether decodings at this site have switched threads often for user code. */
  private volatile boolean switchesThreads;

  private volatile @Nullable Boolean shares;

  /**
   * Creates a call site for parameters of these types.
   *
   * @param acyclic which parameters are declared acyclic
   */
  public CallSite(Class<?>[] types, boolean[] acyclic) {
    this.types = types;
    this.acyclic = acyclic;
    this.seen = new Class<?>[types.length];
    this.marshaller = new InterpretedArguments(types, CodecRegistry::of);
  }

  /** Encodes values of the parameter types, primitive ones boxed. */
  public EncodedGraph encode(EncodingContext context, boolean setsArraysApart, Object[] values) {
    see(values);
    Encoder encoder = context.take();
    try {
      encoder.beginCall(setsArraysApart, mayShare());
      marshaller.writeFields(encoder, values);
      return encoder.finish();
    } catch (Throwable t) {
      throw CodecFailure.of(t);
    } finally {
      context.give(encoder);
    }
  }

  /**
   * Decodes values for the parameters, flat or not.
   *
   * @param previous the objects that may be reused, or null
   */
  public Object[] decode(
      DecodingContext context,
      EncodedGraph body,
      ForeignTypes sender,
      TokenResolver side,
      @Nullable ReusableValues previous) {
    DecodingContext.Decoding decoding =
        decoder -> decode(decoder, decoder.begin(body, sender, side), previous);
    Object[] values =
        switchesThreads && SpareThreads.areNeeded()
            ? Objects.requireNonNull(
                context.elsewhere(() -> context.decode(decoding)), "decode gives an array")
            : context.decode(decoding);
    see(values);
    return values;
  }

  private Object[] decode(Decoder decoder, boolean isFlat, @Nullable ReusableValues previous)
      throws Throwable {
    if (previous != null) {
      decoder.beginReuse(previous);
    }
    if (!isFlat) {
      return decoder.readRoots(types.length); // rare, so nothing is kept of it
    }
    Object[] values = new Object[types.length];
    marshaller.readFields(decoder, values);
    decoder.endCall();
    if (decoder.departures() > FEW_DEPARTURES) {
      switchesThreads = true;
    }
    return values;
  }

  private boolean mayShare() {
    Boolean known = shares;
    if (known == null) {
      known = SharingAnalysis.mayShare(types, acyclic, CodecRegistry::of);
      shares = known;
    }
    return known;
  }

  private void see(Object[] values) {
    if (calls >= CALLS_TO_LEARN_FROM) {
      return;
    }
    for (int i = 0; i < types.length; i++) {
      if (!types[i].isPrimitive() && values[i] != null) {
        Class<?> type = values[i].getClass();
        seen[i] = seen[i] == null || seen[i] == type ? type : VARIOUS;
      }
    }
    if (++calls == CALLS_TO_LEARN_FROM) {
      Class<?>[] guesses = types.clone();
      for (int i = 0; i < types.length; i++) {
        if (seen[i] != null && seen[i] != VARIOUS) {
          guesses[i] = seen[i];
        }
      }
      marshaller = generated(guesses);
    }
  }

  private FieldCodec generated(Class<?>[] guesses) {
    int n = types.length;
    MethodHandle[] getters = new MethodHandle[n];
    MethodHandle[] setters = new MethodHandle[n];
    MethodHandle getter = MethodHandles.arrayElementGetter(Object[].class);
    MethodHandle setter = MethodHandles.arrayElementSetter(Object[].class);
    for (int i = 0; i < n; i++) {
      Class<?> erased = ClassFields.erasure(types[i]);
      getters[i] =
          MethodHandles.insertArguments(getter, 1, i)
              .asType(MethodType.methodType(erased, Object.class));
      setters[i] =
          MethodHandles.insertArguments(setter, 1, i)
              .asType(MethodType.methodType(void.class, Object.class, erased));
    }
    return CodecGenerator.codec(
        InterpretedArguments.shape(types, guesses, getters, setters, CodecRegistry::of), null);
  }
}
