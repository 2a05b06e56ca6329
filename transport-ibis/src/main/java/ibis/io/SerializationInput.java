package ibis.io;

import java.io.Closeable;
import java.io.IOException;

/**
 * Gives what a {@link SerializationOutput} was given, in the same order and kinds. Not to be shared
 * between threads.
 */
public interface SerializationInput extends Closeable {

  boolean readBoolean() throws IOException;

  byte readByte() throws IOException;

  char readChar() throws IOException;

  short readShort() throws IOException;

  int readInt() throws IOException;

  long readLong() throws IOException;

  float readFloat() throws IOException;

  double readDouble() throws IOException;

  String readString() throws IOException;

  Object readObject() throws IOException, ClassNotFoundException;

  /** Reads an array of this very length. */
  void readArray(boolean[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(boolean[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(byte[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(byte[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(char[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(char[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(short[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(short[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(int[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(int[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(long[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(long[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(float[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(float[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(double[] destination) throws IOException;

  /** Reads an array into a slice of this very length. */
  void readArray(double[] destination, int offset, int length) throws IOException;

  /** Reads an array of this very length. */
  void readArray(Object[] destination) throws IOException, ClassNotFoundException;

  /** Reads an array into a slice of this very length. */
  void readArray(Object[] destination, int offset, int length)
      throws IOException, ClassNotFoundException;
}
