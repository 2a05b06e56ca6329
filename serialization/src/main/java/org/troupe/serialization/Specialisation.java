package org.troupe.serialization;

/**
 * A way in which a {@code Serializer} does less than the general case needs, where it may.
 *
 * <p>All are used unless {@code Serializer.Builder.without} says otherwise, which is for measuring:
 * what is decoded is the same, and either side may leave out what it likes.
 */
public enum Specialisation {
  /** A place whose declared type is final, such as a string or an array of numbers, has no tag. */
  UNTAGGED,
  /**
   * No table of the objects already met where the types prove that nothing can be shared or cyclic,
   * or where they are declared {@link Acyclic}.
   */
  UNTRACKED,
  /** Calls are written flat, by {@code CallCodec}s made for their site. */
  CALL_SITE,
  /** What is declared {@link Reused} is read into the objects of the call before. */
  REUSE
}
