package org.troupe.serialization.internal.codecs;

import java.lang.reflect.Array;
import java.nio.ByteOrder;
import org.troupe.serialization.EncodedGraph;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.wire.NumberArray;

/** Arrays of numbers: one copy of all bytes, swapped only if the sender has another byte order. */
final class PrimitiveArrayCodec extends ListedCodec {

  private final NumberArray numbers;
  private final char kind;
  private final int shift;

  PrimitiveArrayCodec(int tag, NumberArray numbers) {
    super(tag, numbers.type());
    readsSimply(true);
    numbers(numbers);
    this.numbers = numbers;
    this.shift = numbers.shift();
    this.kind = type().descriptorString().charAt(1);
  }

  @Override
  public void write(Encoder out, Object value) {
    int length = Array.getLength(value);
    out.writeLength(length);
    if ((long) length << shift >= EncodedGraph.APART_BYTES && out.inserts(value, numbers)) {
      return;
    }
    switch (kind) {
      case 'D' -> out.bytes().writeDoubles((double[]) value);
      case 'I' -> out.bytes().writeInts((int[]) value);
      case 'B' -> out.bytes().write((byte[]) value, 0, length);
      default -> out.bytes().writeArray(value, length, numbers.layout());
    }
  }

  @Override
  public Object read(Decoder in, int handle) throws Throwable {
    int length = in.readLength(1 << shift);
    Object array = in.reuse().find(type(), handle, length);
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
      in.bytes().readArray(array, length, numbers.layout().withOrder(in.arrayOrder()));
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
  public boolean mayShare() {
    return false;
  }
}
