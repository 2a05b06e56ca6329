package org.troupe.activeobjects.transport;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.troupe.serialization.EncodedGraph;

/**
 * The unit of communication. Transports do not interpret a frame; they deliver its three parts
 * unchanged.
 *
 * @param header small, and made for one receiver
 * @param body the encoded call; frames to several receivers may share it, so it is never changed
 * @param arrays the large parts of the body: arrays of numbers (not of {@code boolean}), or {@link
 *     Slice}s of them. Each arrives as an array of the same type with the same values, which
 *     belongs to the receiver alone
 */
public record Frame(byte[] header, byte[] body, List<Object> arrays) {

  private static final byte[] NOTHING = {};

  /** A range of an array that the sender continues to use. */
  public record Slice(Object array, int from, int length) {

    /** Checks that the range lies within the array. */
    public Slice {
      Objects.checkFromIndexSize(from, length, Array.getLength(array));
    }

    /** Returns an element of {@link Frame#arrays} as a slice. */
    public static Slice of(Object part) {
      return part instanceof Slice slice ? slice : new Slice(part, 0, Array.getLength(part));
    }

    /** Returns the size of the range in bytes. */
    public long bytes() {
      return (long) length * elementBytes(array);
    }

    /** Returns a new or pooled array that holds the elements of the range. */
    public Object copy() {
      var spare = ArrayPool.take(array.getClass().componentType(), length);
      var copy =
          spare == null ? Array.newInstance(array.getClass().componentType(), length) : spare;
      System.arraycopy(array, from, copy, 0, length);
      return copy;
    }
  }

  /** Makes a frame that consists of a header only. */
  public Frame(byte[] header) {
    this(header, NOTHING);
  }

  /** A frame without large arrays. */
  public Frame(byte[] header, byte[] body) {
    this(header, body, List.of());
  }

  /**
   * Makes a frame that stands for one whose body and arrays the receiver had no memory for. It is
   * delivered like any other frame, because later frames depend on the order; decoding its content
   * throws an error.
   */
  public static Frame tooLarge(byte[] header) {
    return new Frame(header, EncodedGraph.tooLarge());
  }

  /** Returns the total size of all parts in bytes. */
  public long size() {
    var size = (long) header.length + body.length;
    if (!arrays.isEmpty()) {
      for (var array : arrays) {
        size += bytes(array);
      }
    }
    return size;
  }

  /**
   * Returns a frame with copies of all arrays and slices, so that the sender may change the
   * originals; returns this frame if it has none.
   */
  public Frame withArraysCopied() {
    return withArrays(each -> Slice.of(each).copy());
  }

  /**
   * Returns a frame in which each slice is replaced by a copy, for transports that carry whole
   * arrays only.
   */
  public Frame withWholeArrays() {
    return withArrays(each -> each instanceof Slice slice ? slice.copy() : each);
  }

  private Frame withArrays(UnaryOperator<Object> as) {
    return arrays.isEmpty() ? this : new Frame(header, body, arrays.stream().map(as).toList());
  }

  /** Returns the size of an array of numbers, or of a slice of one, in bytes. */
  public static long bytes(Object array) {
    return array instanceof Slice slice
        ? slice.bytes()
        : (long) elementBytes(array) * Array.getLength(array);
  }

  private static int elementBytes(Object array) {
    return switch (array) {
      case byte[] bytes -> Byte.BYTES;
      case short[] shorts -> Short.BYTES;
      case char[] chars -> Character.BYTES;
      case int[] ints -> Integer.BYTES;
      case float[] floats -> Float.BYTES;
      case long[] longs -> Long.BYTES;
      case double[] doubles -> Double.BYTES;
      default -> throw new IllegalArgumentException(array.getClass() + " in a frame");
    };
  }
}
