package org.troupe.serialization.internal.codecs;

import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.CodecFinder;

/** The class of which the object in a slot most likely is, so that its codec is tried first. */
public final class SlotGuess {

  private SlotGuess() {}

  /** Returns whether the object in a slot most likely has exactly the declared type. */
  public static boolean isPossible(Class<?> declared) {
    if (declared.isPrimitive() || declared == String.class) {
      return false;
    }
    return declared.isArray()
        || PlatformCodecs.codec(declared) != null && declared != Object.class
        || !ClassKinds.isPlatform(declared)
            && !declared.isInterface()
            && !declared.isEnum()
            && !Modifier.isAbstract(declared.getModifiers());
  }

  /**
   * Returns the codec of the declared type of a slot, or {@code null} if {@link #isPossible} is
   * false.
   */
  public static @Nullable Codec codec(Class<?> declared, CodecFinder codecs) {
    if (!isPossible(declared)) {
      return null;
    }
    try {
      return codecs.of(declared);
    } catch (LinkageError e) { // of a class that no object is of, or its own codec would fail too
      return new RefusedCodec(declared, e.toString());
    }
  }
}
