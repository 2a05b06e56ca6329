package ibis.io;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;

/** Turns primitives, and arrays of them, into bytes and back. May be shared between threads. */
public abstract class Conversion {

  public static final int BITS_PER_BYTE = Byte.SIZE;
  public static final int BITS_PER_SHORT = Short.SIZE;
  public static final int BITS_PER_CHAR = Character.SIZE;
  public static final int BITS_PER_INT = Integer.SIZE;
  public static final int BITS_PER_LONG = Long.SIZE;
  public static final int BITS_PER_FLOAT = Float.SIZE;
  public static final int BITS_PER_DOUBLE = Double.SIZE;

  public static final int BOOLEAN_SIZE = 1;
  public static final int BYTE_SIZE = Byte.BYTES;
  public static final int SHORT_SIZE = Short.BYTES;
  public static final int CHAR_SIZE = Character.BYTES;
  public static final int INT_SIZE = Integer.BYTES;
  public static final int LONG_SIZE = Long.BYTES;
  public static final int FLOAT_SIZE = Float.BYTES;
  public static final int DOUBLE_SIZE = Double.BYTES;

  private static final Conversion BIG = new OrderedConversion(ByteOrder.BIG_ENDIAN);
  private static final Conversion LITTLE = new OrderedConversion(ByteOrder.LITTLE_ENDIAN);

  /** That of this machine's byte order. */
  public static final Conversion defaultConversion =
      loadConversion(ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN);

  /** Called by subclasses. */
  protected Conversion() {}

  /** Returns the conversion of a byte order. */
  public static final Conversion loadConversion(boolean bigEndian) {
    return bigEndian ? BIG : LITTLE;
  }

  /**
   * Creates a conversion of the program's own.
   *
   * @param className a class that extends this one, with a public constructor without arguments
   * @throws ReflectiveOperationException if there is none
   */
  public static final Conversion loadConversion(String className) throws Exception {
    return Class.forName(className, true, Thread.currentThread().getContextClassLoader())
        .asSubclass(Conversion.class)
        .getConstructor()
        .newInstance();
  }

  /** Returns whether the most significant byte comes first. */
  public abstract boolean bigEndian();

  public abstract byte boolean2byte(boolean value);

  public abstract boolean byte2boolean(byte value);

  public abstract void char2byte(char value, byte[] to, int offset);

  public abstract char byte2char(byte[] from, int offset);

  public abstract void short2byte(short value, byte[] to, int offset);

  public abstract short byte2short(byte[] from, int offset);

  public abstract void int2byte(int value, byte[] to, int offset);

  public abstract int byte2int(byte[] from, int offset);

  public abstract void long2byte(long value, byte[] to, int offset);

  public abstract long byte2long(byte[] from, int offset);

  public abstract void float2byte(float value, byte[] to, int offset);

  public abstract float byte2float(byte[] from, int offset);

  public abstract void double2byte(double value, byte[] to, int offset);

  public abstract double byte2double(byte[] from, int offset);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void boolean2byte(
      boolean[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2boolean(
      byte[] from, int fromOffset, boolean[] to, int toOffset, int length);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void char2byte(char[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2char(byte[] from, int fromOffset, char[] to, int toOffset, int length);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void short2byte(
      short[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2short(
      byte[] from, int fromOffset, short[] to, int toOffset, int length);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void int2byte(int[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2int(byte[] from, int fromOffset, int[] to, int toOffset, int length);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void long2byte(long[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2long(byte[] from, int fromOffset, long[] to, int toOffset, int length);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void float2byte(
      float[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2float(
      byte[] from, int fromOffset, float[] to, int toOffset, int length);

  /** Converts {@code length} elements; the bytes begin at the last offset. */
  public abstract void double2byte(
      double[] from, int fromOffset, int length, byte[] to, int toOffset);

  /** Converts to {@code length} elements; the bytes begin at the first offset. */
  public abstract void byte2double(
      byte[] from, int fromOffset, double[] to, int toOffset, int length);

  /** Returns an object in the form of Java serialization. */
  public static final byte[] object2byte(Object object) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new SunSerializationOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the argument of {@link #object2byte}: an object of a class of the program or its
   * libraries, or of the platform's for values.
   */
  public static final Object byte2object(byte[] bytes) throws IOException, ClassNotFoundException {
    try (var in = new SunSerializationInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  /** Returns the first multiple of the alignment, a power of two, that is not below the number. */
  public static int align(int number, int alignment) {
    return (number + alignment - 1) & -alignment;
  }
}
