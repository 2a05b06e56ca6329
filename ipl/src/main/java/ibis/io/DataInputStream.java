package ibis.io;

import java.io.InputStream;

/**
 * The source of serialization streams: reads primitives and slices of primitive arrays. Not to be
 * shared between threads. Reading past the end throws a {@link java.io.EOFException}.
 */
public abstract class DataInputStream extends InputStream implements DataInput {

  /** Called by subclasses. */
  protected DataInputStream() {}

  /** Returns the number of bytes read since the last reset. */
  public abstract long bytesRead();

  public abstract void resetBytesRead();

  /** Returns how many bytes are read ahead at most; -1 if that is not known. */
  public abstract int bufferSize();
}
