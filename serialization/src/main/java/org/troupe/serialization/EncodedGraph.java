package org.troupe.serialization;

import java.util.List;

/**
 * An encoded graph: immutable by convention, may be shared between threads and sent to any number
 * of receivers.
 *
 * @param bytes the graph; not copied, do not change it
 * @param typeIds the ids in the sender's type table that the bytes use, each once; not copied
 * @param side the tokens of the {@link Substitution}, in order of appearance
 * @param arrays large primitive arrays that are not in the bytes, in order of appearance; {@code
 *     Serializer.encodeZeroCopy} puts the arrays of the graph itself here. The decoded graph takes
 *     them over with the values they have, so a transport between machines of different byte order
 *     swaps their bytes
 */
public record EncodedGraph(byte[] bytes, int[] typeIds, List<Object> side, List<Object> arrays) {

  /** The size in bytes from which a primitive array is kept separate. */
  public static final int APART_BYTES = 8192;

  /** The first byte of {@link #tooLarge}; encoded graphs begin with other values. */
  public static final byte TOO_LARGE = 0;

  /** Creates an encoded graph whose arrays are all in the bytes. */
  public EncodedGraph(byte[] bytes, int[] typeIds, List<Object> side) {
    this(bytes, typeIds, side, List.of());
  }

  /**
   * Returns the bytes of a graph for which the receiver had no memory; decoding them fails with
   * that reason.
   */
  public static byte[] tooLarge() {
    return new byte[] {TOO_LARGE};
  }

  /**
   * Returns this graph with copies of the arrays set apart, which later changes do not affect and
   * which a decoded graph may take over; returns this object if there are none.
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
