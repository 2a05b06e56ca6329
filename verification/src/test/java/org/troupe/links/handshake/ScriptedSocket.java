package org.troupe.links.handshake;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Supplier;

/** A socket whose peer sends pieces; each is computed after the piece before it was read. */
final class ScriptedSocket extends Socket {

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final Queue<Supplier<byte[]>> pieces = new ArrayDeque<>();
  private byte[] piece = {};
  private int at;

  ScriptedSocket then(Supplier<byte[]> next) {
    pieces.add(next);
    return this;
  }

  /** Returns bytes that were written to the peer. */
  byte[] written(int from, int count) {
    return Arrays.copyOfRange(written.toByteArray(), from, from + count);
  }

  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() {
        return hasNext() ? piece[at++] & 0xff : -1;
      }

      @Override
      public int read(byte[] into, int from, int most) {
        if (!hasNext()) {
          return -1;
        }
        int count = Math.min(most, piece.length - at);
        System.arraycopy(piece, at, into, from, count);
        at += count;
        return count;
      }
    };
  }

  private boolean hasNext() {
    while (at == piece.length && !pieces.isEmpty()) {
      piece = pieces.remove().get();
      at = 0;
    }
    return at < piece.length;
  }

  @Override
  public OutputStream getOutputStream() {
    return written;
  }
}
