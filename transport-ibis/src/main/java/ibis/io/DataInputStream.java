package ibis.io;

import java.io.IOException;
import java.io.InputStream;

/**
 * Gives primitives and slices of their arrays; what serialization streams read from. Not to be
 * shared between threads. The end, where more was asked for, is a {@link java.io.EOFException}.
 */
public abstract class DataInputStream extends InputStream {

  /** For subclasses. */
  protected DataInputStream() {}

  public abstract boolean readBoolean() throws IOException;

  public abstract byte readByte() throws IOException;

  public abstract char readChar() throws IOException;

  public abstract short readShort() throws IOException;

  public abstract int readInt() throws IOException;

  public abstract long readLong() throws IOException;

  public abstract float readFloat() throws IOException;

  public abstract double readDouble() throws IOException;

  public abstract void readArray(boolean[] destination, int offset, int length) throws IOException;

  public abstract void readArray(byte[] destination, int offset, int length) throws IOException;

  public abstract void readArray(char[] destination, int offset, int length) throws IOException;

  public abstract void readArray(short[] destination, int offset, int length) throws IOException;

  public abstract void readArray(int[] destination, int offset, int length) throws IOException;

  public abstract void readArray(long[] destination, int offset, int length) throws IOException;

  public abstract void readArray(float[] destination, int offset, int length) throws IOException;

  public abstract void readArray(double[] destination, int offset, int length) throws IOException;

  /** Returns the number of bytes read since the last reset. */
  public abstract long bytesRead();

  public abstract void resetBytesRead();

  /** Returns how many bytes are read ahead at most; -1 if that is not known. */
  public abstract int bufferSize();
}
