package org.troupe.activeobjects.transport;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.troupe.serialization.Encoded;

/**
 * The unit of communication: opaque to transports, which deliver all parts as they are.
 *
 * @param header small, made for one receiver
 * @param body the encoded call; may be shared by frames to many receivers, so it is never changed
 * @param arrays what is large and belongs to the body: arrays of numbers (not of {@code boolean}),
 *     or {@link Slice}s of such, which arrive as arrays of the same type with the same values, and
 *     are nobody else's then
 */
public record Frame(byte[] header, byte[] body, List<Object> arrays) {

  private static final byte[] NOTHING = {};

  /** Some numbers of an array that follow each other, of a sender that goes on using it. */
  public record Slice(Object array, int from, int length) {

    /** Checks that the array has them. */
    public Slice {
      Objects.checkFromIndexSize(from, length, Array.getLength(array));
    }

    /** Returns that of the frame's arrays as one. */
    public static Slice of(Object part) {
      return part instanceof Slice slice ? slice : new Slice(part, 0, Array.getLength(part));
    }

    /** Returns how many bytes they have. */
    public long bytes() {
      return (long) length * elementBytes(array);
    }

    /** Returns an array of them alone. */
    public Object copy() {
      var spare = ArrayPool.take(array.getClass().componentType(), length);
      var copy =
          spare == null ? Array.newInstance(array.getClass().componentType(), length) : spare;
      System.arraycopy(array, from, copy, 0, length);
      return copy;
    }
  }

  /** A frame that is all header. */
  public Frame(byte[] header) {
    this(header, NOTHING);
  }

  /** A frame without large arrays. */
  public Frame(byte[] header, byte[] body) {
    this(header, body, List.of());
  }

  /**
   * A frame for whose other parts the receiver had no memory. It is delivered as any, since others
   * come after it; only whoever wants its content gets an error.
   */
  public static Frame tooLarge(byte[] header) {
    return new Frame(header, Encoded.tooLarge());
  }

  /** Returns how many bytes all parts have. */
  public long size() {
    var size = (long) header.length + body.length;
    if (!arrays.isEmpty()) {
      for (var array : arrays) {
        size += bytes(array);
      }
    }
    return size;
  }

  /** Returns the same frame with copies of its arrays, which may change then; itself without. */
  public Frame withArraysCopied() {
    return withArrays(each -> Slice.of(each).copy());
  }

  /** Returns the same frame with copies of its slices, for those who carry arrays only. */
  public Frame withWholeArrays() {
    return withArrays(each -> each instanceof Slice slice ? slice.copy() : each);
  }

  private Frame withArrays(UnaryOperator<Object> as) {
    return arrays.isEmpty() ? this : new Frame(header, body, arrays.stream().map(as).toList());
  }

  /** Returns how many bytes an array of numbers, or a slice of one, has. */
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
