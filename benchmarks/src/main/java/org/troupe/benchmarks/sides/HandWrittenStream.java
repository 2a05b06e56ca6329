package org.troupe.benchmarks.sides;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers, strings and references of a hand-written encoding, in a buffer and tables that are used
 * again.
 */
class HandWrittenStream {

  /*
   * Format. A byte before each object that could be shared marks it as null, new, or known; a known
   * object is given by its number. Strings are values without such a byte and are never null.
   */

  static final int ABSENT = 0;
  static final int NEW = 1;
  static final int BACK = 2;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final ObjectNumbers objectNumbers = new ObjectNumbers();
  private byte[] out = new byte[4096];
  private byte[] in = {};
  private int at;
  private Object[] known = new Object[64];
  private int knownCount;

  /** The numbers of objects, by identity. */
  private static final class ObjectNumbers {

    private Object[] keys = new Object[64];
    private int[] numbers = new int[64];
    private int size;

    /** Returns the number of a known object; numbers a new one and returns -1. */
    int find(Object object) {
      if (2 * size >= keys.length) {
        grow();
      }
      var i = slot(object);
      if (keys[i] == object) {
        return numbers[i];
      }
      keys[i] = object;
      numbers[i] = size++;
      return -1;
    }

    private int slot(Object object) {
      var mask = keys.length - 1;
      var hash = System.identityHashCode(object) * 0x9E3779B9;
      var i = (hash ^ hash >>> 16) & mask;
      while (keys[i] != null && keys[i] != object) {
        i = i + 1 & mask;
      }
      return i;
    }

    private void grow() {
      var oldKeys = keys;
      var oldNumbers = numbers;
      keys = new Object[2 * oldKeys.length];
      numbers = new int[keys.length];
      for (var i = 0; i < oldKeys.length; i++) {
        if (oldKeys[i] != null) {
          var to = slot(oldKeys[i]);
          keys[to] = oldKeys[i];
          numbers[to] = oldNumbers[i];
        }
      }
    }

    void clear() {
      if (size > 0) {
        Arrays.fill(keys, null);
        size = 0;
      }
    }
  }

  final void beginWriting() {
    at = 0;
  }

  final byte[] endWriting() {
    objectNumbers.clear();
    return Arrays.copyOf(out, at);
  }

  final void beginReading(byte[] bytes) {
    in = bytes;
    at = 0;
  }

  final void endReading() {
    Arrays.fill(known, 0, knownCount, null);
    knownCount = 0;
  }

  /** Writes the mark of an object; returns whether its content must follow. */
  final boolean begin(@Nullable Object object) {
    if (object == null) {
      writeByte(ABSENT);
      return false;
    }
    var number = objectNumbers.find(object);
    if (number < 0) {
      writeByte(NEW);
      return true;
    }
    writeByte(BACK);
    writeNumber(number);
    return false;
  }

  final <T> T register(T object) {
    if (knownCount == known.length) {
      known = Arrays.copyOf(known, 2 * known.length);
    }
    known[knownCount++] = object;
    return object;
  }

  /** Keeps the number of an object that exists only after its content has been read. */
  final int reserve() {
    if (knownCount == known.length) {
      known = Arrays.copyOf(known, 2 * known.length);
    }
    return knownCount++;
  }

  final <T> T fill(int number, T object) {
    known[number] = object;
    return object;
  }

  final Object readKnown() {
    return known[readNumber()];
  }

  private void ensureCapacity(int bytes) {
    if (bytes > out.length - at) {
      out = Arrays.copyOf(out, Math.max(at + bytes, 2 * out.length));
    }
  }

  final void writeByte(int value) {
    ensureCapacity(1);
    out[at++] = (byte) value;
  }

  final int readByte() {
    return in[at++];
  }

  /**
   * Writes a number in a variable-length encoding, in which small numbers of either sign are short.
   */
  final void writeNumber(int value) {
    ensureCapacity(5);
    var rest = value << 1 ^ value >> 31;
    while ((rest & ~0x7f) != 0) {
      out[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[at++] = (byte) rest;
  }

  final int readNumber() {
    int next = in[at++];
    var value = next & 0x7f;
    for (var shift = 7; next < 0; shift += 7) {
      next = in[at++];
      value |= (next & 0x7f) << shift;
    }
    return value >>> 1 ^ -(value & 1);
  }

  /** Writes a number as {@link #writeNumber} does. */
  final void writeLong(long value) {
    ensureCapacity(10);
    var rest = value << 1 ^ value >> 63;
    while ((rest & ~0x7fL) != 0) {
      out[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[at++] = (byte) rest;
  }

  final long readLong() {
    var next = in[at++];
    var value = next & 0x7fL;
    for (var shift = 7; next < 0; shift += 7) {
      next = in[at++];
      value |= (next & 0x7fL) << shift;
    }
    return value >>> 1 ^ -(value & 1);
  }

  final void writeDoubles(double[] values) {
    ensureCapacity(8 * values.length);
    for (var i = 0; i < values.length; i++) {
      DOUBLE.set(out, at + 8 * i, values[i]);
    }
    at += 8 * values.length;
  }

  final void readDoubles(double[] values) {
    for (var i = 0; i < values.length; i++) {
      values[i] = (double) DOUBLE.get(in, at + 8 * i);
    }
    at += 8 * values.length;
  }

  final void writeIntegers(int[] values) {
    ensureCapacity(4 * values.length);
    for (var i = 0; i < values.length; i++) {
      INT.set(out, at + 4 * i, values[i]);
    }
    at += 4 * values.length;
  }

  final void readIntegers(int[] values) {
    for (var i = 0; i < values.length; i++) {
      values[i] = (int) INT.get(in, at + 4 * i);
    }
    at += 4 * values.length;
  }

  final void writeBytes(byte[] values) {
    ensureCapacity(values.length);
    System.arraycopy(values, 0, out, at, values.length);
    at += values.length;
  }

  final byte[] readBytes(int length) {
    var values = Arrays.copyOfRange(in, at, at + length);
    at += length;
    return values;
  }

  final void writeDouble(double value) {
    ensureCapacity(8);
    DOUBLE.set(out, at, value);
    at += 8;
  }

  final double readDouble() {
    var value = (double) DOUBLE.get(in, at);
    at += 8;
    return value;
  }

  final void writeString(String value) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    writeNumber(bytes.length);
    ensureCapacity(bytes.length);
    System.arraycopy(bytes, 0, out, at, bytes.length);
    at += bytes.length;
  }

  final String readString() {
    var length = readNumber();
    var value = new String(in, at, length, StandardCharsets.UTF_8);
    at += length;
    return value;
  }
}
