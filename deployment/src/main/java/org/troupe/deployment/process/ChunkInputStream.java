package org.troupe.deployment.process;

import java.io.IOException;
import java.io.InputStream;

/** An input stream over chunks of bytes that arrive one by one. For one reader. */
public abstract class ChunkInputStream extends InputStream {

  private byte[] chunk = {};
  private int position;

  /**
   * Waits for the next chunk.
   *
   * @return the chunk; empty at the end of the stream, then and whenever it is asked again
   */
  protected abstract byte[] next() throws IOException;

  @Override
  public final int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public final int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == chunk.length) {
      chunk = next();
      position = 0;
      if (chunk.length == 0) {
        return -1;
      }
    }
    var count = Math.min(length, chunk.length - position);
    System.arraycopy(chunk, position, bytes, offset, count);
    position += count;
    return count;
  }

  /** Returns the number of bytes left in the current chunk. */
  @Override
  public final int available() {
    return chunk.length - position;
  }
}
