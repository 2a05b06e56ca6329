package org.troupe.mpj.data;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** Packs the elements of arrays into bytes, and back. */
public final class Packing {

  private Packing() {}

  /** Writes items behind a position; returns the position behind them. */
  public static int pack(MessageBuffer items, byte @Nullable [] into, int position) {
    var bytes = room(items, into, position);
    var row = items.packed();
    switch (items.element()) {
      case BYTE, PACKED -> bytes.put((byte[]) row);
      case BOOLEAN -> {
        for (var each : (boolean[]) row) {
          bytes.put((byte) (each ? 1 : 0));
        }
      }
      case CHAR -> bytes.asCharBuffer().put((char[]) row);
      case SHORT -> bytes.asShortBuffer().put((short[]) row);
      case INT -> bytes.asIntBuffer().put((int[]) row);
      case LONG -> bytes.asLongBuffer().put((long[]) row);
      case FLOAT -> bytes.asFloatBuffer().put((float[]) row);
      case DOUBLE -> bytes.asDoubleBuffer().put((double[]) row);
      case OBJECT -> throw new AssertionError("refused");
    }
    return position + items.elements() * items.element().bytes();
  }

  /** Reads items behind a position; returns the position behind them. */
  public static int unpack(byte @Nullable [] from, int position, MessageBuffer items) {
    var bytes = room(items, from, position);
    var row = items.element().newArray(items.elements());
    switch (items.element()) {
      case BYTE, PACKED -> bytes.get((byte[]) row);
      case BOOLEAN -> {
        var all = (boolean[]) row;
        for (var i = 0; i < all.length; i++) {
          all[i] = bytes.get() != 0;
        }
      }
      case CHAR -> bytes.asCharBuffer().get((char[]) row);
      case SHORT -> bytes.asShortBuffer().get((short[]) row);
      case INT -> bytes.asIntBuffer().get((int[]) row);
      case LONG -> bytes.asLongBuffer().get((long[]) row);
      case FLOAT -> bytes.asFloatBuffer().get((float[]) row);
      case DOUBLE -> bytes.asDoubleBuffer().get((double[]) row);
      case OBJECT -> throw new AssertionError("refused");
    }
    items.scatter(row, 0, items.elements());
    return position + items.elements() * items.element().bytes();
  }

  private static ByteBuffer room(MessageBuffer items, byte @Nullable [] bytes, int position) {
    if (items.element() == ElementType.OBJECT) {
      throw MessagingError.of(
          ErrorClass.TYPE, "objects cannot be packed; send them as OBJECT, whatever their number");
    }
    var needed = (long) items.elements() * items.element().bytes();
    if (bytes == null || position < 0 || position + needed > bytes.length) {
      throw MessagingError.of(
          ErrorClass.BUFFER,
          items.count()
              + " items of "
              + items.layout()
              + " at position "
              + position
              + " take "
              + needed
              + " bytes, but the packed buffer has "
              + (bytes == null ? "none, as it is null" : bytes.length)
              + "; Pack_size gives the length");
    }
    return ByteBuffer.wrap(bytes, position, (int) needed).slice();
  }
}
