package org.troupe.transport.ibis;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.troupe.activeobjects.transport.Frame;

/** The types of arrays that follow a frame's body in the sender's memory layout. */
enum ArrayKind {
  BYTE(byte.class, Byte.BYTES),
  SHORT(short.class, Short.BYTES),
  CHAR(char.class, Character.BYTES),
  INT(int.class, Integer.BYTES),
  FLOAT(float.class, Float.BYTES),
  LONG(long.class, Long.BYTES),
  DOUBLE(double.class, Double.BYTES);

  /** Flag in the code of a kind: the elements are big-endian. */
  private static final int BIG_ENDIAN = 0x80;

  private static final ArrayKind[] ALL = values();

  private static final int NATIVE_ORDER =
      ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? BIG_ENDIAN : 0;

  final Class<?> element;
  final int elementBytes;

  ArrayKind(Class<?> element, int elementBytes) {
    this.element = element;
    this.elementBytes = elementBytes;
  }

  static ArrayKind of(Object array) {
    return switch (array) {
      case byte[] _ -> BYTE;
      case short[] _ -> SHORT;
      case char[] _ -> CHAR;
      case int[] _ -> INT;
      case float[] _ -> FLOAT;
      case long[] _ -> LONG;
      case double[] _ -> DOUBLE;
      default -> throw new IllegalArgumentException(array.getClass() + " in a frame");
    };
  }

  /** Returns the code of this kind in this machine's byte order. */
  byte code() {
    return (byte) (ordinal() | NATIVE_ORDER);
  }

  static ArrayKind ofCode(byte code) throws BadFrameException {
    return ofOrdinal(code & ~BIG_ENDIAN & 0xff);
  }

  /** Returns the kind of a code that {@link #ofCode} has accepted before. */
  static ArrayKind ofKnownCode(byte code) {
    return ALL[code & ~BIG_ENDIAN & 0xff];
  }

  static ArrayKind ofOrdinal(int kind) throws BadFrameException {
    if (kind < 0 || kind >= ALL.length) {
      throw new BadFrameException("a frame holds an array of the unknown kind " + kind);
    }
    return ALL[kind];
  }

  /** Returns whether elements with this code have another byte order than this machine. */
  static boolean isSwapped(byte code) {
    return (code & BIG_ENDIAN) != NATIVE_ORDER;
  }

  Object newArray(int length) {
    return switch (this) {
      case BYTE -> new byte[length];
      case SHORT -> new short[length];
      case CHAR -> new char[length];
      case INT -> new int[length];
      case FLOAT -> new float[length];
      case LONG -> new long[length];
      case DOUBLE -> new double[length];
    };
  }

  static MemorySegment segment(Object array) {
    return switch (array) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case short[] shorts -> MemorySegment.ofArray(shorts);
      case char[] chars -> MemorySegment.ofArray(chars);
      case int[] ints -> MemorySegment.ofArray(ints);
      case float[] floats -> MemorySegment.ofArray(floats);
      case long[] longs -> MemorySegment.ofArray(longs);
      case double[] doubles -> MemorySegment.ofArray(doubles);
      default -> throw new IllegalArgumentException(array.getClass() + " in a frame");
    };
  }

  static MemorySegment segment(Frame.Slice slice) {
    long width = of(slice.array()).elementBytes;
    return segment(slice.array()).asSlice(width * slice.from(), width * slice.length());
  }

  /** Reverses the bytes of each element. */
  void swap(MemorySegment all) {
    int width = elementBytes;
    byte[] bytes = new byte[width];
    for (long at = 0; at < all.byteSize(); at += width) {
      for (int i = 0; i < width; i++) {
        bytes[width - 1 - i] = all.get(ValueLayout.JAVA_BYTE, at + i);
      }
      MemorySegment.copy(bytes, 0, all, ValueLayout.JAVA_BYTE, at, width);
    }
  }
}
