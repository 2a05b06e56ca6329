package org.troupe.serialization.internal.coder;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.Substitution;
import org.troupe.serialization.internal.classes.PlatformValues;
import org.troupe.serialization.internal.resources.SerializationCounters;
import org.troupe.serialization.internal.resources.StripedPool;

/** The settings, type numbers and pooled encoders shared by all encodings of one serializer. */
public final class EncodingContext {

  /**
   * A class as this serializer knows it. The class holds it, so it must not refer to the context:
   * the class would keep every serializer that has encoded one of its objects.
   */
  static final class Local {

    // Created lazily, as objects that are always replaced, such as stubs, never need a codec.

    private final Class<?> type;
    private final boolean replaceable;
    private volatile @Nullable RegisteredCodec known;

    private Local(Class<?> type, boolean replaceable) {
      this.type = type;
      this.replaceable = replaceable;
    }

    /** Returns whether a token may replace an object of the class. */
    boolean isReplaceable() {
      return replaceable;
    }

    Codec codec(EncodingContext context) {
      return known(context).codec();
    }

    /** Returns the tag of the class. */
    int tag(EncodingContext context) {
      return known(context).tag();
    }

    private RegisteredCodec known(EncodingContext context) {
      RegisteredCodec now = known;
      return now != null ? now : learn(context);
    }

    private synchronized RegisteredCodec learn(EncodingContext context) {
      if (known == null) {
        known = context.registry.register(type);
      }
      return known;
    }
  }

  /** Gives each class its codec and its number. */
  public interface Registry {
    /** Returns the codec and the number of a class; called once for each class. */
    RegisteredCodec register(Class<?> type);
  }

  /** A substitution that replaces no object. */
  public static final Substitution NOTHING =
      new Substitution() {
        @Override
        public @Nullable Object tokenFor(Object value) {
          return null;
        }

        @Override
        public boolean concerns(Class<?> type) {
          return false;
        }
      };

  /** Instead of a type number: no receiver accepts objects of the class. */
  public static final int REFUSED = -1;

  private static final int REPLACEABLE = 1;

  final GraphLimits limits;
  final Substitution substitution;
  private final boolean hasOwnCodecs;
  private final @Nullable SerializationCounters counters; // or null
  private final Set<Specialisation> on;
  private final Registry registry;
  private final StripedPool<Encoder> encoders = new StripedPool<>();
  private final ClassValue<Local> locals =
      new ClassValue<>() {
        @Override
        protected Local computeValue(Class<?> type) {
          return new Local(type, !PlatformValues.include(type) && substitution.concerns(type));
        }
      };

  /**
   * By the index of a codec: its tag, shifted, and whether it is replaceable; 0 if unknown. Numbers
   * only, because a class must not be kept from being unloaded; written rarely, read without order.
   */
  private int[] tags = new int[64];

  /**
   * Creates the context of a serializer's encodings.
   *
   * @param hasOwnCodecs whether the codec of a class may be another one than generated code expects
   * @param counters or null
   */
  public EncodingContext(
      GraphLimits limits,
      Substitution substitution,
      boolean hasOwnCodecs,
      Set<Specialisation> on,
      @Nullable SerializationCounters counters,
      Registry registry) {
    this.limits = limits;
    this.substitution = substitution;
    this.hasOwnCodecs = hasOwnCodecs;
    this.on = on;
    this.counters = counters;
    this.registry = registry;
  }

  boolean uses(Specialisation specialisation) {
    return on.contains(specialisation);
  }

  Local of(Class<?> type) {
    return locals.get(type);
  }

  /** Returns the shifted tag of a plain codec, with its lowest bit as above. */
  int tagOf(Codec codec) {
    int[] now = tags;
    int index = codec.index();
    int known = index < now.length ? now[index] : 0;
    return known != 0 ? known : learn(codec);
  }

  /** Returns the codec of this serializer for the class of a codec. */
  Codec own(Codec codec) {
    return hasOwnCodecs ? locals.get(codec.type()).codec(this) : codec;
  }

  static boolean isReplaceable(int shiftedTag) {
    return (shiftedTag & REPLACEABLE) != 0;
  }

  private synchronized int learn(Codec codec) {
    Local local = locals.get(codec.type());
    boolean replaceable = local.isReplaceable() || local.codec(this) != codec;
    int tag = local.tag(this) << 1 | (replaceable ? REPLACEABLE : 0);
    if (codec.index() >= tags.length) {
      tags = Arrays.copyOf(tags, Math.max(2 * tags.length, codec.index() + 1));
    }
    tags[codec.index()] = tag;
    return tag;
  }

  /** Takes an encoder, which the caller gives back. */
  public Encoder take() {
    Encoder encoder = encoders.take();
    return encoder == null ? new Encoder(this) : encoder;
  }

  /** Takes an encoder back. */
  public void give(Encoder encoder) {
    if (counters != null) {
      counters.addLookUps(encoder.lookUps());
    }
    encoder.reset();
    encoders.put(encoder);
  }
}
