package org.troupe.transport.ibis;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.troupe.links.Driver;
import org.troupe.links.Link;

/** A link that delivers given bytes and then its end, and discards what is written to it. */
final class BytesLink extends Link {

  private final ByteBuffer bytes;
  private final int pieceBytes;
  private boolean closed;

  /**
   * Makes a link.
   *
   * @param pieceBytes how many bytes one read delivers at most
   */
  BytesLink(byte[] bytes, int pieceBytes) {
    this.bytes = ByteBuffer.wrap(bytes);
    this.pieceBytes = pieceBytes;
  }

  @Override
  public Driver driver() {
    return Driver.TCP;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    throwIfClosed();
    if (!bytes.hasRemaining()) {
      return -1;
    }
    int count = Math.min(Math.min(into.remaining(), bytes.remaining()), pieceBytes);
    into.put(into.position(), bytes, bytes.position(), count);
    into.position(into.position() + count);
    bytes.position(bytes.position() + count);
    return count;
  }

  @Override
  public int tryRead(ByteBuffer into) throws IOException {
    return read(into);
  }

  @Override
  public void readFully(MemorySegment into) throws IOException {
    throwIfClosed();
    if (bytes.remaining() < into.byteSize()) {
      throw new EOFException("the end");
    }
    int count = (int) into.byteSize();
    MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, into, 0, count);
    bytes.position(bytes.position() + count);
  }

  private void throwIfClosed() throws IOException {
    if (closed) {
      throw new IOException("the link is closed");
    }
  }

  @Override
  public void write(ByteBuffer... parts) throws IOException {
    throwIfClosed();
    for (var part : parts) {
      part.position(part.limit());
    }
  }

  @Override
  public void write(MemorySegment part) throws IOException {
    throwIfClosed();
  }

  @Override
  public void share() {}

  @Override
  public boolean offer(ByteBuffer... parts) throws IOException {
    write(parts);
    return true;
  }

  @Override
  public boolean canPoll() {
    return true;
  }

  @Override
  public long available() {
    return Math.min(bytes.remaining(), pieceBytes);
  }

  @Override
  public boolean isOver() {
    return true;
  }

  @Override
  public boolean awaitReadable() throws IOException {
    throwIfClosed();
    return bytes.hasRemaining();
  }

  @Override
  public void poll(boolean begins) {}

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "the link";
  }
}
