package org.troupe.serialization;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Bytes that grow as they are written, for encodings by hand; {@link ByteInput} reads them.
 *
 * <p>Fixed-width numbers are little-endian. Not to be shared between threads.
 */
public final class ByteOutput {

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final VarHandle NATIVE_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle NATIVE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int SMALL = 32;

  /** The bytes of the longest number of variable width. */
  private static final int LONGEST_VAR = 10;

  private static final int LARGEST = Integer.MAX_VALUE - 8;

  private final long limit;
  private byte[] buffer;
  private int size;

  /** Creates an empty output. */
  public ByteOutput() {
    this(64, LARGEST);
  }

  /**
   * Creates an empty output that refuses to grow beyond a size.
   *
   * @param capacity bytes to set aside at once
   * @param limit the largest size, in bytes
   */
  public ByteOutput(int capacity, long limit) {
    this.limit = Math.min(limit, LARGEST);
    this.buffer = new byte[(int) Math.min(capacity, this.limit)];
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes the low eight bits. */
  public void writeByte(int value) {
    int at = size;
    if (at == buffer.length) {
      grow(1);
    }
    buffer[at] = (byte) value;
    size = at + 1;
  }

  /** Writes one byte, 0 or 1. */
  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /** Writes two bytes. */
  public void writeShort(int value) {
    int at = claim(2); // may replace the buffer
    SHORT.set(buffer, at, (short) value);
  }

  /** Writes two bytes. */
  public void writeChar(char value) {
    writeShort(value);
  }

  /** Writes four bytes. */
  public void writeInt(int value) {
    int at = claim(4); // may replace the buffer
    INT.set(buffer, at, value);
  }

  /** Writes eight bytes. */
  public void writeLong(long value) {
    int at = claim(8); // may replace the buffer
    LONG.set(buffer, at, value);
  }

  /** Writes four bytes, keeping every bit. */
  public void writeFloat(float value) {
    writeInt(Float.floatToRawIntBits(value));
  }

  /** Writes eight bytes, keeping every bit. */
  public void writeDouble(double value) {
    writeLong(Double.doubleToRawLongBits(value));
  }

  /** Writes one byte for 0..127, up to five for the rest; negative values take five. */
  public void writeVarInt(int value) {
    if ((value & ~0x7f) == 0) {
      writeByte(value);
    } else {
      writeVarLong(Integer.toUnsignedLong(value));
    }
  }

  /** Writes one byte for 0..127, up to ten for the rest; negative values take ten. */
  public void writeVarLong(long value) {
    byte[] bytes = buffer;
    int at = size;
    long rest = value;
    if (bytes.length - at < LONGEST_VAR) {
      writeLastVar(rest);
      return;
    }
    while ((rest & ~0x7fL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
    size = at;
  }

  /** Writes a number of variable width for which the buffer may have to grow. */
  private void writeLastVar(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      writeByte((int) rest | 0x80);
      rest >>>= 7;
    }
    writeByte((int) rest);
  }

  /**
   * Writes any string exactly, lone surrogates too: one byte per character if all are Latin-1, else
   * two.
   */
  public void writeString(String value) {
    writeString(value, 0);
  }

  /**
   * Writes a string with a number added to its header, so that smaller ones can mean something
   * else; {@link ByteInput#readString(long, int)} reads what follows the header.
   */
  public void writeString(String value, int added) {
    int length = value.length();
    int header = size;
    // Optimistically written as Latin-1; a string with other characters is written again from its
    // start.
    writeVarLong(((long) length << 1) + added);
    int at = claim(length);
    byte[] bytes = buffer;
    int all = 0;
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      all |= c;
      bytes[at + i] = (byte) c;
    }
    if (all > 0xff) {
      size = header;
      writeWide(value, added);
    }
  }

  private void writeWide(String value, int added) {
    int length = value.length();
    writeVarLong(((long) length << 1 | 1) + added);
    int at = claim(Math.multiplyExact(length, 2));
    for (int i = 0; i < length; i++) {
      SHORT.set(buffer, at + 2 * i, (short) value.charAt(i));
    }
  }

  /** Writes the length and the bytes. */
  public void writeBytes(byte[] bytes) {
    writeVarInt(bytes.length);
    write(bytes, 0, bytes.length);
  }

  /** Writes bytes without their length. */
  public void write(byte[] bytes, int offset, int length) {
    int at = claim(length);
    System.arraycopy(bytes, offset, buffer, at, length);
  }

  /**
   * Writes the elements of a primitive array, other than {@code boolean[]}, without their number.
   *
   * @param array a {@code byte[]}, {@code int[]}, {@code double[]} ...
   * @param length the number of elements
   * @param layout the layout of one element, unaligned, in the byte order wanted
   */
  public void writeArray(Object array, int length, ValueLayout layout) {
    long bytes = length * layout.byteSize();
    int at = claim(bytes);
    MemorySegment.copy(array, 0, MemorySegment.ofArray(buffer), layout, at, length);
  }

  /** Writes the elements of an array without their number, in the byte order of this machine. */
  public void writeDoubles(double[] array) {
    int at = claim(8L * array.length);
    byte[] bytes = buffer;
    if (array.length > SMALL) {
      MemorySegment.copy(
          array,
          0,
          MemorySegment.ofArray(bytes),
          ValueLayout.JAVA_DOUBLE_UNALIGNED,
          at,
          array.length);
      return;
    }
    // A segment copy has a fixed cost, which exceeds that of a loop for small arrays.
    for (int i = 0; i < array.length; i++) {
      NATIVE_LONG.set(bytes, at + 8 * i, Double.doubleToRawLongBits(array[i]));
    }
  }

  /** Writes the elements of an array without their number, in the byte order of this machine. */
  public void writeInts(int[] array) {
    int at = claim(4L * array.length);
    byte[] bytes = buffer;
    if (array.length > SMALL) {
      MemorySegment.copy(
          array, 0, MemorySegment.ofArray(bytes), ValueLayout.JAVA_INT_UNALIGNED, at, array.length);
      return;
    }
    for (int i = 0; i < array.length; i++) {
      NATIVE_INT.set(bytes, at + 4 * i, array[i]);
    }
  }

  /** Copies part of the bytes written. */
  public void copyTo(byte[] into, int from, int to, int length) {
    System.arraycopy(buffer, from, into, to, length);
  }

  /**
   * Reserves space for bytes that the {@code put} methods then write by index.
   *
   * @return the index of the first
   */
  public int reserve(int bytes) {
    return claim(bytes);
  }

  /** Puts one byte into reserved space. */
  public void putByte(int at, int value) {
    buffer[at] = (byte) value;
  }

  /** Puts two bytes into reserved space. */
  public void putShort(int at, int value) {
    SHORT.set(buffer, at, (short) value);
  }

  /** Puts four bytes into reserved space. */
  public void putInt(int at, int value) {
    INT.set(buffer, at, value);
  }

  /** Puts eight bytes into reserved space. */
  public void putLong(int at, long value) {
    LONG.set(buffer, at, value);
  }

  /** Returns the number of bytes written. */
  public int size() {
    return size;
  }

  /** Returns a copy of the bytes written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** Copies the bytes written to the beginning of an array. */
  public void copyTo(byte[] target) {
    System.arraycopy(buffer, 0, target, 0, size);
  }

  /** Returns a view of the bytes written, which is valid until the next write. */
  public ByteBuffer view() {
    return ByteBuffer.wrap(buffer, 0, size).asReadOnlyBuffer();
  }

  /** Clears the output, but keeps its buffer. */
  public void clear() {
    size = 0;
  }

  /** Truncates the output to its first bytes. */
  public void truncate(int length) {
    size = length;
  }

  private int claim(long bytes) {
    int at = size;
    if (bytes > buffer.length - at) {
      grow(bytes);
    }
    size = at + (int) bytes;
    return at;
  }

  private void grow(long bytes) {
    long needed = size + bytes;
    if (needed > limit) {
      throw new SerializationException(
          "the encoded form needs more than %d bytes, which is the limit; send it in parts, or raise the limit"
              .formatted(limit));
    }
    long doubled = Math.max(needed, Math.min(2L * buffer.length, limit));
    buffer = Arrays.copyOf(buffer, (int) Math.min(doubled, LARGEST));
  }
}
