package ibis.io;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The destination of serialization streams: writes primitives and slices of primitive arrays. Not
 * to be shared between threads.
 */
public abstract class DataOutputStream extends OutputStream implements DataOutput {

  /** Called by subclasses. */
  protected DataOutputStream() {}

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

  /**
   * Returns whether everything before the last {@code flush} has left; always, unless a subclass
   * writes on threads of its own.
   */
  public boolean finished() throws IOException {
    return true;
  }

  /** Waits until {@link #finished} is true. */
  public void finish() throws IOException {
    // every call writes synchronously
  }

  /** Returns the number of bytes written since the last reset. */
  public abstract long bytesWritten();

  public abstract void resetBytesWritten();

  /** Returns the maximum number of buffered bytes; -1 if unknown. */
  public abstract int bufferSize();
}
