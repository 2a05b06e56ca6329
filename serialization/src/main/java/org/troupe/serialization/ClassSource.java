package org.troupe.serialization;

import org.jspecify.annotations.Nullable;

/** Supplies classes of one sender that the receiver's class loader does not find. */
@FunctionalInterface
public interface ClassSource {

  /**
   * Returns a class by its binary name, never that of an array; {@code null} if it has none.
   *
   * <p>Called by decoding threads, outside of all locks; may wait for an answer of the sender. The
   * {@link TypeFilter} checks afterwards whether the class is allowed.
   *
   * @throws SerializationException if the class exists but must not be loaded; the message has the
   *     reason
   */
  @Nullable Class<?> classNamed(String name);
}
