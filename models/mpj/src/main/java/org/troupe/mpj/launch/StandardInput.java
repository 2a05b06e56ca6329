package org.troupe.mpj.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The standard input of the launcher, for the rank that reads it. */
public class StandardInput {

  private final InputStream in = RankInput.ofJvm();

  /** For the creation as an active object. */
  public StandardInput() {}

  /** Returns the next bytes, at least one; none at the end. Waits for input. */
  public byte[] read(int most) {
    var bytes = new byte[Math.clamp(most, 1, 1 << 16)];
    try {
      var count = in.read(bytes);
      return count < 0 ? new byte[0] : Arrays.copyOf(bytes, count);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /** The input stream of a rank in another JVM. */
  static final class Remote extends InputStream {

    private final StandardInput source;
    private byte[] read = {};
    private int at;
    private boolean isOver;

    Remote(StandardInput source) {
      this.source = source;
    }

    private synchronized boolean fill(int most) {
      if (at == read.length && !isOver) {
        read = source.read(most);
        at = 0;
        isOver = read.length == 0;
      }
      return !isOver;
    }

    @Override
    public synchronized int read() {
      return fill(1 << 13) ? read[at++] & 0xFF : -1;
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      if (!fill(Math.max(length, 1 << 13))) {
        return -1;
      }
      var count = Math.min(length, read.length - at);
      System.arraycopy(read, at, into, offset, count);
      at += count;
      return count;
    }

    @Override
    public synchronized int available() {
      return read.length - at;
    }
  }
}
