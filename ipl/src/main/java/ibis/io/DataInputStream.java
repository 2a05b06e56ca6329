package ibis.io;

import java.io.InputStream;

/**
 * Gives primitives and slices of their arrays; what serialization streams read from. Not to be
 * shared between threads. The end, where more was asked for, is a {@link java.io.EOFException}.
 */
public abstract class DataInputStream extends InputStream implements DataInput {

  /** For subclasses. */
  protected DataInputStream() {}

  /** Returns the number of bytes read since the last reset. */
  public abstract long bytesRead();

  public abstract void resetBytesRead();

  /** Returns how many bytes are read ahead at most; -1 if that is not known. */
  public abstract int bufferSize();
}
