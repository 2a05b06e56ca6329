package org.troupe.serialization;

import org.jspecify.annotations.Nullable;

/** Supplies classes of one sender that the receiver's class loader does not find. */
@FunctionalInterface
public interface ClassSource {

  /**
   * Returns a class by its binary name, never that of an array; {@code null} if it has none.
   *
   * <p>Asked by decoding threads, outside of all locks, and may wait for an answer of the sender;
   * whether the class is allowed is asked of the {@link TypeFilter} afterwards.
   *
   * @throws SerializationException if there is such a class but it is not to be loaded, saying why
   */
  @Nullable Class<?> classNamed(String name);
}
