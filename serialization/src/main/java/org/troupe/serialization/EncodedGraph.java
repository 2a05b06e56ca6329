package org.troupe.serialization;

import java.util.List;

/**
 * An encoded graph: immutable by agreement, shareable, and good for any number of receivers.
 *
 * @param bytes the graph; not copied, do not change it
 * @param typeIds the ids in the sender's type table that the bytes use, each once; not copied
 * @param side what the {@link Substitution} put aside, in order of appearance
 * @param arrays large primitive arrays that are not in the bytes, in order of appearance; from
 *     {@code Serializer.encodeBorrowing} the arrays of the graph itself; what is decoded takes them
 *     over, with the values that they have, so whoever carries them between machines turns their
 *     bytes if it has to
 */
public record EncodedGraph(byte[] bytes, int[] typeIds, List<Object> side, List<Object> arrays) {

  /** The size in bytes from which a primitive array is set apart. */
  public static final int APART_BYTES = 8192;

  /** The first byte of {@link #tooLarge}; encoded graphs begin with other values. */
  public static final byte TOO_LARGE = 0;

  /** Creates one whose arrays are all in the bytes. */
  public EncodedGraph(byte[] bytes, int[] typeIds, List<Object> side) {
    this(bytes, typeIds, side, List.of());
  }

  /**
   * Returns the bytes that stand for a graph for which the receiver had no memory: to decode them
   * is an error that says so.
   */
  public static byte[] tooLarge() {
    return new byte[] {TOO_LARGE};
  }

  /**
   * Returns the same with copies of the arrays set apart: they stay as they are now, and may be
   * taken over. Itself, if there are none.
   */
  public EncodedGraph withArraysCopied() {
    if (arrays.isEmpty()) {
      return this;
    }
    return new EncodedGraph(bytes, typeIds, side, arrays.stream().map(EncodedGraph::copy).toList());
  }

  private static Object copy(Object array) {
    return switch (array) {
      case byte[] a -> a.clone();
      case short[] a -> a.clone();
      case char[] a -> a.clone();
      case int[] a -> a.clone();
      case long[] a -> a.clone();
      case float[] a -> a.clone();
      case double[] a -> a.clone();
      default ->
          throw new IllegalStateException(
              "an array set apart is of type '%s', which is not one of numbers; use the arrays as they were encoded"
                  .formatted(array.getClass().getName()));
    };
  }
}
