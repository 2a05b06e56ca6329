package org.troupe.transport.ibis;

import ibis.ipl.ReadMessage;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a frame's arrays to an IPL message and reads them; the implementation converts the byte
 * order.
 */
final class PortsArrays {

  private PortsArrays() {}

  /** The elements per write and read; bounds the memory that is allocated before data arrives. */
  private static final int PIECE = 1 << 18;

  /** The ratio of the next allocation to the elements that have arrived. */
  private static final int GROWTH = 4;

  static void write(WriteMessage message, List<Object> arrays) throws IOException {
    message.writeInt(arrays.size());
    for (Object array : arrays) {
      message.writeByte((byte) ArrayKind.of(array).ordinal());
      int length = Array.getLength(array);
      message.writeInt(length);
      write(message, array, length);
    }
  }

  /** Writes the elements of an array, in pieces. */
  static void write(WriteMessage message, Object array, int length) throws IOException {
    for (int at = 0; at < length; at += PIECE) {
      int count = Math.min(PIECE, length - at);
      switch (array) {
        case byte[] bytes -> message.writeArray(bytes, at, count);
        case short[] shorts -> message.writeArray(shorts, at, count);
        case char[] chars -> message.writeArray(chars, at, count);
        case int[] ints -> message.writeArray(ints, at, count);
        case float[] floats -> message.writeArray(floats, at, count);
        case long[] longs -> message.writeArray(longs, at, count);
        case double[] doubles -> message.writeArray(doubles, at, count);
        default -> throw new IllegalArgumentException(array.getClass() + " in a frame");
      }
    }
  }

  /**
   * Reads arrays in the format of {@link #write(WriteMessage, List)}.
   *
   * @param size the bytes of the frame without arrays
   */
  static List<Object> read(ReadMessage message, long size) throws IOException {
    int count = message.readInt();
    if (count == 0) {
      return List.of();
    }
    FrameInput.checkCount(count);
    var arrays = new ArrayList<Object>();
    long all = size;
    for (int i = 0; i < count; i++) {
      ArrayKind kind = ArrayKind.ofOrdinal(message.readByte());
      int length = message.readInt();
      all = FrameInput.checkedSize(all, kind, length);
      arrays.add(read(message, kind, length));
    }
    return List.copyOf(arrays);
  }

  /** Reads an array in the format of {@link #write(WriteMessage, Object, int)}. */
  static Object read(ReadMessage message, ArrayKind kind, int length) throws IOException {
    Object array = kind.newArray(Math.min(length, PIECE));
    for (int came = 0; came < length; ) {
      int piece = Math.min(PIECE, length - came);
      if (came + piece > Array.getLength(array)) {
        Object larger = kind.newArray((int) Math.min(length, (long) GROWTH * came));
        System.arraycopy(array, 0, larger, 0, came);
        array = larger;
      }
      switch (array) {
        case byte[] bytes -> message.readArray(bytes, came, piece);
        case short[] shorts -> message.readArray(shorts, came, piece);
        case char[] chars -> message.readArray(chars, came, piece);
        case int[] ints -> message.readArray(ints, came, piece);
        case float[] floats -> message.readArray(floats, came, piece);
        case long[] longs -> message.readArray(longs, came, piece);
        case double[] doubles -> message.readArray(doubles, came, piece);
        default -> throw new AssertionError(kind);
      }
      came += piece;
    }
    return array;
  }
}
