package org.troupe.serialization;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Reads primitive values, strings and arrays that {@link ByteOutput} wrote.
 *
 * <p>Every read past the end, and every length that cannot be true, is a {@link
 * SerializationException} before anything is allocated. Not to be shared between threads.
 */
public final class ByteInput {

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final VarHandle NATIVE_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle NATIVE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final int SMALL = 32;

  private byte[] bytes;
  private int end;
  private int at;

  /** Creates an input over all of an array, which is not copied. */
  public ByteInput(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Creates an input over part of an array, which is not copied. */
  public ByteInput(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.at = offset;
    this.end = offset + length;
  }

  /** Replaces the input by part of another array, which is not copied; unread bytes are dropped. */
  public void refill(byte[] other, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, other.length);
    this.bytes = other;
    this.at = offset;
    this.end = offset + length;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads one byte, with its sign. */
  public byte readByte() {
    if (at == end) {
      throw truncated(1);
    }
    return bytes[at++];
  }

  /** Reads one byte; anything but 0 and 1 is refused. */
  public boolean readBoolean() {
    byte value = readByte();
    if ((value & ~1) != 0) {
      throw malformed("a boolean is '%d', not 0 or 1".formatted(value));
    }
    return value != 0;
  }

  /** Reads two bytes. */
  public short readShort() {
    return (short) SHORT.get(bytes, claim(2));
  }

  /** Reads two bytes. */
  public char readChar() {
    return (char) readShort();
  }

  /** Reads four bytes. */
  public int readInt() {
    return (int) INT.get(bytes, claim(4));
  }

  /** Reads eight bytes. */
  public long readLong() {
    return (long) LONG.get(bytes, claim(8));
  }

  /** Reads four bytes. */
  public float readFloat() {
    return Float.intBitsToFloat(readInt());
  }

  /** Reads eight bytes. */
  public double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  /** Reads an int of variable width, as {@link ByteOutput#writeVarInt} writes it. */
  public int readVarInt() {
    byte first = readByte();
    if (first >= 0) {
      return first;
    }
    int value = first & 0x7f;
    for (int shift = 7; shift < 35; shift += 7) {
      byte next = readByte();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a number of variable width has more than 5 bytes");
  }

  /** Reads a long of variable width, as {@link ByteOutput#writeVarLong} writes it. */
  public long readVarLong() {
    byte first = readByte();
    if (first >= 0) {
      return first;
    }
    long value = first & 0x7f;
    for (int shift = 7; shift < 70; shift += 7) {
      byte next = readByte();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw malformed("a number of variable width has more than 10 bytes");
  }

  /** Reads a string of any length. */
  public String readString() {
    return readString(Integer.MAX_VALUE);
  }

  /** Reads a string with a limit on its number of characters. */
  public String readString(int maxLength) {
    return readString(readVarLong(), maxLength);
  }

  /**
   * Reads a string whose header has been read, after any number added to the header was subtracted.
   */
  public String readString(long header, int maxLength) {
    long length = header >>> 1;
    boolean wide = (header & 1) != 0;
    if (length > maxLength) {
      throw malformed(
          "a string has %d characters, but the limit is %d".formatted(length, maxLength));
    }
    int from = claim(wide ? 2 * length : length);
    if (!wide) {
      return new String(bytes, from, (int) length, StandardCharsets.ISO_8859_1);
    }
    char[] chars = new char[(int) length];
    for (int i = 0; i < chars.length; i++) {
      chars[i] = (char) (short) SHORT.get(bytes, from + 2 * i);
    }
    return new String(chars);
  }

  /** Reads a length and that number of bytes. */
  public byte[] readBytes() {
    byte[] read = new byte[readLength(Integer.MAX_VALUE, 1)];
    read(read, 0, read.length);
    return read;
  }

  /** Reads bytes whose number is known. */
  public void read(byte[] into, int offset, int length) {
    int from = claim(length);
    System.arraycopy(bytes, from, into, offset, length);
  }

  /**
   * Reads a number of elements, and refuses one that the remaining bytes cannot hold.
   *
   * @param max the largest number allowed
   * @param elementBytes the fewest bytes that one element takes, at least 1
   */
  public int readLength(int max, int elementBytes) {
    int length = readVarInt();
    if (length < 0 || length > max) {
      throw malformed(
          "a length is %d, but the limit is %d".formatted(Integer.toUnsignedLong(length), max));
    }
    if ((long) length * elementBytes > remaining()) {
      throw truncated((long) length * elementBytes);
    }
    return length;
  }

  /**
   * Fills a primitive array, other than {@code boolean[]}.
   *
   * @param array a {@code byte[]}, {@code int[]}, {@code double[]} ...
   * @param length the number of elements
   * @param layout the layout of one element, unaligned, in the byte order they were written in
   */
  public void readArray(Object array, int length, ValueLayout layout) {
    int from = claim(length * layout.byteSize());
    MemorySegment.copy(MemorySegment.ofArray(bytes), layout, from, array, 0, length);
  }

  /** Fills an array whose elements were written in the byte order of this machine. */
  public void readDoubles(double[] array) {
    int from = claim(8L * array.length);
    if (array.length > SMALL) {
      MemorySegment.copy(
          MemorySegment.ofArray(bytes),
          ValueLayout.JAVA_DOUBLE_UNALIGNED,
          from,
          array,
          0,
          array.length);
      return;
    }
    // A segment copy has a fixed cost, which exceeds that of a loop for small arrays.
    byte[] all = bytes;
    for (int i = 0; i < array.length; i++) {
      array[i] = Double.longBitsToDouble((long) NATIVE_LONG.get(all, from + 8 * i));
    }
  }

  /** Fills an array whose elements were written in the byte order of this machine. */
  public void readInts(int[] array) {
    int from = claim(4L * array.length);
    if (array.length > SMALL) {
      MemorySegment.copy(
          MemorySegment.ofArray(bytes),
          ValueLayout.JAVA_INT_UNALIGNED,
          from,
          array,
          0,
          array.length);
      return;
    }
    byte[] all = bytes;
    for (int i = 0; i < array.length; i++) {
      array[i] = (int) NATIVE_INT.get(all, from + 4 * i);
    }
  }

  /**
   * Skips bytes that the {@code get} methods then read by index.
   *
   * @return the index of the first
   */
  public int take(int length) {
    return claim(length);
  }

  /** Gets one of the skipped bytes. */
  public byte getByte(int index) {
    return bytes[index];
  }

  /** Gets two of the skipped bytes. */
  public short getShort(int index) {
    return (short) SHORT.get(bytes, index);
  }

  /** Gets four of the skipped bytes. */
  public int getInt(int index) {
    return (int) INT.get(bytes, index);
  }

  /** Gets eight of the skipped bytes. */
  public long getLong(int index) {
    return (long) LONG.get(bytes, index);
  }

  /** Skips bytes. */
  public void skip(int length) {
    claim(length);
  }

  /** Returns the index in the array of the next byte. */
  public int position() {
    return at;
  }

  /** Returns the number of bytes not yet read. */
  public int remaining() {
    return end - at;
  }

  /** Returns the next bytes as an input of their own, and skips them. */
  public ByteInput part(int length) {
    return new ByteInput(bytes, claim(length), length);
  }

  private int claim(long length) {
    if (length < 0 || length > end - at) {
      throw truncated(length);
    }
    int from = at;
    at = from + (int) length;
    return from;
  }

  private SerializationException truncated(long needed) {
    return malformed(
        "%d bytes are needed at offset %d, but only %d are left"
            .formatted(needed, at, remaining()));
  }

  private static SerializationException malformed(String what) {
    return new SerializationException(
        what + "; the bytes are truncated, damaged or not from a peer of this version");
  }
}
