package org.troupe.serialization;

/**
 * An optimisation of a {@code Serializer} for a case that needs less work than the general one.
 *
 * <p>All are in use unless {@code Serializer.Builder.without} disables them, for measurements. They
 * do not change the decoded graphs, and each side may disable them independently.
 */
public enum Specialisation {
  /**
   * Values of fields whose declared type is final, such as strings and arrays of numbers, have no
   * tag.
   */
  UNTAGGED,
  /**
   * No table of the objects already met where the types prove that nothing can be shared or cyclic,
   * or where they are declared {@link Acyclic}.
   */
  UNTRACKED,
  /** Calls are written flat, by {@code CallCodec}s made for their site. */
  CALL_SITE,
  /** Values declared {@link Reused} are decoded into the objects of the previous call. */
  REUSE
}
