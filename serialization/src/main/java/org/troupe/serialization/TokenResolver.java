package org.troupe.serialization;

import org.jspecify.annotations.Nullable;

/** Returns the objects that received tokens stand for. */
@FunctionalInterface
public interface TokenResolver {

  /**
   * Returns the object that an element of {@link EncodedGraph#side()} stands for; may be {@code
   * null}.
   *
   * <p>Called at most once per element and decoding. The object must fit wherever the original was.
   * In a very deep graph the call comes from a helper thread while the decoding thread waits.
   */
  @Nullable Object objectFor(@Nullable Object token);
}
