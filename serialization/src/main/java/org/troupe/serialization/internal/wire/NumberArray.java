package org.troupe.serialization.internal.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.internal.classes.CodecFailure;

/** The kinds of arrays of numbers, which are copied as a whole. */
public enum NumberArray {
  BYTES(byte[].class, ValueLayout.JAVA_BYTE),
  SHORTS(short[].class, ValueLayout.JAVA_SHORT_UNALIGNED),
  CHARS(char[].class, ValueLayout.JAVA_CHAR_UNALIGNED),
  INTS(int[].class, ValueLayout.JAVA_INT_UNALIGNED),
  LONGS(long[].class, ValueLayout.JAVA_LONG_UNALIGNED),
  FLOATS(float[].class, ValueLayout.JAVA_FLOAT_UNALIGNED),
  DOUBLES(double[].class, ValueLayout.JAVA_DOUBLE_UNALIGNED);

  private static final NumberArray[] ALL = values();

  private final Class<?> type;
  private final ValueLayout layout;
  private final int shift;

  NumberArray(Class<?> type, ValueLayout layout) {
    this.type = type;
    this.layout = layout;
    this.shift = Long.numberOfTrailingZeros(layout.byteSize());
  }

  /** Returns the kind of arrays of a class, or null if it is another class. */
  private static @Nullable NumberArray of(Class<?> type) {
    for (NumberArray each : ALL) {
      if (each.type == type) {
        return each;
      }
    }
    return null;
  }

  /** Returns the class of the arrays. */
  public Class<?> type() {
    return type;
  }

  /** Returns the layout of a number. */
  public ValueLayout layout() {
    return layout;
  }

  /** Returns the binary logarithm of the bytes of a number. */
  public int shift() {
    return shift;
  }

  /** Returns the bytes of all numbers. */
  long byteSize(Object array) {
    return (long) Array.getLength(array) << shift;
  }

  /** Returns whether an array is large enough to be sent separately. */
  public boolean isLarge(Object array) {
    return byteSize(array) >= EncodedGraph.APART_BYTES;
  }

  /** Returns the bytes of an array that came apart. */
  public static long checkedByteSize(@Nullable Object array, GraphLimits limits) {
    NumberArray kind = array == null ? null : of(array.getClass());
    if (array == null || kind == null) {
      throw new CodecFailure(
          "an object of type '%s' came apart, but only arrays of numbers can; the sender is not of this version"
              .formatted(array == null ? "null" : array.getClass().getName()));
    }
    int length = Array.getLength(array);
    if (length > limits.maxArrayLength()) {
      throw new CodecFailure(
          "an array has %d elements, but the limit is %d; send it in parts, or raise maxArrayLength"
              .formatted(length, limits.maxArrayLength()));
    }
    return kind.byteSize(array);
  }

  /** Copies all numbers into bytes. */
  void copy(Object array, MemorySegment into, int at) {
    MemorySegment.copy(array, 0, into, layout, at, Array.getLength(array));
  }
}
