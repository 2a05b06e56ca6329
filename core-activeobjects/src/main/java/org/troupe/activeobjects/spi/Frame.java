package org.troupe.activeobjects.spi;

import java.lang.reflect.Array;
import java.util.List;
import org.troupe.serialization.Encoded;

/**
 * The unit of communication: opaque to transports, which deliver all parts as they are.
 *
 * @param header small, made for one receiver
 * @param body the encoded call; may be shared by frames to many receivers, so it is never changed
 * @param arrays what is large and belongs to the body: arrays of numbers (not of {@code boolean}),
 *     which arrive as arrays of the same type with the same values, and are nobody else's then
 */
public record Frame(byte[] header, byte[] body, List<Object> arrays) {

  private static final byte[] NOTHING = {};

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
    return arrays.isEmpty()
        ? this
        : new Frame(header, body, arrays.stream().map(Frame::copy).toList());
  }

  private static Object copy(Object array) {
    var length = Array.getLength(array);
    var copy = Array.newInstance(array.getClass().componentType(), length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  /** Returns how many bytes an array of numbers has. */
  public static long bytes(Object array) {
    var elementBytes =
        switch (array) {
          case byte[] bytes -> Byte.BYTES;
          case short[] shorts -> Short.BYTES;
          case char[] chars -> Character.BYTES;
          case int[] ints -> Integer.BYTES;
          case float[] floats -> Float.BYTES;
          case long[] longs -> Long.BYTES;
          case double[] doubles -> Double.BYTES;
          default -> throw new IllegalArgumentException(array.getClass() + " in a frame");
        };
    return (long) elementBytes * Array.getLength(array);
  }
}
