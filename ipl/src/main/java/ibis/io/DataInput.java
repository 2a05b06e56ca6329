package ibis.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/**
 * Gives primitives, and arrays of them or slices of such arrays, in the order they were written.
 */
public interface DataInput {

  boolean readBoolean() throws IOException;

  byte readByte() throws IOException;

  char readChar() throws IOException;

  short readShort() throws IOException;

  int readInt() throws IOException;

  long readLong() throws IOException;

  float readFloat() throws IOException;

  double readDouble() throws IOException;

  /** Returns the next byte as a number from 0 to 255. */
  default int readUnsignedByte() throws IOException {
    return Byte.toUnsignedInt(readByte());
  }

  /** Returns the next short as a number from 0 to 65535. */
  default int readUnsignedShort() throws IOException {
    return Short.toUnsignedInt(readShort());
  }

  /** Reads an array into a slice of the same length. */
  void readArray(boolean[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(boolean[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(byte[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(byte[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(char[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(char[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(short[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(short[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(int[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(int[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(long[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(long[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(float[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(float[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Reads an array into a slice of the same length. */
  void readArray(double[] destination, int offset, int length) throws IOException;

  /** Reads an array of the same length. */
  default void readArray(double[] destination) throws IOException {
    readArray(destination, 0, destination.length);
  }

  /** Fills the buffer from its position to its limit, which becomes its position. */
  default void readByteBuffer(ByteBuffer destination) throws IOException {
    if (destination.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    byte[] bytes = new byte[destination.remaining()];
    readArray(bytes, 0, bytes.length);
    destination.put(bytes);
  }
}
