package org.troupe.serialization.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import org.troupe.serialization.Limits;
import org.troupe.serialization.Serializer;

/**
 * Arrays of numbers: one copy of all bytes, turned only if the other machine is of another kind.
 */
final class Primitives extends Listed {

  private final ValueLayout layout;

  Primitives(int tag, Class<?> type, ValueLayout layout) {
    super(tag, type);
    this.layout = layout;
  }

  @Override
  void write(Encoder out, Object value) {
    int length = Array.getLength(value);
    out.writeLength(length);
    out.bytes().writeArray(value, length, layout);
  }

  @Override
  Object read(Decoder in, int handle) {
    int length = in.readLength((int) layout.byteSize());
    Object array = Array.newInstance(type().getComponentType(), length);
    in.bytes().readArray(array, length, layout.withOrder(in.arrayOrder()));
    return array;
  }

  long byteSize(Object array) {
    return Array.getLength(array) * layout.byteSize();
  }

  /** Returns whether an array is worth sending on its own. */
  boolean isLarge(Object array) {
    return byteSize(array) >= Serializer.APART_BYTES;
  }

  void checkLength(Encoder out, Object array) {
    out.checkLength(Array.getLength(array));
  }

  /** Returns the size of an array that came beside the bytes. */
  static long checkedByteSize(Object array, Limits limits) {
    if (array == null || !(Platform.codec(array.getClass()) instanceof Primitives codec)) {
      throw new Failure(
          "an object of type '%s' came apart, but only arrays of numbers can; the sender is not of this version"
              .formatted(array == null ? "null" : array.getClass().getName()));
    }
    int length = Array.getLength(array);
    if (length > limits.maxArrayLength()) {
      throw new Failure(
          "an array has %d elements, but the limit is %d; send it in parts, or raise maxArrayLength"
              .formatted(length, limits.maxArrayLength()));
    }
    return codec.byteSize(array);
  }

  /** Turns the numbers of an array whose bytes were read as they came from the sender. */
  void adopt(Object array, ByteOrder order) {
    if (order == ByteOrder.nativeOrder() || layout.byteSize() == 1) {
      return;
    }
    MemorySegment.copy(
        segment(array), layout.withOrder(order), 0, array, 0, Array.getLength(array));
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case short[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      default -> throw new AssertionError(array.getClass());
    };
  }
}
