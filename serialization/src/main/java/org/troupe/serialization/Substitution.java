package org.troupe.serialization;

import org.jspecify.annotations.Nullable;

/** Decides, for each object met while encoding, whether something else travels in its place. */
@FunctionalInterface
public interface Substitution {

  /**
   * Returns the token that travels instead of an object, or {@code null} to encode it as usual.
   *
   * <p>The token joins {@link EncodedGraph#side()}; the bytes hold only its index. Called once per
   * object and encoding, for all but {@code null} and immutable values of the platform; must be
   * cheap. In a very deep graph the call comes from a helper thread while the encoding thread
   * waits; see {@link #carried}.
   */
  @Nullable Object tokenFor(Object value);

  /**
   * Returns what a helper thread runs while the current one waits for it: the given part of an
   * encoding, amid whatever {@link #tokenFor} looks for in the current thread.
   *
   * <p>By default nothing of the current thread goes along.
   */
  default Runnable carried(Runnable part) {
    return part;
  }

  /**
   * Returns {@code false} if no object of exactly this class is ever replaced, so that {@link
   * #tokenFor} need not be asked about them; asked once per class.
   *
   * <p>By default every class may be concerned.
   */
  default boolean concerns(Class<?> type) {
    return true;
  }
}
