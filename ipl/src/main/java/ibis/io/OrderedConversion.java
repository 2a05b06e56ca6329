package ibis.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The conversion of one byte order. */
final class OrderedConversion extends Conversion {

  private final ByteOrder order;
  private final VarHandle chars;
  private final VarHandle shorts;
  private final VarHandle ints;
  private final VarHandle longs;
  private final VarHandle floats;
  private final VarHandle doubles;

  OrderedConversion(ByteOrder order) {
    this.order = order;
    chars = MethodHandles.byteArrayViewVarHandle(char[].class, order);
    shorts = MethodHandles.byteArrayViewVarHandle(short[].class, order);
    ints = MethodHandles.byteArrayViewVarHandle(int[].class, order);
    longs = MethodHandles.byteArrayViewVarHandle(long[].class, order);
    floats = MethodHandles.byteArrayViewVarHandle(float[].class, order);
    doubles = MethodHandles.byteArrayViewVarHandle(double[].class, order);
  }

  @Override
  public boolean bigEndian() {
    return order == ByteOrder.BIG_ENDIAN;
  }

  @Override
  public byte boolean2byte(boolean value) {
    return (byte) (value ? 1 : 0);
  }

  @Override
  public boolean byte2boolean(byte value) {
    return value != 0;
  }

  @Override
  public void boolean2byte(boolean[] from, int fromOffset, int length, byte[] to, int toOffset) {
    for (int i = 0; i < length; i++) {
      to[toOffset + i] = boolean2byte(from[fromOffset + i]);
    }
  }

  @Override
  public void byte2boolean(byte[] from, int fromOffset, boolean[] to, int toOffset, int length) {
    for (int i = 0; i < length; i++) {
      to[toOffset + i] = byte2boolean(from[fromOffset + i]);
    }
  }

  @Override
  public void char2byte(char value, byte[] to, int offset) {
    chars.set(to, offset, value);
  }

  @Override
  public char byte2char(byte[] from, int offset) {
    return (char) chars.get(from, offset);
  }

  @Override
  public void char2byte(char[] from, int fromOffset, int length, byte[] to, int toOffset) {
    bytes(to, toOffset, length * Character.BYTES).asCharBuffer().put(from, fromOffset, length);
  }

  @Override
  public void byte2char(byte[] from, int fromOffset, char[] to, int toOffset, int length) {
    bytes(from, fromOffset, length * Character.BYTES).asCharBuffer().get(to, toOffset, length);
  }

  @Override
  public void short2byte(short value, byte[] to, int offset) {
    shorts.set(to, offset, value);
  }

  @Override
  public short byte2short(byte[] from, int offset) {
    return (short) shorts.get(from, offset);
  }

  @Override
  public void short2byte(short[] from, int fromOffset, int length, byte[] to, int toOffset) {
    bytes(to, toOffset, length * Short.BYTES).asShortBuffer().put(from, fromOffset, length);
  }

  @Override
  public void byte2short(byte[] from, int fromOffset, short[] to, int toOffset, int length) {
    bytes(from, fromOffset, length * Short.BYTES).asShortBuffer().get(to, toOffset, length);
  }

  @Override
  public void int2byte(int value, byte[] to, int offset) {
    ints.set(to, offset, value);
  }

  @Override
  public int byte2int(byte[] from, int offset) {
    return (int) ints.get(from, offset);
  }

  @Override
  public void int2byte(int[] from, int fromOffset, int length, byte[] to, int toOffset) {
    bytes(to, toOffset, length * Integer.BYTES).asIntBuffer().put(from, fromOffset, length);
  }

  @Override
  public void byte2int(byte[] from, int fromOffset, int[] to, int toOffset, int length) {
    bytes(from, fromOffset, length * Integer.BYTES).asIntBuffer().get(to, toOffset, length);
  }

  @Override
  public void long2byte(long value, byte[] to, int offset) {
    longs.set(to, offset, value);
  }

  @Override
  public long byte2long(byte[] from, int offset) {
    return (long) longs.get(from, offset);
  }

  @Override
  public void long2byte(long[] from, int fromOffset, int length, byte[] to, int toOffset) {
    bytes(to, toOffset, length * Long.BYTES).asLongBuffer().put(from, fromOffset, length);
  }

  @Override
  public void byte2long(byte[] from, int fromOffset, long[] to, int toOffset, int length) {
    bytes(from, fromOffset, length * Long.BYTES).asLongBuffer().get(to, toOffset, length);
  }

  @Override
  public void float2byte(float value, byte[] to, int offset) {
    floats.set(to, offset, value);
  }

  @Override
  public float byte2float(byte[] from, int offset) {
    return (float) floats.get(from, offset);
  }

  @Override
  public void float2byte(float[] from, int fromOffset, int length, byte[] to, int toOffset) {
    bytes(to, toOffset, length * Float.BYTES).asFloatBuffer().put(from, fromOffset, length);
  }

  @Override
  public void byte2float(byte[] from, int fromOffset, float[] to, int toOffset, int length) {
    bytes(from, fromOffset, length * Float.BYTES).asFloatBuffer().get(to, toOffset, length);
  }

  @Override
  public void double2byte(double value, byte[] to, int offset) {
    doubles.set(to, offset, value);
  }

  @Override
  public double byte2double(byte[] from, int offset) {
    return (double) doubles.get(from, offset);
  }

  @Override
  public void double2byte(double[] from, int fromOffset, int length, byte[] to, int toOffset) {
    bytes(to, toOffset, length * Double.BYTES).asDoubleBuffer().put(from, fromOffset, length);
  }

  @Override
  public void byte2double(byte[] from, int fromOffset, double[] to, int toOffset, int length) {
    bytes(from, fromOffset, length * Double.BYTES).asDoubleBuffer().get(to, toOffset, length);
  }

  private ByteBuffer bytes(byte[] array, int offset, int length) {
    return ByteBuffer.wrap(array, offset, length).slice().order(order);
  }
}
