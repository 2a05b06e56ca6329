package ibis.io;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Takes primitives and slices of their arrays; what serialization streams write to. Not to be
 * shared between threads.
 */
public abstract class DataOutputStream extends OutputStream {

  /** For subclasses. */
  protected DataOutputStream() {}

  public abstract void writeBoolean(boolean value) throws IOException;

  public abstract void writeByte(byte value) throws IOException;

  public abstract void writeChar(char value) throws IOException;

  public abstract void writeShort(short value) throws IOException;

  public abstract void writeInt(int value) throws IOException;

  public abstract void writeLong(long value) throws IOException;

  public abstract void writeFloat(float value) throws IOException;

  public abstract void writeDouble(double value) throws IOException;

  public abstract void writeArray(boolean[] value, int offset, int length) throws IOException;

  public abstract void writeArray(byte[] value, int offset, int length) throws IOException;

  public abstract void writeArray(char[] value, int offset, int length) throws IOException;

  public abstract void writeArray(short[] value, int offset, int length) throws IOException;

  public abstract void writeArray(int[] value, int offset, int length) throws IOException;

  public abstract void writeArray(long[] value, int offset, int length) throws IOException;

  public abstract void writeArray(float[] value, int offset, int length) throws IOException;

  public abstract void writeArray(double[] value, int offset, int length) throws IOException;

  /** Writes a slice of an array of bytes. */
  @Override
  public void write(byte[] value, int offset, int length) throws IOException {
    writeArray(value, offset, length);
  }

  /** Writes the lowest eight bits. */
  @Override
  public void write(int value) throws IOException {
    writeByte((byte) value);
  }

  /** Returns the number of bytes written since the last reset. */
  public abstract long bytesWritten();

  public abstract void resetBytesWritten();

  /** Returns how many bytes are kept back at most; -1 if that is not known. */
  public abstract int bufferSize();
}
