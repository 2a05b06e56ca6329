package ibis.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes primitives, and arrays of them or slices of such arrays. */
public interface DataOutput {

  void writeBoolean(boolean value) throws IOException;

  void writeByte(byte value) throws IOException;

  void writeChar(char value) throws IOException;

  void writeShort(short value) throws IOException;

  void writeInt(int value) throws IOException;

  void writeLong(long value) throws IOException;

  void writeFloat(float value) throws IOException;

  void writeDouble(double value) throws IOException;

  void writeArray(boolean[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(boolean[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(byte[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(byte[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(char[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(char[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(short[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(short[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(int[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(int[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(long[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(long[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(float[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(float[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  void writeArray(double[] value, int offset, int length) throws IOException;

  /** Writes all elements. */
  default void writeArray(double[] value) throws IOException {
    writeArray(value, 0, value.length);
  }

  /** Writes the bytes from the buffer's position to its limit, which becomes its position. */
  default void writeByteBuffer(ByteBuffer value) throws IOException {
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    writeArray(bytes, 0, bytes.length);
  }
}
