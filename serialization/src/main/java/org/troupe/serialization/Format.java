package org.troupe.serialization;

/** How a {@link Serializer} writes objects. */
public enum Format {
  /** With codecs generated per class: compact, no {@code Serializable} needed. */
  GENERATED,
  /**
   * With {@code java.io} serialization, for comparison: only {@code Serializable} classes, no deep
   * lists, and none of the defences beyond those of {@link java.io.ObjectInputFilter}.
   */
  JAVA_IO
}
