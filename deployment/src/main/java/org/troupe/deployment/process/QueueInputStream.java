package org.troupe.deployment.process;

import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;

/** An input stream that another thread writes to; the writer blocks while the queue is full. */
public final class QueueInputStream extends ChunkInputStream {

  private static final int MOST_CHUNKS = 256;
  private static final byte[] END = {};

  private final LinkedBlockingQueue<byte[]> chunks = new LinkedBlockingQueue<>(MOST_CHUNKS);
  private volatile boolean hasEnded; // as its writer sees it

  /** Adds bytes for the reader; drops them after the end. */
  public void add(byte[] more) {
    if (!hasEnded && more.length > 0) {
      put(more);
    }
  }

  /** Ends the stream after the bytes that have been added. */
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
  protected byte[] next() throws IOException {
    try {
      var chunk = chunks.take();
      if (chunk == END) {
        chunks.add(END); // for the next read
      }
      return chunk;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Drops the bytes that have not been read; the writer no longer blocks. */
  @Override
  public void close() {
    hasEnded = true;
    chunks.clear();
    chunks.add(END);
  }
}
