package org.troupe.transport.ibis;

import ibis.ipl.ReadMessage;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/** The arrays of a frame in a message, whose implementation knows how to carry them. */
final class PortsArrays {

  private PortsArrays() {}

  static void write(WriteMessage message, List<Object> arrays) throws IOException {
    message.writeInt(arrays.size());
    for (Object array : arrays) {
      message.writeByte((byte) ArrayKind.of(array).ordinal());
      message.writeInt(Array.getLength(array));
      switch (array) {
        case byte[] bytes -> message.writeArray(bytes);
        case short[] shorts -> message.writeArray(shorts);
        case char[] chars -> message.writeArray(chars);
        case int[] ints -> message.writeArray(ints);
        case float[] floats -> message.writeArray(floats);
        case long[] longs -> message.writeArray(longs);
        case double[] doubles -> message.writeArray(doubles);
        default -> throw new IllegalArgumentException(array.getClass() + " in a frame");
      }
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @param size how many bytes the frame has without arrays
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
      Object array = kind.newArray(length);
      switch (array) {
        case byte[] bytes -> message.readArray(bytes);
        case short[] shorts -> message.readArray(shorts);
        case char[] chars -> message.readArray(chars);
        case int[] ints -> message.readArray(ints);
        case float[] floats -> message.readArray(floats);
        case long[] longs -> message.readArray(longs);
        case double[] doubles -> message.readArray(doubles);
        default -> throw new AssertionError(kind);
      }
      arrays.add(array);
    }
    return List.copyOf(arrays);
  }
}
