package org.troupe.serialization;

import org.jspecify.annotations.Nullable;

/** Replaces certain objects of a graph by tokens while it is encoded. */
@FunctionalInterface
public interface Substitution {

  /**
   * Returns the token that replaces an object, or {@code null} to encode the object itself.
   *
   * <p>The token joins {@link EncodedGraph#side()}; the bytes hold only its index. Called once per
   * object and encoding, for all but {@code null} and immutable values of the platform; must be
   * cheap. In a very deep graph the call comes from a helper thread while the encoding thread
   * waits; see {@link #carried}.
   */
  @Nullable Object tokenFor(Object value);

  /**
   * Wraps a part of an encoding that a helper thread runs while the current thread waits for it, so
   * that {@link #tokenFor} finds the context of the current thread there.
   *
   * <p>By default the part runs without a context.
   */
  default Runnable carried(Runnable part) {
    return part;
  }

  /**
   * Returns whether objects of exactly this class may be replaced; otherwise {@link #tokenFor} is
   * not called for them. Called once per class.
   *
   * <p>By default, objects of all classes may be replaced.
   */
  default boolean concerns(Class<?> type) {
    return true;
  }
}
