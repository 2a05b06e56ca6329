package ibis.ipl.internal.base;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.troupe.links.Link;

/** Length-prefixed messages over a link. Used by one reader and one writer at a time. */
public final class FramedLink implements AutoCloseable {

  /** The longest message of a registry; bounds the memory that a wrong length can cost. */
  private static final int MOST_BYTES = 16 << 20;

  private static final int FIRST_BYTES = 64 << 10;
  private static final int GROWTH = 4;

  private static final int BUFFER_BYTES = 8 << 10;

  private final Link link;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER_BYTES).flip();

  public FramedLink(Link link) {
    this.link = link;
  }

  /**
   * Reads a message; blocks until it has arrived.
   *
   * @throws EOFException if the peer has closed the link
   */
  public byte[] read() throws IOException {
    fill(Integer.BYTES);
    int length = in.getInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException(
          "malformed message of a registry: "
              + length
              + " bytes, where at most "
              + MOST_BYTES
              + " are allowed");
    }
    byte[] message = new byte[Math.min(length, FIRST_BYTES)];
    int at = 0;
    while (at < length) {
      if (!in.hasRemaining()) {
        fill(1);
      }
      if (at == message.length) { // memory grows with the bytes that have arrived
        message = Arrays.copyOf(message, Math.min(length, GROWTH * at));
      }
      int part = Math.min(message.length - at, in.remaining());
      in.get(message, at, part);
      at += part;
    }
    return message;
  }

  private void fill(int wanted) throws IOException {
    if (in.remaining() >= wanted) {
      return;
    }
    in.compact();
    try {
      while (in.position() < wanted) {
        if (link.read(in) < 0) {
          throw new EOFException("the peer has closed its link");
        }
      }
    } finally {
      in.flip();
    }
  }

  /** Writes messages; blocks while the peer is slow. */
  public void write(List<byte[]> messages) throws IOException {
    int total = 0;
    for (byte[] message : messages) {
      check(message);
      total += Integer.BYTES + message.length;
    }
    ByteBuffer out = ByteBuffer.allocate(total);
    for (byte[] message : messages) {
      out.putInt(message.length).put(message);
    }
    link.write(out.flip());
  }

  public void write(byte[] message) throws IOException {
    write(List.of(message));
  }

  public static void check(byte[] message) throws IOException {
    if (message.length > MOST_BYTES - Long.BYTES) {
      throw new IOException(
          "a message to the registry has "
              + message.length
              + " bytes, and may have "
              + (MOST_BYTES - Long.BYTES)
              + "; use a port for large data");
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
