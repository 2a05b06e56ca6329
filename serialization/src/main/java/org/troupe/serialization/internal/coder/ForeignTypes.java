package org.troupe.serialization.internal.coder;

/** The types of a sender, as a receiver finds them. */
public interface ForeignTypes {

  /** Returns the codec for a tag. */
  Codec codec(int tag);

  /** Returns a class by name, if it may be used. */
  Class<?> classNamed(String name);
}
