package org.troupe.deployment.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.LinkedBlockingQueue;

/** An input stream that another thread feeds; the feeder blocks while the queue is full. */
public final class QueueInputStream extends InputStream {

  private static final int MOST_CHUNKS = 256;
  private static final byte[] END = {};

  private final LinkedBlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>(MOST_CHUNKS);
  private volatile boolean hasEnded; // as its writer sees it
  private byte[] chunk = {}; // this and the next are touched only by the reader
  private int position;

  /** Adds bytes for the reader; after the end they are dropped. */
  public void give(byte[] more) {
    if (!hasEnded && more.length > 0) {
      put(more);
    }
  }

  /** Lets the reader see the end, after all that it was given. */
  public void end() {
    if (!hasEnded) {
      hasEnded = true;
      put(END);
    }
  }

  private void put(byte[] more) {
    try {
      chunks.put(more);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the writer is ending; so is the grid
    }
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position == chunk.length) {
      try {
        chunk = chunks.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      position = 0;
      if (chunk == END) {
        chunks.add(END); // for the next read
        chunk = new byte[0];
        return -1;
      }
    }
    var count = Math.min(length, chunk.length - position);
    System.arraycopy(chunk, position, bytes, offset, count);
    position += count;
    return count;
  }

  @Override
  public int available() {
    return chunk.length - position;
  }

  /** The reader wants no more. */
  @Override
  public void close() {
    hasEnded = true;
    chunks.clear();
    chunks.add(END);
  }
}
