package org.troupe.serialization.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.internal.classes.CodecFailure;

/** Arrays of numbers: one copy of all bytes, swapped only if the sender has another byte order. */
final class PrimitiveArrayCodec extends ListedCodec {

  private final ValueLayout layout;
  private final char kind;
  private final int shift;

  PrimitiveArrayCodec(int tag, Class<?> type, ValueLayout layout) {
    super(tag, type);
    readsSimply(true);
    this.layout = layout;
    this.shift = Long.numberOfTrailingZeros(layout.byteSize());
    this.kind = type.descriptorString().charAt(1);
  }

  @Override
  void write(Encoder out, Object value) {
    int length = Array.getLength(value);
    out.writeLength(length);
    if ((long) length << shift >= EncodedGraph.APART_BYTES && out.inserts(value, this)) {
      return;
    }
    switch (kind) {
      case 'D' -> out.bytes().writeDoubles((double[]) value);
      case 'I' -> out.bytes().writeInts((int[]) value);
      case 'B' -> out.bytes().write((byte[]) value, 0, length);
      default -> out.bytes().writeArray(value, length, layout);
    }
  }

  @Override
  Object read(Decoder in, int handle) throws Throwable {
    int length = in.readLength(1 << shift);
    Object array = in.reused(this, handle, length);
    if (array == null) {
      array = make(length);
    }
    in.register(handle, array);
    boolean here = in.arrayOrder() == ByteOrder.nativeOrder();
    if (kind == 'D' && here) {
      in.bytes().readDoubles((double[]) array);
    } else if (kind == 'I' && here) {
      in.bytes().readInts((int[]) array);
    } else if (kind == 'B') {
      in.bytes().read((byte[]) array, 0, length);
    } else {
      in.bytes().readArray(array, length, layout.withOrder(in.arrayOrder()));
    }
    return array;
  }

  /** Creates an array; the JIT optimises an array of a known type further. */
  private Object make(int length) {
    return switch (kind) {
      case 'D' -> new double[length];
      case 'I' -> new int[length];
      case 'B' -> new byte[length];
      default -> Array.newInstance(type().getComponentType(), length);
    };
  }

  /** A graph with this root alone is one object. */
  @Override
  boolean mayShare() {
    return false;
  }

  long byteSize(Object array) {
    return (long) Array.getLength(array) << shift;
  }

  /** Returns whether an array is large enough to be sent separately. */
  boolean isLarge(Object array) {
    return byteSize(array) >= EncodedGraph.APART_BYTES;
  }

  /** Copies all numbers into bytes. */
  void copy(Object array, MemorySegment into, int at) {
    MemorySegment.copy(array, 0, into, layout, at, Array.getLength(array));
  }

  void checkLength(Encoder out, Object array) {
    out.checkLength(Array.getLength(array));
  }

  /** Returns the size of a separate array. */
  static long checkedByteSize(Object array, GraphLimits limits) {
    if (array == null
        || !(PlatformCodecs.codec(array.getClass()) instanceof PrimitiveArrayCodec codec)) {
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
    return codec.byteSize(array);
  }
}
