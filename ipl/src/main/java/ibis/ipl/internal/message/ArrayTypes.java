package ibis.ipl.internal.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The primitive element types of arrays and their codes in messages. */
public enum ArrayTypes {
  BOOLEAN(boolean.class, ValueLayout.JAVA_BYTE),
  BYTE(byte.class, ValueLayout.JAVA_BYTE),
  CHAR(char.class, ValueLayout.JAVA_CHAR_UNALIGNED),
  SHORT(short.class, ValueLayout.JAVA_SHORT_UNALIGNED),
  INT(int.class, ValueLayout.JAVA_INT_UNALIGNED),
  LONG(long.class, ValueLayout.JAVA_LONG_UNALIGNED),
  FLOAT(float.class, ValueLayout.JAVA_FLOAT_UNALIGNED),
  DOUBLE(double.class, ValueLayout.JAVA_DOUBLE_UNALIGNED);

  private static final ArrayTypes[] ALL = values();

  final int size;
  private final Class<?> type;
  private final ValueLayout layout;

  ArrayTypes(Class<?> type, ValueLayout layout) {
    this.type = type;
    this.layout = layout.withOrder(ByteOrder.LITTLE_ENDIAN);
    this.size = (int) layout.byteSize();
  }

  /** Returns the type of a code, or {@code null}. */
  public static @Nullable ArrayTypes numbered(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  /** Returns the element type of a primitive array; {@code null} for other arrays. */
  public static @Nullable ArrayTypes of(Object array) {
    return switch (array) {
      case boolean[] _ -> BOOLEAN;
      case byte[] _ -> BYTE;
      case char[] _ -> CHAR;
      case short[] _ -> SHORT;
      case int[] _ -> INT;
      case long[] _ -> LONG;
      case float[] _ -> FLOAT;
      case double[] _ -> DOUBLE;
      case null, default -> null;
    };
  }

  Object newArray(int length) {
    return Array.newInstance(type, length);
  }

  /** Returns type and length in Java's notation, such as {@code int[3]}. */
  public String name(int length) {
    return type.getName() + "[" + length + "]";
  }

  public void check(Object array, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, Array.getLength(array));
  }

  /**
   * Returns part of an array as a segment in native byte order; {@code null} for {@code boolean[]},
   * which has no segment.
   */
  @Nullable MemorySegment memory(Object array, int offset, int length) {
    MemorySegment all =
        switch (array) {
          case byte[] a -> MemorySegment.ofArray(a);
          case char[] a -> MemorySegment.ofArray(a);
          case short[] a -> MemorySegment.ofArray(a);
          case int[] a -> MemorySegment.ofArray(a);
          case long[] a -> MemorySegment.ofArray(a);
          case float[] a -> MemorySegment.ofArray(a);
          case double[] a -> MemorySegment.ofArray(a);
          default -> null;
        };
    return all == null ? null : all.asSlice((long) offset * size, (long) length * size);
  }

  /** Copies elements to bytes, little-endian. */
  void write(Object array, int offset, int length, byte[] into, int at) {
    switch (array) {
      case byte[] a -> System.arraycopy(a, offset, into, at, length);
      case boolean[] a -> {
        for (int i = 0; i < length; i++) {
          into[at + i] = (byte) (a[offset + i] ? 1 : 0);
        }
      }
      default -> MemorySegment.copy(array, offset, MemorySegment.ofArray(into), layout, at, length);
    }
  }

  /** Copies elements from bytes, little-endian. */
  void read(byte[] from, int at, Object array, int offset, int length) {
    switch (array) {
      case byte[] a -> System.arraycopy(from, at, a, offset, length);
      case boolean[] a -> {
        for (int i = 0; i < length; i++) {
          a[offset + i] = from[at + i] != 0;
        }
      }
      default -> MemorySegment.copy(MemorySegment.ofArray(from), layout, at, array, offset, length);
    }
  }
}
