package org.troupe.classics;

import java.nio.ByteBuffer;
import java.util.function.ObjIntConsumer;
import java.util.zip.CRC32C;

/** A checksum of all bits of many numbers, printed as eight hexadecimal digits. */
public final class NumberChecksum {

  private final CRC32C sum = new CRC32C();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 13);

  /** Adds doubles. */
  public NumberChecksum add(double... values) {
    return add(values.length, (to, i) -> to.putDouble(values[i]));
  }

  /** Adds bytes. */
  public NumberChecksum add(byte... values) {
    sum.update(values);
    return this;
  }

  /** Adds ints. */
  public NumberChecksum add(int... values) {
    return add(values.length, (to, i) -> to.putInt(values[i]));
  }

  /** Adds longs. */
  public NumberChecksum add(long... values) {
    return add(values.length, (to, i) -> to.putLong(values[i]));
  }

  private NumberChecksum add(int count, ObjIntConsumer<ByteBuffer> put) {
    for (var i = 0; i < count; i++) {
      if (buffer.remaining() < Long.BYTES) {
        drain();
      }
      put.accept(buffer, i);
    }
    drain();
    return this;
  }

  private void drain() {
    sum.update(buffer.flip());
    buffer.clear();
  }

  @Override
  public String toString() {
    return "%08x".formatted(sum.getValue());
  }
}
