package org.troupe.serialization.graph;

import org.jspecify.annotations.Nullable;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.TokenResolver;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.ReusableValues;
import org.troupe.serialization.internal.registry.CallSite;

/**
 * Encodes and decodes the arguments of one method as a whole: flat, without the information that
 * the parameter types imply, and specialised for the classes seen in earlier calls.
 *
 * <p>Made by {@link Serializer#callCodec}; sender and receiver need one for the same types. A call
 * codec also decodes arguments that {@link Serializer#encode} encoded. May be shared between
 * threads.
 */
public final class CallCodec {

  private static final Object[] NO_ARGUMENTS = {};

  private final Serializer serializer;
  private final CallSite site;
  private final boolean[] reused;
  private final boolean flat;
  private final boolean reuses;
  private final @Nullable EncodedGraph nothing;

  CallCodec(Serializer serializer, Class<?>[] types, boolean[] acyclic, boolean[] reused) {
    this.serializer = serializer;
    this.reused = reused;
    this.flat = serializer.uses(Specialisation.CALL_SITE);
    this.site = new CallSite(types, acyclic);
    boolean any = false;
    for (boolean one : reused) {
      any |= one;
    }
    this.reuses = any && flat && serializer.uses(Specialisation.REUSE);
    this.nothing = types.length == 0 ? encode(false, NO_ARGUMENTS) : null;
  }

  /**
   * Returns whether any argument is declared {@code Reused}, so that {@link Previous} is of use.
   */
  public boolean reuses() {
    return reuses;
  }

  /** Returns whether the argument of that index is declared {@code Reused}. */
  public boolean isReused(int index) {
    return reused[index];
  }

  /**
   * Encodes arguments; later changes to the objects do not show.
   *
   * @param arguments one for each parameter, primitive ones in their boxes
   * @throws org.troupe.serialization.SerializationException if an object cannot travel, naming its
   *     path
   */
  public EncodedGraph encode(Object... arguments) {
    return nothing != null ? nothing : encode(false, arguments);
  }

  /** Encodes arguments but sets large arrays apart, as {@link Serializer#encodeZeroCopy} does. */
  public EncodedGraph encodeZeroCopy(Object... arguments) {
    return nothing != null ? nothing : encode(true, arguments);
  }

  private EncodedGraph encode(boolean borrows, Object[] arguments) {
    if (flat) {
      try {
        return serializer.encode(site, borrows, arguments);
      } catch (CodecFailure f) {
        throw f.toException("cannot encode");
      }
    }
    return borrows ? serializer.encodeZeroCopy(arguments) : serializer.encode(arguments);
  }

  /**
   * Decodes arguments, as {@link Serializer#decode} does.
   *
   * @throws org.troupe.serialization.SerializationException also if they are not of this method
   */
  public Object @Nullable [] decode(EncodedGraph body, TypeTable sender, TokenResolver side) {
    return decode(body, sender, side, null);
  }

  /**
   * Decodes arguments; those declared {@code Reused} are read into the objects of the call before,
   * as far as these are of the same classes and sizes.
   *
   * @param previous the objects kept from the previous call, into which no other thread may decode
   *     at the same time; or {@code null}. If decoding fails, its objects hold parts of both calls.
   */
  public Object @Nullable [] decode(
      EncodedGraph body, TypeTable sender, TokenResolver side, @Nullable Previous previous) {
    if (nothing != null && java.util.Arrays.equals(body.bytes(), nothing.bytes())) {
      return NO_ARGUMENTS;
    }
    try {
      if (previous == null || !reuses) {
        return serializer.decode(site, body, sender, side, null);
      }
      return serializer.decode(site, body, sender, side, previous.objects(reused));
    } catch (CodecFailure f) {
      throw f.toException("cannot decode");
    }
  }

  /**
   * The arguments of the previous call, for one {@link CallCodec}. Not to be shared between
   * threads.
   */
  public static final class Previous {

    private @Nullable ReusableValues objects;

    /** Creates an empty set of objects. */
    public Previous() {}

    private ReusableValues objects(boolean[] reused) {
      if (objects == null) {
        objects = new ReusableValues(reused);
      }
      return objects;
    }
  }
}
