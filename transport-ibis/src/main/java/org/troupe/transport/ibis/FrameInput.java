package org.troupe.transport.ibis;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.troupe.activeobjects.spi.Frame;
import org.troupe.links.Link;
import org.troupe.serialization.Limits;

/** Reads the frames of one link. Used by one thread at a time. */
final class FrameInput {

  private static final byte[] EMPTY = {};
  private static final long MOST_BYTES = Limits.standard().maxBytes();

  private final Link link;
  private final ByteBuffer buffer;

  /**
   * Makes an input.
   *
   * @param bytes how much is read at once
   */
  FrameInput(Link link, int bytes) {
    this.link = link;
    this.buffer = ByteBuffer.allocateDirect(bytes).flip();
  }

  /**
   * Reads a frame; waits for it.
   *
   * @return {@code null} for the word that there is no reply
   * @throws EOFException if the peer has closed the link
   * @throws BadFrameException if what comes is no frame
   */
  Frame read() throws IOException {
    await(FrameOutput.PREFIX_BYTES);
    int headerLength = buffer.getInt();
    int bodyLength = buffer.getInt();
    if (headerLength == FrameOutput.NOTHING && bodyLength == 0) {
      return null;
    }
    check(headerLength, bodyLength);
    byte[] header = bytes(headerLength);
    return new Frame(header, bytes(bodyLength));
  }

  /** Refuses what no frame has, before anything is allocated for it. */
  static void check(int headerLength, int bodyLength) throws BadFrameException {
    if (headerLength < 0 || bodyLength < 0 || (long) headerLength + bodyLength > MOST_BYTES) {
      throw new BadFrameException(
          "a frame came with a header of %d and a body of %d bytes, but both together may have %d"
              .formatted(headerLength, bodyLength, MOST_BYTES));
    }
  }

  private byte[] bytes(int length) throws IOException {
    if (length == 0) {
      return EMPTY;
    }
    byte[] bytes = new byte[length];
    int here = Math.min(length, buffer.remaining());
    buffer.get(bytes, 0, here);
    int missing = length - here;
    if (missing >= buffer.capacity()) {
      link.readFully(MemorySegment.ofArray(bytes).asSlice(here));
    } else if (missing > 0) {
      await(missing);
      buffer.get(bytes, here, missing);
    }
    return bytes;
  }

  /** Waits until so many bytes are in the buffer; takes along what has come behind them. */
  private void await(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    buffer.compact();
    try {
      while (buffer.position() < bytes) {
        if (link.read(buffer) < 0) {
          throw new EOFException("the peer has closed the link");
        }
      }
    } finally {
      buffer.flip();
    }
  }
}
